import type { Note } from "../verdict/note.js";
import type { CodeFingerprint } from "./fingerprintBytecode.js";

export type CodeFormCode =
  | "CODE_PRESENT"
  | "NO_CODE"
  | "CODE_UNREAD"
  | "NATIVE_TOKEN_CODE"
  | "DELEGATED_ACCOUNT"
  | "MINIMAL_PROXY";

/** Notes the form of the code at an address; null where the code was not read. */
export function noteCodeForm(code: CodeFingerprint | null, isEmpty: boolean): Note<CodeFormCode>[] {
  if (isEmpty) {
    const limitation = "Without code there is nothing to check; a precompiled contract also shows none.";
    return [{ code: "NO_CODE", limitation }];
  }
  if (code === null) return [{ code: "CODE_UNREAD", limitation: "The code was not read: no node answered." }];
  if (code.form === "native_b20") {
    const limitation =
      "A native token's rules, functions and pause features are in the node, outside this check.";
    return [{ code: "NATIVE_TOKEN_CODE", limitation }];
  }
  if (code.form === "eip7702_delegation") {
    const limitation = "The account's key can redirect or remove the delegation in any transaction.";
    return [{ code: "DELEGATED_ACCOUNT", limitation }];
  }
  return code.form === "eip1167_clone"
    ? [{ code: "CODE_PRESENT" }, { code: "MINIMAL_PROXY" }]
    : [{ code: "CODE_PRESENT" }];
}
