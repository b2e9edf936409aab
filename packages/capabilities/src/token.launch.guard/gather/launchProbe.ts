import { createRequire } from "node:module";
import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import {
  type Abi,
  type AbiParameter,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeDeployData,
  getContractAddress,
} from "viem";
import {
  callLaunchProbe,
  launchProbe,
  PROBE_GAS,
  TRADER_BALANCE,
} from "../../shared/pools/gather/findPools.js";
import type { LaunchVenues } from "../../shared/pools/launchVenues.js";
import type { DeepPool } from "../../shared/pools/rankPools.js";
import { parseProbeAnswer } from "../../shared/simulation/gather/parseProbeAnswer.js";
import type { LaunchExercise } from "../readings.js";
import type { LaunchLeg, LaunchRun } from "../tradeReadings.js";

const load = createRequire(import.meta.url);
const { abi, deployedBytecode } = launchProbe;
const visitor = load("@assay/contracts/out/LaunchVisitor.json") as {
  readonly abi: Abi;
  readonly bytecode: Hex;
};

/** One in ten thousand and one in a hundred of what the pool holds. */
export const SHARES_BPS = [1, 100] as const;

export interface Trial {
  readonly selector: Hex;
  /** Tried in this order until one is accepted. */
  readonly calls: readonly Hex[];
}

export interface Market {
  readonly venues: LaunchVenues;
  readonly token: Hex;
  readonly pool: DeepPool;
}

function encodeMarket({ venues, token, pool }: Market) {
  const { weth, classic, concentrated, fundingFee } = venues;
  const isConcentrated = pool.kind === "concentrated";
  return {
    isConcentrated,
    pool: pool.pool,
    router: isConcentrated ? concentrated.router : classic.router,
    quoter: concentrated.quoter,
    token,
    quote: pool.quote,
    fee: pool.fee,
    weth,
    fundingRouter: concentrated.router,
    fundingFee,
  };
}

/** Buys, transfers, approves and sells, once for each share of the pool and each time from the same state. */
export function readTrades(market: Market, sender: Hex, friend: Hex): CallRead {
  return callLaunchProbe(sender, "trade", [encodeMarket(market), SHARES_BPS, friend], {});
}

export function parseTrades(answer: Reading<Hex>): Reading<LaunchRun[]> {
  return parseProbeAnswer(answer, (data) => {
    const runs = decodeFunctionResult({ abi, functionName: "trade", data }) as readonly Hex[];
    return SHARES_BPS.map((shareBps, index) => {
      const run = runs[index] ?? "0x";
      return { shareBps, legs: run === "0x" ? null : decodeLegs(run) };
    });
  });
}

/**
 * The same for one share, by a contract under construction: like an ordinary account it has no code at its address, but it
 * is not the origin of the transaction. A token must let both senders trade.
 */
export function readVisit(market: Market, creator: Hex, friend: Hex, shareBps: number): CallRead {
  const args = [encodeMarket(market), BigInt(shareBps), friend];
  return {
    kind: "call",
    from: creator,
    to: null,
    data: encodeDeployData({ abi: visitor.abi, bytecode: visitor.bytecode, args }),
    value: TRADER_BALANCE,
    gas: PROBE_GAS,
    // Twice as much, because some nodes charge for the gas.
    overrides: { [creator]: { balance: TRADER_BALANCE * 2n } },
  };
}

/** The address of a fresh account's first contract. */
export const nameVisitor = (creator: Hex): Hex =>
  getContractAddress({ from: creator, nonce: 0n }).toLowerCase() as Hex;

export function parseVisits(answers: readonly Reading<Hex>[]): Reading<LaunchRun[]> {
  const runs = SHARES_BPS.map((shareBps, index) => {
    const answer = answers[index] ?? noAnswer;
    // Out of gas: the trade ran and did not finish.
    if (answer.status === "reverted") return valueReading({ shareBps, legs: null });
    return parseProbeAnswer(answer, (data): LaunchRun => ({ shareBps, legs: decodeLegs(data) }));
  });
  const unread = runs.find((run) => run.status !== "value");
  if (unread) return unread as Reading<never>;
  return valueReading(runs.flatMap((run) => (run.status === "value" ? [run.value] : [])));
}

/** Buys, then has `caller` act and sells, for each trial from the same state. */
export function readExercise(market: Market, trader: Hex, caller: Hex, trials: readonly Trial[]): CallRead {
  const encoded = trials.map(({ calls }) => ({ caller, calls }));
  const args = [encodeMarket(market), SHARES_BPS[1], encoded];
  return callLaunchProbe(trader, "exercise", args, { [caller]: { code: deployedBytecode } });
}

interface RawLeg {
  readonly success: boolean;
  readonly sent: bigint;
  readonly reached: bigint;
  readonly quoted: bigint;
  readonly received: bigint;
  readonly refusal: Hex;
}

interface RawTrial {
  readonly isTried: boolean;
  readonly isAccepted: boolean;
  readonly index: bigint;
  readonly sale: RawLeg;
}

export function parseExercise(trials: readonly Trial[], answer: Reading<Hex>): Reading<LaunchExercise> {
  return parseProbeAnswer(answer, (data) => {
    const [bought, plainSale, outcomes] = decodeFunctionResult({
      abi,
      functionName: "exercise",
      data,
    }) as readonly [RawLeg, RawLeg, readonly RawTrial[]];
    const paired = trials.map((trial, index) => ({ trial, outcome: outcomes[index] as RawTrial }));
    // Most trials change nothing, and then the sale need not be recorded again.
    const isSameSale = ({ sale }: RawTrial) =>
      JSON.stringify(toLeg(sale)) === JSON.stringify(toLeg(plainSale));
    const selectorsOf = (matches: (outcome: RawTrial) => boolean) => [
      ...new Set(paired.filter(({ outcome }) => matches(outcome)).map(({ trial }) => trial.selector)),
    ];
    return {
      bought: toLeg(bought),
      plainSale: toLeg(plainSale),
      accepted: paired
        .filter(({ outcome }) => outcome.isAccepted && !isSameSale(outcome))
        .map(({ trial, outcome }) => ({
          data: trial.calls[Number(outcome.index)] as Hex,
          sale: toLeg(outcome.sale),
        })),
      unchanged: selectorsOf((outcome) => outcome.isAccepted && isSameSale(outcome)),
      refused: selectorsOf(({ isTried, isAccepted }) => isTried && !isAccepted),
      untried: selectorsOf(({ isTried }) => !isTried),
    };
  });
}

const legParameter = abi.flatMap((item): AbiParameter[] =>
  item.type === "function" && item.name === "exercise" ? [...item.outputs] : [],
)[0] as AbiParameter;

function decodeLegs(run: Hex): LaunchLeg[] {
  const [legs] = decodeAbiParameters([{ ...legParameter, type: "tuple[]" }], run);
  return (legs as unknown as readonly RawLeg[]).map(toLeg);
}

const toLeg = ({ success, sent, reached, quoted, received, refusal }: RawLeg): LaunchLeg => ({
  success,
  sent: sent.toString(),
  reached: reached.toString(),
  quoted: quoted.toString(),
  received: received.toString(),
  refusal: success ? "0x" : refusal,
});
