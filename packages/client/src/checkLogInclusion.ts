import {
  type CapabilityResult,
  type Checkpoint,
  canonicalJson,
  isIncluded,
  leafHashOf,
  NETWORK,
  type Receipt,
  type ReceiptLog,
  usdFromMicro,
  verifyCheckpoint,
} from "@assay/protocol";
import { decodeKey } from "./decodeKey.js";
import { fail, leaveOut, pass, type VerificationStep } from "./verification.js";

const name = "logInclusion";

/**
 * Checks that the receipt is of this answer and is in a log signed by its key. With `expectedKey` the check is required: a
 * file without a place in a log then fails.
 */
export function checkLogInclusion(
  result: CapabilityResult,
  receipt: Receipt | undefined,
  expectedKey: string | undefined,
): VerificationStep {
  const leave = (why: string) =>
    expectedKey === undefined
      ? leaveOut(name, why)
      : fail(name, `A log key was given, but nothing shows a place in that log: ${why}`);
  if (!receipt) return leave("the file has no receipt.");
  const differing = listDifferences(result, receipt);
  if (differing.length > 0)
    return fail(name, `The receipt is not that of this answer: it differs in ${differing.join(", ")}.`);
  const { log } = receipt;
  if (!log) return leave("the receipt names no place in the log; fetch it again later.");
  const wrong = findWrongLeaf(receipt, log) ?? findWrongPlace(log);
  if (wrong) return fail(name, wrong);
  if (expectedKey !== undefined && log.publicKey !== expectedKey)
    return fail(name, `The log is signed with ${log.publicKey}, not with ${expectedKey}.`);
  const trust =
    expectedKey === undefined
      ? "; compare it with log.publicKey of /.well-known/assay.json"
      : ", as expected";
  return pass(
    name,
    `The receipt is entry ${log.index} of ${log.size} in ${log.origin}, signed with ${log.publicKey}${trust}.`,
  );
}

/** Fields in which the receipt differs from one of a settled payment for this answer. */
function listDifferences(result: CapabilityResult, receipt: Receipt): string[] {
  const { capabilityId, capabilityVersion, invocationId, pricing, evidenceReference } = result;
  const { resultHash, artifactId } = evidenceReference;
  const { amount } = receipt.payment;
  const isPriceOfAnswer =
    /^[0-9]{1,15}$/.test(amount) && usdFromMicro(BigInt(amount)) === pricing.pricePaidUsd;
  return [
    ...listUnequal(receipt, {
      ...{ invocationId, capabilityId, capabilityVersion, resultHash, artifactId, pricing },
      ...{ network: NETWORK, state: "settled", charged: true, failure: null },
    }),
    ...(isPriceOfAnswer ? [] : ["payment.amount"]),
  ];
}

/** The leaf must state the same as this receipt, and hash to the start of the path. */
export function findWrongLeaf(receipt: Receipt, { leaf, leafHash }: ReceiptLog): string | undefined {
  const reached = leafHashOf(new TextEncoder().encode(leaf));
  if (reached !== leafHash) return `The leaf hashes to ${reached}, not to the stated ${leafHash}.`;
  const { invocationId, capabilityId, capabilityVersion, network, resultHash, artifactId, settledAt } =
    receipt;
  const { x402ReceiptHash } = receipt;
  // A reorganisation comes after the leaf, and has a leaf of its own.
  const { redeliveredBy: _, channel, ...payment } = receipt.payment;
  const stated = parseLeaf(leaf);
  const { channelId, maxClaimableAmount } = channel?.voucher ?? {};
  const differing = listUnequal(stated, {
    kind: "receipt",
    ...{ invocationId, capabilityId, capabilityVersion, network, resultHash, artifactId, settledAt },
    // Leaves from before x402 had receipts do not have this field.
    ...((x402ReceiptHash !== null || "x402ReceiptHash" in stated) && { x402ReceiptHash }),
    ...payment,
    // A leaf with a voucher is not that of a receipt without one.
    ...((channel || "voucher" in stated) && { voucher: { channelId, maxClaimableAmount } }),
  });
  return differing.length > 0
    ? `The leaf is not of this receipt: it differs in ${differing.join(", ")}.`
    : undefined;
}

function parseLeaf(leaf: string): object {
  try {
    return Object(JSON.parse(leaf));
  } catch {
    return {};
  }
}

function listUnequal(stated: object, expected: Readonly<Record<string, unknown>>): string[] {
  const known = new Map(Object.entries(stated));
  return Object.entries(expected).flatMap(([field, value]) =>
    known.has(field) && canonicalJson(known.get(field)) === canonicalJson(value) ? [] : [field],
  );
}

/** The path must lead from the leaf to the root of a checkpoint that the stated key signed. */
export function findWrongPlace(log: ReceiptLog): string | undefined {
  const publicKey = decodeKey(log.publicKey);
  if (!publicKey) return "log.publicKey is not base64.";
  let checkpoint: Checkpoint;
  try {
    checkpoint = verifyCheckpoint(log.checkpoint, { origin: log.origin, publicKey });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (checkpoint.size !== log.size)
    return `The checkpoint is of ${checkpoint.size} entries, the path of ${log.size}.`;
  return isIncluded(log, checkpoint.root) ? undefined : "The path does not lead to the checkpoint's root.";
}
