import type { CapabilityResult } from "@assay/protocol";
import type { ComponentType } from "react";
import { PageText } from "./PageText.js";

export type View = ComponentType<{ readonly answer: CapabilityResult }>;

/** The only place in the console that names capabilities: those whose answers hold more than figures. */
const views: Readonly<Record<string, View>> = {
  "web.compile": PageText,
};

/** What is shown of a capability's answer beside its news. */
export const findView = (capabilityId: string): View | undefined =>
  Object.hasOwn(views, capabilityId) ? views[capabilityId] : undefined;
