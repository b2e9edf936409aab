import type { BlockHeader, CallRead, Chain } from "@assay/chain";
import type { AddressSight, Hex, Reading } from "@assay/protocol";
import { fingerprintBytecode } from "../../code/fingerprintBytecode.js";
import { findParty } from "../../parties/findParty.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import { askPools, parsePools } from "./readPoolPrices.js";

/** `decimals()` and `totalSupply()` of ERC-20: together no other standard has them. */
const TOKEN_QUESTIONS = ["0x313ce567", "0x18160ddd"] as const;

/**
 * What stands at an address, in one round trip: enough to choose the question that fits, and no verdict. Undefined where no node
 * says whether there is code.
 */
export async function lookAtAddress(
  { chain, launchVenues }: { readonly chain: Pick<Chain, "readAt">; readonly launchVenues: LaunchVenues },
  block: BlockHeader,
  address: Hex,
): Promise<AddressSight | undefined> {
  const questions = TOKEN_QUESTIONS.map((data): CallRead => ({ kind: "call", to: address, data }));
  const [code, ...answers] = await chain.readAt(block, [
    { kind: "code", address },
    ...questions,
    askPools(launchVenues, address),
  ]);
  if (code.status === "unanswered") return undefined;
  const name = findParty(address)?.name ?? null;
  if (code.status !== "value") return { address, kind: "account", name, pools: null };
  if (fingerprintBytecode(code.value).form === "eip7702_delegation")
    return { address, kind: "delegated", name, pools: null };
  const [decimals, supply, pools] = answers as readonly Reading<Hex>[];
  if (!isWord(decimals) || !isWord(supply)) return { address, kind: "contract", name, pools: null };
  return { address, kind: "token", name, pools: pools ? countPools(launchVenues, address, pools) : null };
}

const isWord = (answer: Reading<Hex> | undefined) =>
  answer?.status === "value" && /^0x[0-9a-f]{64}$/i.test(answer.value);

/** Pools with something in them; null where that was not answered. */
function countPools(venues: LaunchVenues, token: Hex, answer: Reading<Hex>): number | null {
  const { pools } = parsePools(venues, token, answer);
  if (pools.status !== "value") return null;
  return pools.value.filter(({ tokenBalance, quoteBalance }) => tokenBalance !== "0" && quoteBalance !== "0")
    .length;
}
