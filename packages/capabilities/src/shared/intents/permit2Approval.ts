import type { Hex } from "@assay/protocol";
import type { Act } from "./act.js";

export interface PermitDetails {
  readonly token: Hex;
  readonly amount: string;
  readonly expiration: string;
}

/** Permit2 keeps the permission, and the signer is the owner. */
export function permit2Approval(keeper: Hex, owner: Hex, spender: Hex, details: PermitDetails): Act {
  const { token, amount, expiration } = details;
  return {
    kind: "approval",
    form: "permit2",
    keeper,
    token,
    owner,
    spender,
    amount,
    // Permit2 reads zero as "in this block only".
    expiresAt: expiration,
    isRevocation: amount === "0",
  };
}
