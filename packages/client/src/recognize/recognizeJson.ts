import { findRepeatedName } from "@assay/protocol/repeatedName";
import { askAuthorization, askCalls, askOperation, askTypedData } from "./askMessageGuard.js";
import { describeWrongChecksum, findWrongChecksum } from "./findWrongChecksum.js";
import { nothing, type PasteContext, type ReadAgain, type Recognized, unknown } from "./recognized.js";
import { recognizeAddress } from "./recognizeHex.js";
import { recognizeRequest } from "./recognizeRequest.js";
import { type JsonRecord, recognizeTransaction } from "./recognizeTransaction.js";

/** A JSON text: a request, something to sign, or a transaction. */
export function recognizeJson(text: string, context: PasteContext, again: ReadAgain): Recognized {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (!text.endsWith(text.startsWith("{") ? "}" : text.startsWith("[") ? "]" : '"'))
      return unknown("It begins like JSON and ends in the middle: copy all of it.");
    return unknown(
      "It begins like JSON and is not JSON: names and texts need double quotation marks, and no comma follows the last.",
    );
  }
  const repeated = findRepeatedName(text);
  if (repeated !== null)
    return unknown(
      `It names ${JSON.stringify(repeated.slice(0, 80))} twice in one object, and programs differ on which counts.`,
    );
  if (typeof value === "string") return again(value);
  if (Array.isArray(value)) return recognizeList(value, context);
  if (typeof value !== "object" || value === null)
    return unknown("A number or a word of JSON is nothing to check.");
  return refuseWrongChecksum(recognizeObject(value as JsonRecord, context, again), value);
}

/** An address with a wrong checksum anywhere in it: somebody has mistyped it, or swapped it. */
function refuseWrongChecksum(found: Recognized, value: unknown): Recognized {
  const wrong = found.questions.length > 0 ? findWrongChecksum(value) : undefined;
  return wrong === undefined ? found : nothing(found.kind, found.title, describeWrongChecksum(wrong));
}

export function recognizeObject(value: JsonRecord, context: PasteContext, again: ReadAgain): Recognized {
  const has = (...names: string[]) =>
    names.every((name) => value[name] !== undefined && value[name] !== null);
  if (has("capabilityId", "verdict", "receiptUrl") || (has("answer") && has("receipt")))
    return nothing("answer", "an answer of Assay", "It is an answer already: assay verify checks it.");
  if (
    has("method") &&
    (has("params") || has("jsonrpc") || /^(eth|wallet|personal|net|web3)_/.test(String(value.method)))
  )
    return recognizeRequest(value, context, again);
  if (has("jsonrpc") && (has("result") || has("error")))
    return has("result") && typeof value.result === "object"
      ? recognizeObject(value.result as JsonRecord, context, again)
      : unknown("It is an answer to a JSON-RPC request, and nothing that is signed.");
  if (has("primaryType", "domain") && !has("message"))
    return nothing(
      "typedData",
      "a message to sign (EIP-712)",
      "Its message is missing: copy the whole request.",
    );
  if (has("types", "message") || has("primaryType", "domain")) return askTypedData(value, context);
  if (has("sender", "callData")) return askOperation(value, context);
  if (has("userOperation"))
    return askOperation({ ...(value.userOperation as object), ...pick(value, "entryPoint") }, context);
  if (Array.isArray(value.calls)) return askCalls(value, context);
  if (isMined(value)) return again(String(value.transactionHash ?? value.hash));
  if (has("to") || has("data") || has("input")) return recognizeTransaction(value, context);
  if (has("chainId", "nonce") && (has("address") || has("contractAddress")))
    return askAuthorization(value, context);
  if (has("address") && typeof value.address === "string" && Object.keys(value).length <= 3)
    return recognizeAddressField(value.address, again);
  if (has("url") && typeof value.url === "string" && Object.keys(value).length === 1) return again(value.url);
  return unknown(
    "It is JSON of no form that is known: no transaction, request, message, operation, batch or authorization.",
  );
}

const recognizeAddressField = (address: string, again: ReadAgain) =>
  /^0x[0-9a-fA-F]{40}$/.test(address) ? recognizeAddress(address) : again(address);

const pick = (value: JsonRecord, name: string) => (value[name] === undefined ? {} : { [name]: value[name] });

/** A transaction or a receipt as a node gives it, once it is in a block. */
function isMined(value: JsonRecord): boolean {
  const hash = value.transactionHash ?? value.hash;
  return typeof hash === "string" && /^0x[0-9a-fA-F]{64}$/.test(hash) && (value.blockNumber ?? null) !== null;
}

const unreadable: ReadAgain = () => unknown("It is a list of something that cannot be checked at once.");

function recognizeList(list: readonly unknown[], context: PasteContext): Recognized {
  const records = list.filter(
    (item): item is JsonRecord => typeof item === "object" && item !== null && !Array.isArray(item),
  );
  const [signer, document] = list;
  if (list.length === 2 && typeof signer === "string" && /^0x[0-9a-fA-F]{40}$/.test(signer) && document)
    return recognizeRequest({ method: "eth_signTypedData_v4", params: list }, context, unreadable);
  if (list.length === 0 || records.length < list.length)
    return unknown("It is a list of something that cannot be checked at once.");
  if (records.some((item) => "method" in item))
    return unknown("It is a batch of requests: check them one by one.");
  if (!records.every((item) => typeof item.to === "string"))
    return unknown("It is a list of something that is no batch of calls: each call needs to.");
  return refuseWrongChecksum(askCalls({ calls: records }, context), records);
}
