import { type CapabilityInput, type Hex, type Reading, unanswered } from "@assay/protocol";
import {
  type LendingCollateralReadings,
  type MarketParams,
  MORPHO,
  morphoAbi,
  TRANSACTION_GAS_CAP,
} from "@assay/rules";
import { encodeFunctionData, erc20Abi } from "viem";
import type { CallRead } from "../../chain/types.js";
import { cutAnswer } from "../cutAnswer.js";
import { parseSimulation, readSimulation, type SimulationOutcome } from "../simulationRunner.js";

type Input = CapabilityInput<"lending.collateral.guard">;
type BorrowReadings = NonNullable<LendingCollateralReadings["market"]>["borrow"];

/** A reason in words fits; what a contract returns beyond says nothing further. */
const MAX_CALL_ANSWER = 1024;
/** Six words of a market; a seventh shows that there was more. */
const MAX_VIEW_ANSWER = 32 * 7;
const missing: Reading<never> = unanswered("no_answer");

/** What makes the borrow, and what the answers, in the order of the questions, tell. */
export interface BorrowRuns {
  readonly reads: readonly [call: CallRead, simulation: CallRead];
  parse(call: Reading<Hex> | undefined, simulation: Reading<Hex> | undefined): BorrowReadings;
}

/** The borrow as the user would send it, and once more by the runner, which looks at the market and the position after it. */
export function planBorrowRuns(input: Input, params: MarketParams): BorrowRuns {
  const { userAddress: user, marketId, borrowAmountWei, loanToken } = input;
  const borrow = encodeFunctionData({
    abi: morphoAbi,
    functionName: "borrow",
    args: [params, BigInt(borrowAmountWei), 0n, user, user],
  });
  const market = encodeFunctionData({ abi: morphoAbi, functionName: "market", args: [marketId] });
  const position = encodeFunctionData({ abi: morphoAbi, functionName: "position", args: [marketId, user] });
  const held = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [user] });
  const simulation = readSimulation({
    sender: user,
    steps: [borrow, market, position].map((data) => ({ to: MORPHO, value: 0n, data })),
    accounts: [],
    probes: [{ target: loanToken, data: held }],
    gas: TRANSACTION_GAS_CAP,
  });
  return {
    reads: [{ kind: "call", from: user, to: MORPHO, data: borrow, gas: TRANSACTION_GAS_CAP }, simulation],
    parse: (call, simulated) => ({
      call: cutAnswer(call, MAX_CALL_ANSWER),
      // The runner stands where the user is: Morpho as its own user would be the runner.
      simulation: user === MORPHO ? unanswered("sender_is_target") : describeSimulation(simulated),
    }),
  };
}

/** What cannot be parsed was not the runner's answer: the node ignored the override. */
function describeSimulation(answer: Reading<Hex> = missing): BorrowReadings["simulation"] {
  if (answer.status !== "value") return cutAnswer(answer, MAX_CALL_ANSWER) as BorrowReadings["simulation"];
  let outcomes: Reading<readonly SimulationOutcome[]>;
  try {
    outcomes = parseSimulation(answer);
  } catch {
    return unanswered("malformed_answer");
  }
  const [before, borrowed, market, position] = outcomes.status === "value" ? outcomes.value : [];
  if (!before || !borrowed || !market || !position) return unanswered("malformed_answer");
  const wordOf = ({ words }: SimulationOutcome) => words[0]?.toString() ?? null;
  const cut = ({ returned }: SimulationOutcome, bytes: number) => returned.slice(0, 2 + bytes * 2) as Hex;
  return {
    status: "value",
    value: {
      success: borrowed.success,
      returned: cut(borrowed, MAX_CALL_ANSWER),
      heldBefore: wordOf(before),
      heldAfter: wordOf(borrowed),
      market: cut(market, MAX_VIEW_ANSWER),
      position: cut(position, MAX_VIEW_ANSWER),
    },
  };
}
