import { BASE_USDC } from "@assay/protocol/baseAddresses";
import { isUnlimited } from "./formatAmount.js";
import { type Found, openFound } from "./found.js";

/** What a transaction or a message would take, in dollars. */
export interface Loss {
  readonly microUsd: bigint;
  /** False where something that it would take has no known price: it is at least this much. */
  readonly isWhole: boolean;
}

const DOLLAR = BASE_USDC.toLowerCase();
/** Cents, as answers state values. */
const MICRO_PER_CENT = 10_000n;

/**
 * What would leave without coming back, and what others could take by permission afterwards, by the values that the answer's
 * findings state. Null where the answer is about neither, or where nothing of it has a price.
 */
export function findLoss(evidence: unknown): Loss | null {
  const findings = openFound(evidence).at("findings");
  const scenes = [findings, findings.at("run")].filter((one) => one.at("effects").value !== undefined);
  const losses = scenes.map(lossOf);
  const microUsd = losses.reduce((sum, loss) => sum + loss.microUsd, 0n);
  if (microUsd === 0n) return null;
  return { microUsd, isWhole: losses.every(({ isWhole }) => isWhole) };
}

function lossOf(scene: Found): Loss {
  const effects = scene.at("effects");
  const leaves = effects.at("leaves").list().map(readUsd);
  const returns = effects.at("returns").list().map(readUsd);
  const permitted = effects
    .at("permissions")
    .list()
    .map((one) => permissionValue(one, scene.at("measured")));
  const sum = (values: readonly (bigint | undefined)[]) =>
    values.reduce<bigint>((total, value) => total + (value ?? 0n), 0n);
  const lost = sum(leaves) - sum(returns);
  return {
    microUsd: (lost > 0n ? lost : 0n) + sum(permitted),
    isWhole: [...leaves, ...returns, ...permitted].every((value) => value !== undefined),
  };
}

function readUsd(flow: Found): bigint | undefined {
  const [, dollars, cents] = /^\$(\d{1,18})\.(\d\d)$/.exec(flow.at("usd").text() ?? "") ?? [];
  return dollars === undefined ? undefined : BigInt(`${dollars}${cents}`) * MICRO_PER_CENT;
}

/** Only a dollar token says by itself what an allowance is worth; one without a limit is worth what the owner holds. */
function permissionValue(one: Found, measured: Found): bigint | undefined {
  if (one.at("isRevocation").flag() === true) return 0n;
  if (one.at("token").text()?.toLowerCase() !== DOLLAR) return undefined;
  const owner = one.at("owner").text();
  const held = measured
    .at("balances")
    .list()
    .find((row) => row.at("holder").text() === owner && row.at("token").text()?.toLowerCase() === DOLLAR)
    ?.at("before")
    .whole();
  const amount = one.at("amount").whole();
  const isLimited = amount !== undefined && !isUnlimited(amount);
  if (held === undefined) return isLimited ? amount : undefined;
  return isLimited && amount < held ? amount : held;
}
