import { type CapabilityId, getCapability } from "@assay/client";
import { navigate } from "../routing/router.js";
import { dropFromTab, findInTab, keepInTab } from "../service/keepInTab.js";
import type { InputValues } from "./checkInput.js";
import { linkToForm } from "./linkToForm.js";

const placeOf = (id: CapabilityId) => `assay.handed.${id}`;

/** Goes to a capability's form with this input in it. What is private is never written into an address. */
export function openForm(id: CapabilityId, values: InputValues): void {
  const isPrivate = getCapability(id).reuse === "private";
  if (isPrivate) keepInTab(placeOf(id), values);
  navigate(linkToForm(id, isPrivate ? {} : values));
}

export const findHanded = (id: CapabilityId): InputValues | undefined => findInTab(placeOf(id));

/** A form takes its input once: the visitor may come back to it for something else. */
export const dropHanded = (id: CapabilityId): void => dropFromTab(placeOf(id));
