import type { CapabilityResult } from "@assay/protocol";
import type { ComponentType } from "react";
import { EffectsView } from "../presign/EffectsView.js";
import { SwapView } from "../presign/SwapView.js";
import { FindingsView } from "./FindingsView.js";
import { PageText } from "./PageText.js";

export type View = ComponentType<{ readonly answer: CapabilityResult }>;

/** The only place in the console that names capabilities: those whose findings have a view of their own. */
const views: Readonly<Record<string, View>> = {
  "transaction.intent.guard": EffectsView,
  "amm.swap.guard": SwapView,
  "web.compile": PageText,
};

/** How the findings of a capability are shown, right after the verdict. */
export const getView = (capabilityId: string): View => views[capabilityId] ?? FindingsView;
