import { type AgentActionName, actionHeaderSchemas, actionHeaders, type ErrorCode } from "@assay/protocol";
import type { Operation } from "./operation.js";

/** The headers of a signed route. */
const signedHeaders = Object.fromEntries(
  Object.entries(actionHeaderSchemas).map(([name, schema]) => [
    actionHeaders[name as keyof typeof actionHeaders],
    schema,
  ]),
);

const signedProblems = [
  "invalid_input",
  "invalid_json",
  "body_too_large",
  "unsupported_media_type",
  "action_unsigned",
  "action_wallet_mismatch",
  "action_out_of_time",
  "action_signature_invalid",
  "action_nonce_used",
  "rate_limited",
  "chain_unavailable",
  "database_unavailable",
] as const satisfies readonly ErrorCode[];

/** The parts that all signed operations have in common; `problems` are an operation's own. */
export function signedOperation(
  action: AgentActionName,
  resource: string,
  problems: readonly ErrorCode[],
): Pick<Operation, "method" | "headers" | "signs" | "noStore" | "problems"> {
  return {
    method: "post",
    headers: signedHeaders,
    signs: { action, resource },
    noStore: true,
    problems: [...signedProblems, ...problems],
  };
}
