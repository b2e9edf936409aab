import { type DecodedSwap, decodeSwap } from "../shared/swaps/decodeSwap.js";
import { describeJudgement, describeSwap } from "../shared/swaps/describeSwap.js";
import { judgeSwap } from "../shared/swaps/judgeSwap.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import type { SwapGuardInput } from "./input.js";
import { judgeBought } from "./judgeBought.js";
import { judgeExecution } from "./judgeExecution.js";
import { judgeParties } from "./judgeParties.js";
import type { SwapGuardReadings } from "./readings.js";
import { type CodeCode, type SwapGuardCode, swapGuardReasons } from "./reasons.js";

const ALWAYS = [
  "Simulated on the state of the stated block, alone; the transactions before it in its own block are not known.",
  "It does not inspect pending transactions, choose a route, protect against MEV, predict inclusion or guarantee execution.",
  "Routers are known by the addresses in the service's settings, and pools by what the calldata names; their code is not judged.",
  "What was bought is sold back once, in half the least amount and from an address that has code while it runs; other sellers, sizes and times are tried as token.launch.guard tries them.",
  "Price impact is measured against a hundredth of the same swap through the same pools; the market is the best of Uniswap V2 and V3, Aerodrome and Slipstream, directly or over wrapped ether or USDC.",
  "State proofs cover the code of the router and of both tokens; simulated results are calls, as the node gave them.",
];

/** Judges a prepared swap by its calldata and by what it does when simulated. Throws for one that cannot be decoded. */
export function evaluateSwapGuard(input: SwapGuardInput, readings: SwapGuardReadings) {
  const swap = getSwap(input, readings);
  const judged = judgeSwap(swap, input, readings);
  const execution = judgeExecution(swap, input.value, readings, judged.measured);
  const bought = judgeBought(swap.tokenOut, readings.bought);
  const notes: Note<SwapGuardCode>[] = [
    ...noteCodes(readings),
    ...execution.notes,
    // A sale that has to wait a little cannot be made together with the purchase.
    ...judged.notes.filter(({ code }) => !(bought.isPatient && code === "BOUGHT_TOKEN_NOT_SELLABLE")),
    ...bought.notes,
    ...judgeParties(swap, readings),
  ];
  return {
    verdict: worstVerdict(notes, swapGuardReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    summary: `${swap.functionName} on ${input.to}: ${decidingSentences(notes, swapGuardReasons)}`,
    findings: {
      swap: describeSwap(swap),
      succeeds: execution.succeeds,
      revert: execution.revert,
      gasEstimate: readings.gasEstimate.status === "value" ? readings.gasEstimate.value : null,
      ...describeJudgement(judged),
      bought: bought.bought,
      routerCodeHash: readings.codes.router.status === "value" ? readings.codes.router.value.codeHash : null,
    },
    limitations: unique([
      ...ALWAYS,
      ...judged.limitations,
      ...bought.limitations,
      ...notes.flatMap((note) => note.limitation ?? []),
    ]),
  } satisfies Evaluation;
}

function getSwap(input: SwapGuardInput, { router }: SwapGuardReadings): DecodedSwap {
  const decoded = decodeSwap(input, [router]);
  if ("unsupported" in decoded)
    throw new RangeError(`${decoded.unsupported.field} ${decoded.unsupported.rule}`);
  return decoded.swap;
}

function noteCodes({ codes }: SwapGuardReadings): Note<CodeCode>[] {
  return Object.entries(codes).flatMap(([name, code]): Note<CodeCode>[] => {
    const what = { router: "router", tokenIn: "input token", tokenOut: "output token" }[name];
    if (code.status === "unanswered" || code.status === "reverted")
      return [{ code: "CODE_UNREAD", limitation: `The code of the ${what} was not read: no node answered.` }];
    if (code.status === "value" && code.value.form !== "empty") return [];
    return [{ code: name === "router" ? "ROUTER_HAS_NO_CODE" : "TOKEN_HAS_NO_CODE" }];
  });
}
