import { CHAIN_ID, decodeTransaction, type Hex } from "@assay/protocol";
import { askMessage } from "./askMessageGuard.js";
import { describeWrongChecksum, hasWrongChecksum } from "./findWrongChecksum.js";
import { nothing, type PasteContext, type PossibleQuestion, type Recognized, unknown } from "./recognized.js";
import { askTransaction, CARRIES_AUTHORIZATIONS, readQuantity } from "./recognizeTransaction.js";

/** Hex digits after 0x, by their number and by what they contain. */
export function recognizeHex(text: Hex, context: PasteContext): Recognized {
  const digits = text.length - 2;
  if (digits === 40) return recognizeAddress(text);
  const whole = [40, 64].find((length) => Math.abs(digits - length) === 1);
  if (whole !== undefined)
    return unknown(
      `${whole === 40 ? "An address" : "The hash of a transaction"} has ${whole} hex digits after 0x, and this has ${digits}: it was not copied whole, or twice in part.`,
    );
  if (digits % 2 === 1)
    return unknown("An odd number of hex digits is not a whole number of bytes: one is missing.");
  const bytes = digits / 2;
  if (bytes === 32) return recognizeHash(text);
  if (bytes === 0) return unknown("0x alone is no bytes at all.");
  const signed = recognizeSigned(text);
  if (signed) return signed;
  if (bytes > 4 && isText(text)) return askMessage(text, context, "a text in hex");
  if (bytes === 64 || bytes === 65)
    return unknown("64 or 65 bytes are a signature, which is to be judged before it is made.");
  if (bytes < 4) return unknown("Fewer than four bytes are no call of a function.");
  return askCalldata(text, context);
}

export function recognizeAddress(address: string): Recognized {
  if (hasWrongChecksum(address)) return nothing("address", "an address", describeWrongChecksum(address));
  return { kind: "address", title: `the address ${address}`, questions: askAddress(address) };
}

/** First of all: who can change it? What more there is to ask depends on what it is. */
const askAddress = (address: string): PossibleQuestion[] => {
  const asked = { input: { address }, missing: [] };
  return [
    { capabilityId: "contract.guard", ...asked },
    { capabilityId: "token.launch.guard", ...asked, isForTokens: true },
    { capabilityId: "token.metadata", ...asked, isForTokens: true },
    { capabilityId: "contract.interface", ...asked },
    { capabilityId: "contract.change", ...asked },
  ];
};

function recognizeHash(hash: Hex): Recognized {
  const txHash = hash.toLowerCase();
  if (/^0x0{64}$/.test(txHash)) return unknown("32 bytes of zeros are no hash of a transaction.");
  // No hash begins with twelve bytes of zeros.
  if (/^0x0{24}/.test(txHash)) return recognizeAddress(`0x${txHash.slice(26)}`);
  return {
    kind: "transactionHash",
    title: `the hash of a transaction, ${txHash}`,
    note: "If it is a private key instead, which looks the same, ask nothing and show it to nobody.",
    questions: [
      { capabilityId: "trade.execution.notarize", input: { txHash }, missing: [] },
      { capabilityId: "obligation.verdict", input: { obligationId: txHash }, missing: [] },
    ],
  };
}

/** EIP-7702. It always carries an authorization, which the transaction's own calldata says nothing about. */
const SET_CODE_TYPE = 4;

function recognizeSigned(bytes: Hex): Recognized | undefined {
  const first = Number.parseInt(bytes.slice(2, 4), 16);
  if (!(first >= 0xc0 || (first >= 1 && first <= 4))) return undefined;
  try {
    const { type, from, to, data, value, chainId } = decodeTransaction(bytes);
    const title = "a signed transaction";
    if (type === SET_CODE_TYPE) return nothing("signedTransaction", title, CARRIES_AUTHORIZATIONS);
    if (chainId !== null && chainId !== BigInt(CHAIN_ID))
      return nothing(
        "signedTransaction",
        title,
        `It is for chain ${chainId}; only Base (${CHAIN_ID}) is judged.`,
      );
    if (from === null)
      return nothing("signedTransaction", title, "Its signature is invalid, so nobody sends it.");
    if (to === null)
      return nothing("signedTransaction", title, "It creates a contract, which no guard judges.");
    return {
      ...askTransaction({ from, to, data, value: value.toString() }, {}),
      kind: "signedTransaction",
      title: `a signed transaction of ${from}`,
    };
  } catch {
    return undefined;
  }
}

function askCalldata(data: Hex, { from, to, value }: PasteContext): Recognized {
  return {
    ...askTransaction({ from, to, data, value: readQuantity(value) ?? "0" }, {}),
    kind: "calldata",
    title: `calldata that calls ${data.slice(0, 10).toLowerCase()}`,
  };
}

/** Printable UTF-8: calldata holds zeros, which no text does. */
function isText(bytes: Hex): boolean {
  const octets = Uint8Array.from(bytes.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(octets);
    return !/[\p{Cc}\p{Cn}\p{Co}]/u.test(text.replace(/[\t\n\r]/g, ""));
  } catch {
    return false;
  }
}
