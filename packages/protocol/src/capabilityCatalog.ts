import { type CapabilityId, capabilityInputs } from "./capabilityInputs.js";
import type { CacheStatus } from "./primitives.js";

export interface CapabilityPrices {
  readonly hitMicroUsd: bigint;
  readonly partialMicroUsd: bigint;
  readonly missMicroUsd: bigint;
}

export interface CapabilitySpec {
  readonly id: CapabilityId;
  readonly version: string;
  readonly status: "active" | "candidate";
  readonly reuse: "shared" | "private";
  readonly ttlSeconds: number;
  readonly method: "GET" | "POST";
  readonly prices: CapabilityPrices;
  readonly summary: string;
}

/** No call costs less: facilitators refuse smaller settlements. */
export const MINIMUM_PRICE_MICRO_USD = 1_000n;

type Row = [
  status: "active" | "candidate",
  reuse: "shared" | "private",
  ttlSeconds: number,
  microUsd: [hit: bigint, partial: bigint, miss: bigint],
  summary: string,
];

const rows: Record<CapabilityId, Row> = {
  "contract.guard": [
    "active",
    "shared",
    10,
    [20_000n, 50_000n, 100_000n],
    "Is this address code, what form of code, who can change it, and is it paused: fingerprint plus fresh proxy and pause readings.",
  ],
  "transaction.intent.guard": [
    "active",
    "private",
    30,
    [250_000n, 250_000n, 250_000n],
    "What an unsigned transaction would do: intent, simulation, balance and allowance changes, dangerous approvals and upgrades.",
  ],
  "amm.swap.guard": [
    "active",
    "private",
    4,
    [250_000n, 250_000n, 250_000n],
    "Whether a prepared router swap executes now, and how its encoded limit compares with the simulated outcome.",
  ],
  "contract.change": [
    "active",
    "shared",
    10,
    [10_000n, 20_000n, 20_000n],
    "What changed at an address since the last observation: code, implementation, admin, beacon, pause.",
  ],
  "token.metadata": [
    "active",
    "shared",
    10,
    [10_000n, 20_000n, 30_000n],
    "Name, symbol, decimals and total supply as the token reports them, with look-alike warnings.",
  ],
  "contract.interface": [
    "active",
    "shared",
    604_800,
    [10_000n, 20_000n, 20_000n],
    "Which token standards and proxy controls a contract appears to implement.",
  ],
  "chain.snapshot": [
    "active",
    "shared",
    4,
    [2_000n, 5_000n, 5_000n],
    "Latest block, its time and base fee, and suggested EIP-1559 fees.",
  ],
  "token.launch.guard": [
    "active",
    "shared",
    12,
    [20_000n, 40_000n, 70_000n],
    "Whether a freshly launched token can be bought and sold, at what tax, and which owner powers remain.",
  ],
  "evidence.artifact": [
    "active",
    "private",
    60,
    [10_000n, 10_000n, 30_000n],
    "Where a shared artifact came from and how to recompute it; an expired one is recomputed in place.",
  ],
  "web.compile": [
    "active",
    "shared",
    3600,
    [20_000n, 30_000n, 30_000n],
    "A public page as bounded Markdown with citations that can be checked against its bytes; with `claim`, whether its wording says so.",
  ],
  "obligation.verdict": [
    "candidate",
    "private",
    1,
    [1_000n, 1_000n, 1_000n],
    "The recomputed verdict on a published obligation, with everything needed to reach it independently.",
  ],
  "amm.v4.hook.guard": [
    "candidate",
    "shared",
    60,
    [150_000n, 150_000n, 540_000n],
    "What a v4 pool's hook may do, and what a simulated round trip through it costs.",
  ],
  "rwa.market.guard": [
    "candidate",
    "shared",
    60,
    [150_000n, 150_000n, 500_000n],
    "Transfer restrictions, freeze and seizure powers, issuer and price-feed health of a tokenized asset.",
  ],
  "lending.collateral.guard": [
    "candidate",
    "private",
    30,
    [750_000n, 750_000n, 750_000n],
    "Health of a borrow in an isolated lending market before it is taken, and after price falls.",
  ],
  "trade.execution.notarize": [
    "candidate",
    "shared",
    604_800,
    [10_000n, 10_000n, 50_000n],
    "What a mined transaction did, proven from its receipt to the block hash.",
  ],
  "prediction.evidence": [
    "candidate",
    "shared",
    1800,
    [10_000n, 20_000n, 50_000n],
    "What is known, unknown and who decides about a prediction market, without asserting an outcome.",
  ],
};

