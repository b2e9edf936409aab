import { findRepeatedName } from "@assay/protocol/repeatedName";
import { InvalidArgumentError } from "../invalidArgumentError.js";
import type { SigningQuestion } from "../signingQuestion.js";
import { findInexactNumber, listFields, measureDepth } from "./jsonText.js";
import { classifyMethod, findGrant, type JudgedMethod } from "./methods.js";
import { type IntentFields, readIntent } from "./readIntent.js";
import { type RpcError, refusedMethod, rpcCodes, unreadable } from "./refusal.js";

/** What a request would make happen, and the one spelling in which it is forwarded. */
export interface Intent extends IntentFields {
  readonly method: JudgedMethod;
  /** All are asked; the strictest answer counts. */
  readonly questions: readonly SigningQuestion[];
  /** The request that is forwarded: written anew from what was judged, so that no node can read anything else in it. */
  readonly text: string;
}

/** One request of a body. */
export type RpcRequest =
  | { readonly kind: "pass"; readonly id: string | undefined; readonly raw: string; readonly method: string }
  | { readonly kind: "judge"; readonly id: string; readonly intent: Intent }
  | {
      readonly kind: "refuse";
      readonly id: string | undefined;
      readonly method: string | undefined;
      readonly error: RpcError;
    };

export interface ReadOptions {
  readonly methods: Readonly<Record<string, "pass" | "refuse">>;
  /** Of the site that asks, where a browser says so. */
  readonly origin?: string | undefined;
}

const names = ["jsonrpc", "id", "method", "params"];

/**
 * Some nodes read names without regard to case, also by Unicode's rules (Go's encoding/json takes ſ for s), and some parsers end a
 * name at a NUL or at half of a surrogate pair, or drop what cannot be printed.
 */
const fold = (name: string) =>
  (name.split(/[\0\p{Cs}]/u)[0] ?? "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "");

/**
 * Reads one request as every node would. What two readers could read differently is refused: a name that appears twice, or in
 * other letters, and in what is judged numbers that not every reader keeps.
 */
export async function readRequest(raw: string, options: ReadOptions): Promise<RpcRequest> {
  const refuse = (
    error: RpcError,
    id: string | undefined = undefined,
    method: string | undefined = undefined,
  ): RpcRequest => ({ kind: "refuse", id, method, error });
  if (!raw.startsWith("{")) return refuse(unreadable("a request must be an object."), "null");
  const found = listFields(raw);
  const fields = new Map(found);
  const doubtful =
    found.find(([name], index) => found.findIndex(([other]) => other === name) !== index) ??
    found.find(([name]) => !names.includes(name) && names.includes(fold(name)));
  const id = readId(fields.get("id"));
  if (doubtful)
    return refuse(
      unreadable(
        `it names ${JSON.stringify(doubtful[0].slice(0, 40))} twice or in other letters, and nodes differ on which one counts.`,
      ),
      id ?? "null",
    );
  const method: unknown = JSON.parse(fields.get("method") ?? "null");
  if (typeof method !== "string") return refuse(unreadable("method must be a text."), id ?? "null");
  const known = classifyMethod(method, options.methods);
  if (known.kind === "refuse") return refuse(refusedMethod(method, known.why), id, method);
  const grant =
    known.kind === "pass" ? findGrant(method, JSON.parse(fields.get("params") ?? "null")) : undefined;
  if (grant !== undefined) return refuse(refusedMethod(method, grant), id, method);
  if (known.kind === "pass")
    return { kind: "pass", id: fields.has("id") ? (id ?? "null") : undefined, raw, method };
  if (id === undefined)
    return refuse(unreadable("what is judged needs an id that is a text, a number or null."), "null", method);
  try {
    const params = readParams(fields.get("params"));
    const intent = await readIntent(method as JudgedMethod, params, options.origin);
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(intent.params)}}`;
    return { kind: "judge", id, intent: { ...intent, method: method as JudgedMethod, text } };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return refuse(unreadable(error.message, rpcCodes.invalidParams), id, method);
  }
}

/** As it is written; undefined where there is none, or it is an object or a list, which JSON-RPC does not know. */
const readId = (raw: string | undefined): string | undefined =>
  raw === undefined || /^[{[]/.test(raw) ? undefined : raw;

/** Far deeper than anything that is signed. */
const MAX_DEPTH = 64;

function readParams(raw = "[]"): unknown[] {
  // A reader that follows values inwards has a stack, which ends.
  if (measureDepth(raw) > MAX_DEPTH)
    throw new InvalidArgumentError(`params holds objects or lists more than ${MAX_DEPTH} deep.`);
  const params: unknown = JSON.parse(raw);
  if (!Array.isArray(params)) throw new InvalidArgumentError("params must be a list.");
  const repeated = findRepeatedName(raw);
  if (repeated !== null)
    throw new InvalidArgumentError(
      `params names ${JSON.stringify(repeated.slice(0, 40))} twice in one object.`,
    );
  const inexact = findInexactNumber(params);
  if (inexact !== undefined)
    throw new InvalidArgumentError(
      `params holds the number ${inexact}, which readers round; write it as a text.`,
    );
  return params;
}
