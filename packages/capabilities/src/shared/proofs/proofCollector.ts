import {
  type Hex,
  openStateProofs,
  type ProvenState,
  type Reading,
  StateProofError,
  type StateProofs,
} from "@assay/protocol";

/** Collects, while an answer is gathered, the proofs of what was read for it. */
export interface ProofCollector extends ProvenState {
  /**
   * Keeps these nodes if they prove the account and all the slots. If not, returns undefined and the collection is
   * incomplete.
   */
  add(
    header: Reading<Hex>,
    nodes: Reading<readonly Hex[]>,
    account: { readonly address: Hex; readonly slots: readonly Hex[] },
  ): ProvenState | undefined;
  /** Everything kept, each node once; null when nothing was read, or when something that was read is not proven. */
  finish(): StateProofs | null;
}

export function createProofCollector(blockHash: Hex): ProofCollector {
  /** An address may be added again, with other slots than before. */
  const states = new Map<Hex, ProvenState[]>();
  const kept = new Set<Hex>();
  let keptHeader: Hex | undefined;
  let isIncomplete = false;

  function readProven<T>(address: Hex, read: (state: ProvenState) => T): T {
    let failure: StateProofError | undefined;
    for (const state of states.get(address) ?? []) {
      try {
        return read(state);
      } catch (error) {
        if (!(error instanceof StateProofError)) throw error;
        failure = error;
      }
    }
    throw failure ?? new StateProofError(`no proof for account ${address}`);
  }

  return {
    add(header, nodes, { address, slots }) {
      try {
        if (header.status !== "value" || nodes.status !== "value") throw new StateProofError("not given");
        const state = openStateProofs({ header: header.value, nodes: [...nodes.value] }, blockHash);
        state.getCodeHash(address);
        for (const slot of slots) state.getSlot(address, slot);
        keptHeader = header.value;
        for (const node of nodes.value) kept.add(node);
        states.set(address, [...(states.get(address) ?? []), state]);
        return state;
      } catch (error) {
        if (!(error instanceof StateProofError)) throw error;
        isIncomplete = true;
        return undefined;
      }
    },
    getCodeHash: (address) => readProven(address, (state) => state.getCodeHash(address)),
    getSlot: (address, slot) => readProven(address, (state) => state.getSlot(address, slot)),
    finish: () =>
      isIncomplete || keptHeader === undefined ? null : { header: keptHeader, nodes: [...kept] },
  };
}
