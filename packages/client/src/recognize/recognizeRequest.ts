import { findRepeatedName } from "@assay/protocol/repeatedName";
import { askCalls, askMessage, askOperation, askTypedData } from "./askMessageGuard.js";
import { type PasteContext, type ReadAgain, type Recognized, unknown } from "./recognized.js";
import { type JsonRecord, recognizeTransaction } from "./recognizeTransaction.js";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** They read, or only change what a wallet shows. */
const HARMLESS =
  /^(net_|web3_|eth_(?!sign|send|decrypt|getEncryption)|wallet_(switchEthereumChain|watchAsset|getCapabilities|getCallsStatus|getPermissions|getAssets|requestPermissions|revokePermissions|showCallsStatus)$)/;

/** What a request to a wallet or a node would sign or send. */
export function recognizeRequest(request: JsonRecord, context: PasteContext, again: ReadAgain): Recognized {
  const method = String(request.method).slice(0, 64);
  const params = Array.isArray(request.params) ? request.params : [request.params];
  const incomplete = unknown(`The request ${JSON.stringify(method)} has not the parameters that it needs.`);
  const [first, second] = params;
  switch (method) {
    case "eth_sendTransaction":
    case "eth_signTransaction":
    case "eth_estimateGas":
    case "eth_call":
    case "wallet_sendTransaction":
      return isRecord(first) ? recognizeTransaction(first, context) : incomplete;
    case "eth_sendRawTransaction":
    case "eth_sendRawTransactionSync":
      return typeof first === "string" ? again(first) : incomplete;
    case "eth_signTypedData":
    case "eth_signTypedData_v3":
    case "eth_signTypedData_v4":
      return recognizeTypedRequest(first, second, context) ?? incomplete;
    case "personal_sign":
    case "eth_sign":
      return recognizeTextRequest(method, first, second, context) ?? incomplete;
    case "wallet_sendCalls":
      return isRecord(first) && Array.isArray(first.calls) ? askCalls(first, context) : incomplete;
    case "eth_sendUserOperation":
    case "eth_estimateUserOperationGas":
      if (!isRecord(first)) return incomplete;
      return askOperation({ ...first, ...(typeof second === "string" && { entryPoint: second }) }, context);
    case "eth_getTransactionByHash":
    case "eth_getTransactionReceipt":
      return typeof first === "string" ? again(first) : incomplete;
    case "eth_getCode":
      return typeof first === "string" ? again(first) : incomplete;
    case "wallet_addEthereumChain":
      return unknown(
        "It gives the wallet another node to believe, and no guard judges that. Approve it for nodes that you know.",
      );
    default:
      return unknown(
        HARMLESS.test(method)
          ? `The request ${JSON.stringify(method)} signs nothing and sends nothing.`
          : `No guard judges the request ${JSON.stringify(method)}. Do not approve what nobody has explained to you.`,
      );
  }
}

/** The signer comes first; the first version of the method had it last. */
function recognizeTypedRequest(
  first: unknown,
  second: unknown,
  context: PasteContext,
): Recognized | undefined {
  const [signer, given] =
    typeof first === "string" && ADDRESS.test(first) ? [first, second] : [second, first];
  if (typeof signer !== "string" || !ADDRESS.test(signer)) return undefined;
  let document = given;
  if (typeof given === "string")
    try {
      document = JSON.parse(given);
      if (findRepeatedName(given) !== null)
        return unknown(
          "Its document names a field twice in one object, and programs differ on which counts.",
        );
    } catch {
      return undefined;
    }
  return isRecord(document)
    ? askTypedData(document, { ...context, from: signer as `0x${string}` })
    : undefined;
}

/** `personal_sign` has the text first, `eth_sign` the signer; wallets accept both orders. */
function recognizeTextRequest(
  method: string,
  first: unknown,
  second: unknown,
  context: PasteContext,
): Recognized | undefined {
  if (typeof first !== "string" || typeof second !== "string") return undefined;
  const isSignerFirst = method === "eth_sign" ? ADDRESS.test(first) : !ADDRESS.test(second);
  const [signer, text] = isSignerFirst ? [first, second] : [second, first];
  if (!ADDRESS.test(signer)) return undefined;
  return askMessage(text, { ...context, from: signer as `0x${string}` }, "a text to sign");
}
