import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionResult, numberToHex } from "viem";
import { callLaunchProbe, launchProbe } from "../../pools/gather/findPools.js";
import type { V4Pool } from "../../pools/gather/findV4Pools.js";
import { worthOf } from "../../pools/gather/v4Positions.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import type { FoundLiquidity } from "./planLiquidity.js";

const { abi } = launchProbe;
/** Of the holders of a pool's liquidity, those that are asked about. */
const MAX_HOLDERS = 24;

/** Who holds the liquidity of a V4 pool: the owners of positions, and contracts that called the manager themselves. */
export function planV4Liquidity(
  batch: Batch,
  found: V4Pool,
  positions: Hex | undefined,
  sender: Hex,
): () => FoundLiquidity {
  // A position out of range is the market as soon as the price gets there.
  const all = (found.positions ?? [])
    .map((position) => ({ ...position, worth: worthOf(position, found.state) }))
    .sort((left, right) => (left.worth < right.worth ? 1 : -1));
  const ranges = all.slice(0, MAX_HOLDERS);
  const total = all.reduce((sum, { worth }) => sum + worth, 0n);
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
    const add = (address: Hex, worth: bigint) => held.set(address, (held.get(address) ?? 0n) + worth);
    for (const { holder, worth } of ranges) if (holder !== positions) add(holder, worth);
    owned.forEach(({ worth }, index) => {
      const owner = named?.status === "value" ? named.value[index] : undefined;
      if (owner === undefined) return;
      add(owner.address, worth);
      if (owner.code !== null) code.set(owner.address, valueReading(owner.code));
    });
    return {
      market: { pool: found.pool },
      total: found.positions === null ? noAnswer : valueReading(numberToHex(total, { size: 32 })),
      shares: [...held].map(([address, worth]) => ({
        address,
        held: valueReading(numberToHex(worth, { size: 32 })),
        code: code.get(address) ?? noAnswer,
        words: [],
      })),
      isListed: found.positions !== null,
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
