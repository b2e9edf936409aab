import type { CapabilityResult, Hex } from "@assay/protocol";

/** What an answer says that leaves the account, and to whom. */
export interface Effects {
  /** Sum of what has a price, in micro-dollars. */
  readonly valueMicroUsd: bigint;
  /** Whether something leaves that has no price. */
  readonly hasUnpriced: boolean;
  readonly valueWei: bigint;
  /** Those whom the answer names as getting something or as one who may take something. */
  readonly named: readonly Hex[];
  /** The same; undefined where the answer does not say all of them. */
  readonly gainers: readonly Hex[] | undefined;
}

interface Flow {
  readonly kind?: unknown;
  readonly amount?: unknown;
  readonly usd?: unknown;
  readonly to?: unknown;
}

/** An answer names at most this many who gain by one asset. */
const MOST_NAMED = 4;

/** Reads the findings of a guard, which are verified by then; undefined where nothing was run. */
export function readEffects({ result }: Pick<CapabilityResult, "result">): Effects | undefined {
  const { findings } = result.evidence as {
    findings?: { effects?: unknown; run?: { effects?: unknown } | null };
  };
  const effects = findings?.effects ?? findings?.run?.effects;
  if (typeof effects !== "object" || effects === null) return undefined;
  const { leaves, permissions, accounts, source } = effects as Record<string, unknown>;
  if (!Array.isArray(leaves) || !Array.isArray(permissions) || !Array.isArray(accounts)) return undefined;
  const flows = leaves as Flow[];
  const prices = flows.map(({ usd }) => readUsd(usd));
  const isWhole =
    source !== "calldata" &&
    flows.every(({ to }) => Array.isArray(to) && to.length > 0 && to.length < MOST_NAMED);
  const spenders = permissions.flatMap(({ spender, isRevocation }) =>
    isRevocation === true ? [] : [spender],
  );
  const parties = [...flows.flatMap(({ to }) => (Array.isArray(to) ? to : [])), ...spenders] as Hex[];
  const named = parties.filter((party) => !accounts.includes(party));
  return {
    valueMicroUsd: prices.reduce<bigint>((sum, price) => sum + (price ?? 0n), 0n),
    hasUnpriced: prices.includes(undefined),
    valueWei: flows.reduce(
      (sum, { kind, amount }) => (kind === "native" ? sum + BigInt(String(amount)) : sum),
      0n,
    ),
    named,
    gainers: isWhole ? named : undefined,
  };
}

/** "$12.34" */
function readUsd(text: unknown): bigint | undefined {
  const [, dollars, cents] = /^\$(\d+)\.(\d{2})$/.exec(typeof text === "string" ? text : "") ?? [];
  return dollars === undefined ? undefined : BigInt(`${dollars}${cents}`) * 10_000n;
}
