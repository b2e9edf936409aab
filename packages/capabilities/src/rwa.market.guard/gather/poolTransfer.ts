import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";
import type { GatherContext } from "../../gathering.js";
import { rankPools } from "../../shared/pools/rankPools.js";
import type { Batch } from "../../shared/reads/gather/createBatch.js";
import { parseProbeAnswer } from "../../shared/simulation/gather/parseProbeAnswer.js";
import { gasPriceAt, priceRead } from "../../shared/simulation/gather/simulatedFees.js";
import {
  decodeSimulation,
  readSimulation,
  type SimulationOutcome,
} from "../../shared/simulation/gather/simulationRunner.js";
import type { RwaMarketReadings } from "../readings.js";
import { encodeAsset } from "./assetCalls.js";
import type { Question, TokenReadings } from "./readToken.js";

type PoolTransfer = NonNullable<RwaMarketReadings["poolTransfer"]>;

/** More than a transfer with compliance checks needs, and a bound on the gas that a hostile token may burn. */
const TRANSFER_GAS = 3_000_000;
/** A thousandth of the pool's holding: too little to reach a limit on transfers. */
const PART = 1_000n;
const FALSE = `0x${"0".repeat(64)}`;

/** What a buyer would experience: the deepest pool transfers a little of the token to a fresh account, measured. */
export function askPoolTransfer(
  batch: Batch,
  context: GatherContext,
  { address, strangers, token }: Question & { readonly token: TokenReadings },
): () => PoolTransfer | null {
  const { pools } = token;
  const [deepest] = pools.status === "value" ? rankPools(pools.value, context.launchVenues.weth) : [];
  const held = BigInt(deepest?.tokenBalance ?? 0);
  if (deepest === undefined || held === 0n) return () => null;
  const amount = held / PART || 1n;
  const simulation = readSimulation({
    sender: deepest.pool,
    steps: [{ to: address, value: 0n, data: encodeAsset("transfer", [strangers.to, amount]) }],
    accounts: [],
    probes: [{ target: address, data: encodeAsset("balanceOf", [strangers.to]) }],
    gas: TRANSFER_GAS,
  });
  const answer = batch.ask(priceRead(simulation, gasPriceAt(context.block), { heldWei: 0n }));
  return () => ({
    pool: deepest.pool,
    amount: amount.toString(),
    outcome: readOutcome(answer()),
  });
}

function readOutcome(given: Reading<Hex>): PoolTransfer["outcome"] {
  const measured = parseProbeAnswer(given, decodeSimulation);
  if (measured.status !== "value") return measured;
  const [before, after] = measured.value;
  return before && after ? compare(before, after) : unanswered("malformed_answer");
}

function compare(before: SimulationOutcome, after: SimulationOutcome): PoolTransfer["outcome"] {
  const [heldBefore, heldAfter] = [before.words[0], after.words[0]];
  if (heldBefore == null || heldAfter == null) return unanswered("balance_unread");
  return valueReading({
    success: after.success && after.returned !== FALSE,
    arrived: (heldAfter > heldBefore ? heldAfter - heldBefore : 0n).toString(),
  });
}
