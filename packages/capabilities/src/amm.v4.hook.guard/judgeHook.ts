import { type CodeFormCode, noteCodeForm } from "../shared/code/noteCodeForm.js";
import { type ControlCode, type ControlJudgement, judgeControl } from "../shared/control/judgeControl.js";
import { judgeProxy, type ProxyCode, type ProxyFindings } from "../shared/proxies/judgeProxy.js";
import type { Note } from "../shared/verdict/note.js";
import {
  type HookPermission,
  isCalledInSwaps,
  listHookPermissions,
  touchesLiquidity,
} from "./hookPermissions.js";
import type { HookGuardInput } from "./input.js";
import type { VaryingOpcode } from "./listVaryingOpcodes.js";
import { isDynamicFee, isNoHook } from "./poolKey.js";
import type { HookGuardReadings } from "./readings.js";

type OwnCode =
  | "NO_HOOK"
  | "HOOK_HAS_NO_CODE"
  | "HOOK_NOT_IN_SWAPS"
  | "HOOK_SETS_FEE"
  | "HOOK_STATELESS"
  | "HOOK_CAN_CHANGE"
  | "HOOK_RUNS_OTHER_CODE";
export type HookCode = OwnCode | Exclude<CodeFormCode, "NO_CODE"> | ProxyCode | ControlCode;

export interface HookFindings {
  readonly permissions: readonly HookPermission[];
  readonly form: string | null;
  readonly codeHash: string | null;
  readonly proxy: ProxyFindings | null;
  readonly control: ControlJudgement["control"] | null;
  /** Instructions by which its code can behave differently at another time; null where the code was not read. */
  readonly opcodes: readonly VaryingOpcode[] | null;
  /** Whether its code is called in swaps or sets their fee. */
  readonly isInSwaps: boolean;
}

interface HookJudgement {
  readonly notes: Note<HookCode>[];
  readonly hook: HookFindings | null;
}

/**
 * What the hook's address permits, what its code is, and who can change it. The bits of the address state when the hook
 * is called, not what it does then, so they give no verdict by themselves.
 */
export function judgeHook(input: HookGuardInput, readings: HookGuardReadings): HookJudgement {
  if (isNoHook(input) || readings.hook === null) {
    const isExpected = isNoHook(input);
    return { notes: [isExpected ? { code: "NO_HOOK" } : unreadCode], hook: null };
  }
  const { contract, opcodes } = readings.hook;
  const code = contract.code.status === "value" ? contract.code.value : null;
  const isEmpty = contract.code.status === "absent" || code?.form === "empty";
  const isOpaque = isEmpty || code?.form === "native_b20";
  const proxy = isOpaque ? null : judgeProxy(contract);
  const control = isOpaque ? null : judgeControl(contract);
  // Instructions were listed from the code at this address; for other forms, other code runs.
  const isProgram = code?.form === "contract" || code?.form === "eip1167_clone";
  const found = isProgram && opcodes.status === "value" ? opcodes.value : null;
  const isInSwaps = isCalledInSwaps(input.hooks) || isDynamicFee(input);
  return {
    notes: [
      ...(isEmpty ? [noCode] : noteProgram(noteCodeForm(code, false))),
      ...noteParts(input, found, isInSwaps, isEmpty),
      ...(proxy?.notes ?? []),
      ...(control?.notes ?? []),
    ],
    hook: {
      permissions: listHookPermissions(input.hooks),
      form: isEmpty ? "empty" : (code?.form ?? null),
      codeHash: code?.codeHash ?? null,
      proxy: proxy?.proxy ?? null,
      control: control?.control ?? null,
      opcodes: found,
      isInSwaps,
    },
  };
}

const unreadCode: Note<HookCode> = { code: "CODE_UNREAD", limitation: "The hook's code was not read." };
const noCode: Note<HookCode> = {
  code: "HOOK_HAS_NO_CODE",
  limitation: "Anyone who can create a contract at the hook's address decides what the hook will do.",
};

const stateless: Note<HookCode> = {
  code: "HOOK_STATELESS",
  limitation:
    "The hook is called in swaps, and its code can distinguish other sizes, directions and exact outputs from the swaps simulated.",
};

/** The same notes without NO_CODE: HOOK_HAS_NO_CODE replaces it. */
const noteProgram = (notes: readonly Note<CodeFormCode>[]): Note<HookCode>[] =>
  notes.flatMap(({ code, ...rest }) => (code === "NO_CODE" ? [] : [{ code, ...rest }]));

const OTHER_CODE: readonly VaryingOpcode[] = ["CALLCODE", "DELEGATECALL", "SELFDESTRUCT"];

/** How its code may behave differently from the trials, where swaps or liquidity call it. */
function noteParts(
  input: HookGuardInput,
  opcodes: readonly VaryingOpcode[] | null,
  isInSwaps: boolean,
  isEmpty: boolean,
): Note<HookCode>[] {
  const notes: Note<HookCode>[] = [];
  if (isDynamicFee(input)) notes.push({ code: "HOOK_SETS_FEE" });
  if (!isInSwaps) notes.push({ code: "HOOK_NOT_IN_SWAPS" });
  if (isEmpty) return notes;
  if (opcodes?.some((opcode) => OTHER_CODE.includes(opcode))) notes.push({ code: "HOOK_RUNS_OTHER_CODE" });
  if (opcodes?.length === 0) return isInSwaps ? [...notes, stateless] : notes;
  if (!isInSwaps && !touchesLiquidity(input.hooks)) return notes;
  const what = isInSwaps ? "swaps" : "liquidity added or taken out";
  const limitation =
    opcodes === null
      ? "Whether the hook does the same at other times is not known: its code was not read."
      : `The hook's code uses ${opcodes.join(", ")}: ${what} at other times, by other senders or after others can go otherwise than simulated.`;
  return [...notes, { code: "HOOK_CAN_CHANGE", limitation }];
}
