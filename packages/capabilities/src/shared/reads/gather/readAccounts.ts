import type { ChainRead, ReadingsOf } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";

export interface AccountRequest {
  readonly address: Hex;
  readonly slots: readonly Hex[];
}

export interface AccountReadings {
  readonly code: Reading<Hex>;
  /** In the order asked for. */
  readonly slots: readonly Reading<Hex>[];
}

/**
 * Code and slots of some accounts with their proofs, and other reads beside them, in one batch. A slot's value is
 * taken from its proof. While it is not known
 * whether the nodes give proofs, slots are also read directly. Where an expected proof fails, a second batch reads them.
 */
export async function readAccounts<const R extends readonly ChainRead[]>(
  { chain, block, proofs }: GatherContext,
  accounts: readonly AccountRequest[],
  others: R,
): Promise<{ accounts: AccountReadings[]; others: ReadingsOf<R> }> {
  const countsOnProofs = chain.provesState();
  const perAccount = accounts.map(({ address, slots }): ChainRead[] => [
    { kind: "code", address },
    { kind: "proof", address, slots },
    ...(countsOnProofs ? [] : readSlots(address, slots)),
  ]);
  const answers: readonly Reading<unknown>[] = await chain.readAt(block, [
    { kind: "header" },
    ...perAccount.flat(),
    ...others,
  ]);
  const [header, ...rest] = answers as [Reading<Hex>, ...Reading<unknown>[]];
  const read = await Promise.all(
    accounts.map(async (account, index): Promise<AccountReadings> => {
      const from = perAccount.slice(0, index).reduce((sum, reads) => sum + reads.length, 0);
      const [code, nodes, ...slots] = rest.slice(from, from + (perAccount[index]?.length ?? 0));
      const state = proofs.add(header, nodes as Reading<readonly Hex[]>, account);
      const { address } = account;
      if (state) {
        const words = account.slots.map((slot) => valueReading(state.getSlot(address, slot)));
        return { code: (code ?? noAnswer) as Reading<Hex>, slots: words };
      }
      // The code is read again too: without a proof, a second node is asked as well, where there is one.
      const [plainCode, ...plain] = countsOnProofs
        ? await chain.readAt(block, [{ kind: "code", address }, ...readSlots(address, account.slots)])
        : [code, ...slots];
      return { code: (plainCode ?? noAnswer) as Reading<Hex>, slots: plain as readonly Reading<Hex>[] };
    }),
  );
  const asked = perAccount.reduce((sum, reads) => sum + reads.length, 0);
  return { accounts: read, others: rest.slice(asked) as unknown as ReadingsOf<R> };
}

const readSlots = (address: Hex, slots: readonly Hex[]): ChainRead[] =>
  slots.map((slot) => ({ kind: "storage", address, slot }));
