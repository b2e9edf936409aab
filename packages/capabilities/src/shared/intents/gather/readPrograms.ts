import type { CallTrace } from "@assay/chain";
import { absent, type Hex, mapReading, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { GatherContext } from "../../../gathering.js";
import { listWatchedOpcodes } from "../../code/listWatchedOpcodes.js";
import type { TransactionIntentReadings } from "../transactionReadings.js";

type Programs = TransactionIntentReadings["programs"];

/** A swap through several pools runs about a dozen programs. */
const MAX_PROGRAMS = 24;

export const NO_PROGRAMS: Programs = { isCut: false, list: [] };

/** Which of the fees each program that ran can read, for a simulation in which the node hid some of them. */
export async function readPrograms(
  { chain, block }: GatherContext,
  sender: Hex,
  calls: CallTrace["calls"],
  known: ReadonlyMap<Hex, Reading<Hex>>,
): Promise<Programs> {
  const all = [...new Set(calls.map(({ to }) => to))];
  const addresses = all.slice(0, MAX_PROGRAMS);
  const unknown = addresses.filter((address) => !known.has(address));
  const codes: readonly Reading<Hex>[] =
    unknown.length === 0
      ? []
      : await chain.readAt(
          block,
          unknown.map((address) => ({ kind: "code", address }) as const),
        );
  const codeOf = (address: Hex) => known.get(address) ?? codes[unknown.indexOf(address)];
  return {
    isCut: all.length > addresses.length,
    list: addresses.map((address) => ({
      address,
      isCalledByOthers: calls.some(({ from, to }) => to === address && from !== sender),
      looksAt: describeCode(codeOf(address) ?? noAnswer),
    })),
  };
}

function describeCode(code: Reading<Hex>): Programs["list"][number]["looksAt"] {
  if (code.status === "absent") return valueReading([]);
  // A delegated account (EIP-7702) runs code from another address.
  if (code.status === "value" && code.value.startsWith("0xef0100")) return absent;
  return mapReading(code, listWatchedOpcodes);
}
