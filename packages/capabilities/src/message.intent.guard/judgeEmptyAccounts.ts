import type { Hex } from "@assay/protocol";
import type { DecodedCall } from "../shared/intents/decodeCalls.js";
import type { IntentCase } from "../shared/intents/intentCase.js";
import type { SignedRun } from "./meaning.js";
import type { Notes } from "./messageCase.js";

/** Calls of tokens that move or give something, wherever they stand: the selector, then an address in a word. */
const MOVES = /(?:a9059cbb|095ea7b3|23b872dd|42842e0e|b88d4fde|a22cb465|39509351)0{24}[0-9a-f]{40}/;

/**
 * A call with data to an address without code runs to its end and does nothing. A key's account can have code tomorrow
 * (EIP-7702), and then the same data does what it says: such a run shows nothing.
 */
export function judgeDataToNoCode(signed: SignedRun, run: IntentCase, made: Hex | null): Notes {
  const { judged, steps } = signed;
  const calls = run.calls.filter((one) => !(signed.isWrittenAsBatch && one === run.decoded.call));
  const empty = calls.filter((one) => hasData(run, one) && one.to !== made && isEmpty(run, one.to));
  if (empty.length === 0) return [];
  const isOwn = empty.some(({ to }) => to === judged.from);
  if (!isOwn) return [{ code: "CALLDATA_TO_NO_CODE" }];
  const isDecoded = run.decoded.undecodedBytes === 0 && run.listed.unknownCalls.length === 0;
  if (isDecoded) return [{ code: "ACCOUNT_WITHOUT_CODE", limitation: NOT_RUN }];
  const hidesMove = steps.some(({ to, data }) => to === judged.from && MOVES.test(data));
  return [
    {
      code: hidesMove ? "ACCOUNT_CALL_HIDES_TRANSFER" : "ACCOUNT_CALL_UNKNOWN",
      limitation: NOT_RUN,
    },
  ];
}

const NOT_RUN =
  "The account has no code now, so its calldata was read and not run: what it does depends on the code that the account gets.";

const hasData = ({ input, decoded }: IntentCase, call: DecodedCall): boolean =>
  call.selector !== null || call.undecodedBytes > 0 || (call === decoded.call && input.data !== "0x");

const isEmpty = (run: IntentCase, address: Hex): boolean => {
  const code = run.viewParty(address).reading?.code;
  return code?.status === "absent" || (code?.status === "value" && code.value.form === "empty");
};
