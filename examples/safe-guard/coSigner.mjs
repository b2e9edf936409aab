import { createServer } from "node:http";
import { GuardRefusedError } from "@assay/client";
import { generateTypedData } from "@safe-global/protocol-kit";

/**
 * Serves POST /proposals: a Safe's transaction, as Safe's own kit writes it. This owner's signature is the answer if `sign`, which is
 * `guardedSign`, gives one. Otherwise the answer is 403 with verdict, reasons and receipt, or 503 where no verdict could be had.
 */
export function serveCoSigner({ safes, sign }) {
  return createServer(async (request, response) => {
    const [status, body] = await answerProposal(request, { safes, sign });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
}

async function answerProposal(request, { safes, sign }) {
  if (request.method !== "POST" || request.url !== "/proposals") return [404, { error: "POST /proposals" }];
  let typedData;
  try {
    typedData = readProposal(await readJson(request), safes);
  } catch (error) {
    return [400, { error: error.message }];
  }
  try {
    const { signature, guard } = await sign(typedData);
    return [200, { signature, verdict: guard?.answer.verdict, receiptUrl: guard?.answer.receiptUrl }];
  } catch (error) {
    if (!(error instanceof GuardRefusedError)) return [503, { error: `no verdict: ${error.message}` }];
    const { refusal, reasons } = error;
    const { verdict, result, receiptUrl } = error.answer;
    return [403, { refusal, verdict, reasons, summary: result.summary, receiptUrl }];
  }
}

const MAX_BODY_BYTES = 300_000;

async function readJson(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new TypeError(`the body must have at most ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

const FIELDS = [
  ...["to", "value", "data", "operation", "safeTxGas", "baseGas", "gasPrice", "gasToken", "refundReceiver"],
  "nonce",
];

/** The EIP-712 document that an owner of this Safe signs, from the fields of its transaction and no others. */
function readProposal(proposal, safes) {
  const safeAddress = safes.find((known) => known.toLowerCase() === String(proposal?.safe).toLowerCase());
  // A document that names another contract would be signed for that one.
  if (!safeAddress) throw new TypeError("safe must be one that this owner signs for");
  const { transaction } = proposal;
  const missing = FIELDS.find((name) => !["string", "number"].includes(typeof transaction?.[name]));
  if (missing) throw new TypeError(`transaction.${missing} must be a text or a number`);
  const data = Object.fromEntries(FIELDS.map((name) => [name, transaction[name]]));
  const { domain, types, primaryType, message } = generateTypedData({
    safeAddress,
    safeVersion: "1.4.1",
    chainId: 8453n,
    data,
  });
  return { domain, types, primaryType, message };
}
