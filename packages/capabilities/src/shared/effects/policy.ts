import type { Reasons } from "../verdict/reasons.js";
import { assetPolicy } from "./assetPolicy.js";
import { permissionPolicy } from "./permissionPolicy.js";

/**
 * What each effect of a transaction means, by the party it concerns. Guards judge by these lines and by nothing else
 * that concerns assets, permissions or control; reasons and the page about the policy are made from the same lines.
 */
export const policy = { ...assetPolicy, ...permissionPolicy };

export type PolicyCode = keyof typeof policy;

/** The same lines as reasons of a rule. */
export const policyReasons = Object.fromEntries(
  Object.entries(policy).map(([code, { verdict, why }]) => [code, { verdict, sentence: why }]),
) as Reasons<PolicyCode>;