const POSTED: ReadonlySet<CapabilityId> = new Set(["transaction.intent.guard", "amm.swap.guard"]);

/** All sixteen capabilities in catalog order, with the contract's default prices. */
export const capabilityCatalog: readonly CapabilitySpec[] = (
  Object.keys(capabilityInputs) as CapabilityId[]
).map((id) => {
  const [status, reuse, ttlSeconds, [hitMicroUsd, partialMicroUsd, missMicroUsd], summary] = rows[id];
  return {
    id,
    version: id === "contract.interface" ? "1.1.0" : "1.0.0",
    status,
    reuse,
    ttlSeconds,
    method: POSTED.has(id) ? "POST" : "GET",
    prices: { hitMicroUsd, partialMicroUsd, missMicroUsd },
    summary,
  };
});

/** Whether the invoke route must be told the wallet that will pay, in the query and beside the input. */
export const asksForWallet = (id: string): boolean => id === "web.compile";

const specsById = new Map(capabilityCatalog.map((spec) => [spec.id as string, spec]));

export function findCapabilitySpec(id: string): CapabilitySpec | undefined {
  return specsById.get(id);
}

export function getCapabilitySpec(id: CapabilityId): CapabilitySpec {
  const spec = specsById.get(id);
  if (!spec) throw new RangeError(`no capability ${id}`);
  return spec;
}

export function priceFor(prices: CapabilityPrices, status: CacheStatus): bigint {
  return status === "hit"
    ? prices.hitMicroUsd
    : status === "partial"
      ? prices.partialMicroUsd
      : prices.missMicroUsd;
}

/** Deprecated name of `transaction.intent.guard`, kept as a GET route and a quote alias. */
export const TX_PREFLIGHT = "tx.preflight";

/** Asked for, not built: nothing answers 402 for these names. */
export const proposedCapabilities = [
  {
    pledgeAs: "solana.program.change",
    title: "Program changes on Solana",
    wouldAnswer: "Whether a Solana program's code or upgrade authority changed between two observations.",
    gap: "Only one EVM chain is read today.",
    buildCost: "A second chain adapter with its own finality and account model.",
    status: "unbuilt",
  },
  {
    pledgeAs: "solana.token.mint.change",
    title: "Mint authority changes on Solana",
    wouldAnswer: "Whether a mint's authority, freeze authority or supply changed between two observations.",
    gap: "Only one EVM chain is read today.",
    buildCost: "A second chain adapter and the token program's account layouts.",
    status: "unbuilt",
  },
  {
    pledgeAs: "evm.contract.change.multichain",
    title: "Contract changes on several EVM chains",
    wouldAnswer:
      "Whether contracts deployed at one address on several chains still hold the same code and control slots.",
    gap: "Verdicts are limited to one chain id.",
    buildCost: "Nodes, finality rules and block-time measurement for each further chain.",
    status: "unbuilt",
  },
  {
    pledgeAs: "amm.pool.state",
    title: "Pool state",
    wouldAnswer: "Reserves, price, fee and depth of a pool at one block, with proofs.",
    gap: "Swap guards read pools but sell no pool reading of their own.",
    buildCost: "Readings for each pool family and their storage proofs.",
    status: "unbuilt",
  },
] as const;
