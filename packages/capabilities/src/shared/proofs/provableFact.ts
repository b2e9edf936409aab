import { type Hex, type ProvenState, StateProofError, type StateProofs } from "@assay/protocol";

/** The part of one account's state that a verdict used and a proof can show. */
export interface ProvableAccount {
  readonly address: Hex;
  /** keccak256 of the code, null for none; left out when the code was not read. */
  readonly codeHash?: Hex | null;
  readonly slots: readonly { readonly slot: Hex; readonly value: Hex }[];
}

/** The state contradicts what was recorded. */
export class ContradictedFactError extends StateProofError {}

/** Throws `StateProofError` where a fact is not proven, `ContradictedFactError` where the proof shows another value. */
export function verifyFacts(state: ProvenState, facts: readonly ProvableAccount[]): void {
  for (const { address, codeHash, slots } of facts) {
    if (codeHash !== undefined) {
      const proven = state.getCodeHash(address);
      if (proven !== codeHash)
        throw new ContradictedFactError(`the code of ${address} hashes to ${proven}, not to ${codeHash}`);
    }
    for (const { slot, value } of slots) {
      const proven = state.getSlot(address, slot);
      if (proven !== value)
        throw new ContradictedFactError(`slot ${slot} of ${address} holds ${proven}, not ${value}`);
    }
  }
}

/** Stands after the rule's own limitations when there is state to prove and no proof of it. */
const PROOF_UNAVAILABLE =
  "PROOF_UNAVAILABLE: no node proved the state that was read; code and slots are as a node reported them.";

/** Former sentences of this limitation, and today's in their place. They hold for every rule (see `Rule.formerWording`). */
export const formerProofWording = {
  "PROOF_UNAVAILABLE: no node proved the state that was read; code and slots are as a node told them.":
    PROOF_UNAVAILABLE,
};

export function proofLimitations(facts: readonly ProvableAccount[], proofs: StateProofs | null): string[] {
  return facts.length > 0 && proofs === null ? [PROOF_UNAVAILABLE] : [];
}
