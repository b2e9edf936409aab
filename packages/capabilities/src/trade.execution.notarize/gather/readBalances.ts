import type { AgreedRead, BlockHeader, Chain } from "@assay/chain";
import { type Hex, type JsonObject, mapReading, noAnswer, type Reading } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, pad } from "viem";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import type { BalancePlace } from "../planBalances.js";
import type { TradeExecutionReadings } from "../readings.js";

type Balances = TradeExecutionReadings["balances"];

/** Balances at the end of two successive blocks: the difference is what the second block did. */
export async function readBalances(
  chain: Chain,
  parent: BlockHeader,
  block: BlockHeader,
  places: readonly BalancePlace[],
): Promise<Omit<Balances[number], "others">[]> {
  const reads = places.map(askBalance);
  const [before, after] = await Promise.all([chain.readAt(parent, reads), chain.readAt(block, reads)]);
  return places.map((place, i) => ({
    ...place,
    before: asWord(place, before[i]),
    after: asWord(place, after[i]),
  }));
}

/** Native balances and token balances in one form: one word, or the failure that came instead. */
function asWord({ token }: BalancePlace, answer: Reading<Hex> = noAnswer): Reading<Hex> {
  return token === null
    ? mapReading(answer, (wei) => pad(wei, { size: 32 }))
    : cutAnswer(answer, WORD_ANSWER_BYTES);
}

function askBalance({ holder, token }: BalancePlace): AgreedRead {
  if (token === null) return { kind: "balance", address: holder };
  return {
    kind: "call",
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] }),
  };
}

/**
 * How many other transactions of the block name the holder beside the token, or, for the native currency, at all.
 * Called with receipts that match the block's receipts root; their senders and targets are as a node reports them.
 */
export function countOthers(
  receipts: readonly JsonObject[],
  index: number,
  { holder, token }: BalancePlace,
): number {
  const named = holder.slice(2);
  return receipts.filter((receipt, i) => {
    if (i === index) return false;
    const { from, to, logs } = receipt as { from?: unknown; to?: unknown; logs?: unknown };
    if (token === null && [from, to].some((party) => String(party).toLowerCase() === holder)) return true;
    return Array.isArray(logs) && logs.some((log: JsonObject) => isAbout(log, token, named));
  }).length;
}

function isAbout({ address, topics }: JsonObject, token: Hex | null, named: string): boolean {
  const isNamed =
    Array.isArray(topics) && topics.some((topic) => String(topic).toLowerCase().endsWith(named));
  return isNamed && (token === null || String(address).toLowerCase() === token);
}
