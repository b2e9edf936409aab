import type { BlockHeader, Chain, ChainLog } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import { BURN_ADDRESSES } from "../../control/judgeOwnership.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import { listPairs } from "./listPairs.js";
import { rankHolders, TRANSFER_TOPIC } from "./readEvents.js";

/** Of the holders of a token or of a pair's shares, those whose code and storage are read with the token. */
const MAX_HOLDERS = 6;

/** What a token was like at a block before that of the answer: hints for what to ask about together with the token. */
export interface Ahead {
  readonly code: Hex | null;
  /** Who holds the token, and who holds shares of each of its pairs. */
  readonly holders: ReadonlyMap<Hex, readonly Hex[]>;
}

export const NOTHING_AHEAD: Ahead = { code: null, holders: new Map() };

/**
 * Reads the code of a token, and who holds it and its liquidity, while the newest block is asked for. Who asks for storage that the
 * code names, and for the functions of a contract that holds liquidity, needs this first. All of it is read again.
 */
export async function lookAhead(
  chain: Pick<Chain, "readAt">,
  block: BlockHeader,
  venues: LaunchVenues,
  address: Hex,
): Promise<Ahead> {
  const held = [address, ...listPairs(venues, address)];
  const [code, logs] = await chain.readAt(block, [
    { kind: "code", address },
    { kind: "logs", addresses: held, topics: [TRANSFER_TOPIC], fromBlock: 0 },
  ]);
  const found: readonly ChainLog[] = logs.status === "value" ? logs.value : [];
  const isHolder = (account: Hex) => !held.includes(account) && !BURN_ADDRESSES.includes(account);
  return {
    code: code.status === "value" ? code.value : null,
    holders: new Map(
      held.map((one) => {
        const own = found.filter((log) => log.address === one);
        return [one, rankHolders(own).filter(isHolder).slice(0, MAX_HOLDERS)] as const;
      }),
    ),
  };
}
