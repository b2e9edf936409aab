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
import type { TellingOpcode } from "./listTellingOpcodes.js";
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
  /** What in its code lets it do otherwise at another time; null where the code was not read. */
  readonly opcodes: readonly TellingOpcode[] | null;
  /** Whether its code is called in swaps or sets their fee. */
  readonly isInSwaps: boolean;
}

interface HookJudgement {
  readonly notes: Note<HookCode>[];
  readonly hook: HookFindings | null;
}

/**
 * What the hook may do by its address, what its code is, and who can change it. The bits say when it is called, never what
 * it does then: they give no verdict by themselves.
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
  // Code that stands elsewhere, or in the node, is not what was looked through.
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
  limitation: "Whoever can create a contract at the hook's address decides what the hook will do.",
};

const stateless: Note<HookCode> = {
  code: "HOOK_STATELESS",
  limitation:
    "The hook is called in swaps, and its code can tell other sizes, directions and exact outputs from the swaps simulated.",
};

/** The same notes without the one that speaks of no code, which a hook has words of its own for. */
const noteProgram = (notes: readonly Note<CodeFormCode>[]): Note<HookCode>[] =>
  notes.flatMap(({ code, ...rest }) => (code === "NO_CODE" ? [] : [{ code, ...rest }]));

const OTHER_CODE: readonly TellingOpcode[] = ["CALLCODE", "DELEGATECALL", "SELFDESTRUCT"];

/** What its code may do otherwise than was tried, where a swap or liquidity comes past it. */
function noteParts(
  input: HookGuardInput,
  opcodes: readonly TellingOpcode[] | null,
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
