import type { CallRead, ChainLog } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionResult, numberToHex, parseAbiParameters } from "viem";
import { callLaunchProbe, launchProbe } from "../../pools/gather/findPools.js";
import { decodeOrNull, MODIFY_LIQUIDITY, type V4Pool } from "../../pools/gather/findV4Pools.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { FoundLiquidity } from "./planLiquidity.js";

const { abi } = launchProbe;
const changed = parseAbiParameters("int24, int24, int256, bytes32");
/** Of the holders of a pool's liquidity, those that are asked about. */
const MAX_HOLDERS = 24;

interface Range {
  /** Who called the manager; a manager of positions did so for the owner of the position that `salt` numbers. */
  readonly holder: Hex;
  readonly salt: Hex;
  readonly liquidity: bigint;
}

/** Liquidity at the pool's price by who put it there, the largest first, as the manager's events say. */
export function listRanges(logs: readonly ChainLog[], { pool, tick }: V4Pool): Range[] {
  const sums = new Map<string, Range>();
  for (const { topics, data } of logs) {
    const [kind, id, sender] = topics;
    if (kind !== MODIFY_LIQUIDITY || id !== pool.id || sender === undefined) continue;
    const change = decodeOrNull(changed, data);
    if (change === null) continue;
    const [lower, upper, delta, salt] = change;
    if (tick < lower || tick >= upper) continue;
    const key = `${sender}${salt}${lower}:${upper}`;
    const liquidity = (sums.get(key)?.liquidity ?? 0n) + delta;
    sums.set(key, { holder: `0x${sender.slice(26)}`, salt, liquidity });
  }
  return [...sums.values()]
    .filter(({ liquidity }) => liquidity > 0n)
    .sort((left, right) => (left.liquidity < right.liquidity ? 1 : -1));
}

/** Who holds the liquidity of a V4 pool: the owners of positions, and contracts that called the manager themselves. */
export function planV4Liquidity(
  batch: Batch,
  found: V4Pool,
  positions: Hex | undefined,
  sender: Hex,
  events: Reading<readonly ChainLog[]>,
): () => FoundLiquidity {
  const ranges = events.status === "value" ? listRanges(events.value, found).slice(0, MAX_HOLDERS) : [];
  const owned = ranges.filter(({ holder }) => holder === positions);
  const others = [
    ...new Set(ranges.filter(({ holder }) => holder !== positions).map(({ holder }) => holder)),
  ];
  const owners =
    positions === undefined || owned.length === 0
      ? null
      : batch.ask(
          readOwners(
            sender,
            positions,
            owned.map(({ salt }) => BigInt(salt)),
          ),
        );
  const codes = others.map((address) => [address, batch.ask({ kind: "code", address })] as const);
  return () => {
    const named = owners === null ? null : parseOwners(owners());
    const code = new Map<Hex, Reading<Hex>>(codes.map(([address, read]) => [address, read()]));
    const held = new Map<Hex, bigint>();
    const add = (address: Hex, liquidity: bigint) => held.set(address, (held.get(address) ?? 0n) + liquidity);
    for (const { holder, liquidity } of ranges) if (holder !== positions) add(holder, liquidity);
    owned.forEach(({ liquidity }, index) => {
      const owner = named?.status === "value" ? named.value[index] : undefined;
      if (owner === undefined) return;
      add(owner.address, liquidity);
      if (owner.code !== null) code.set(owner.address, valueReading(owner.code));
    });
    return {
      market: { pool: found.pool },
      total: events.status === "value" ? valueReading(numberToHex(found.liquidity, { size: 32 })) : noAnswer,
      shares: [...held].map(([address, liquidity]) => ({
        address,
        held: valueReading(numberToHex(liquidity, { size: 32 })),
        code: code.get(address) ?? noAnswer,
        words: [],
      })),
      isListed: events.status === "value",
      token: positions ?? found.pool.pool,
      approvers: [],
    };
  };
}

const readOwners = (sender: Hex, manager: Hex, ids: readonly bigint[]): CallRead =>
  callLaunchProbe(sender, "ownersOf", [manager, ids], {});

/** Each with its code the first time. */
function parseOwners(
  answer: Reading<Hex>,
): Reading<readonly { readonly address: Hex; readonly code: Hex | null }[]> {
  return parseProbeAnswer(answer, (data) => {
    const [owners, codes] = decodeFunctionResult({ abi, functionName: "ownersOf", data }) as readonly [
      readonly Hex[],
      readonly Hex[],
    ];
    return owners.map((owner, index) => ({
      address: owner.toLowerCase() as Hex,
      code: owners.indexOf(owner) === index ? (codes[index] ?? "0x") : null,
    }));
  });
}
