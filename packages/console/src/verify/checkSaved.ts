import {
  checkResult,
  checkEvidence as checkSavedEvidence,
  checkReceipt as checkSavedReceipt,
  loadEveryRule,
} from "@assay/client";
import type { CapabilityResult } from "@assay/protocol";
import { recoverMessageAddress } from "viem";
import { assay } from "../service/assay.js";
import type { Anchors } from "./anchors.js";
import type { CheckStep } from "./checkStep.js";

// Loaded when somebody wants to verify: the rules and the curves are most of what the console weighs.

/** So that any answer can be checked without a network. Throws if a rule cannot be loaded. */
export const prepareForEveryAnswer = loadEveryRule;

type Keys = Pick<Anchors, "signer" | "logKey"> | undefined;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Key 1 over the empty message. */
const SIGNATURE =
  "0x0ac02a3eb3039b7a3ebb6a35f1e0dd31a4ed51781205a2c193354752a25edad50593868baf38c519b78bdc61a23c3f55e058c29f8b83d79ae48cc47d931afaed1b";

/** Reads a signature, because the curve is loaded by the first one that is read. Throws if it cannot be loaded. */
export async function prepareToCheck(): Promise<void> {
  await recoverMessageAddress({ message: "", signature: SIGNATURE });
}

/** Checks an answer, alone or with its receipt; an answer alone gets its receipt from the service, if it can be had. */
export async function checkAnswer(saved: unknown, keys: Keys): Promise<readonly CheckStep[]> {
  const complete = await addReceipt(saved);
  const hasReceipt = isRecord(complete) && "answer" in complete;
  const { steps } = await checkResult(complete, {
    signer: keys?.signer,
    logKey: hasReceipt ? keys?.logKey : undefined,
  });
  return vouched(steps, keys);
}

/** Checks an answer without asking anybody: everything but its place in the log. */
export async function checkAlone(answer: CapabilityResult, keys: Keys): Promise<readonly CheckStep[]> {
  const { steps } = await checkResult(answer, { signer: keys?.signer });
  return vouched(steps, keys);
}

const SIGNED: ReadonlySet<string> = new Set(["signature", "logInclusion"]);

/** Whose signatures they are is not known without a key, so they vouch for nothing. */
const vouched = (steps: readonly CheckStep[], keys: Keys) =>
  steps.map((step) =>
    !keys && step.ok && step.checked && SIGNED.has(step.name)
      ? { ...step, checked: false, detail: "Not checked: no key is known." }
      : step,
  );

async function addReceipt(saved: unknown): Promise<unknown> {
  if (!isRecord(saved) || "answer" in saved || typeof saved.invocationId !== "string") return saved;
  const receipt = await assay.receipt(saved.invocationId).catch(() => undefined);
  return receipt ? { answer: saved, receipt } : saved;
}

export async function checkReceipt(receipt: unknown, keys: Keys): Promise<readonly CheckStep[]> {
  const { steps } = await checkSavedReceipt(receipt, { logKey: keys?.logKey });
  return vouched(steps, keys);
}

/** A reference names an answer without holding it: hashes and window are what its signature is over. */
export async function checkEvidence(value: unknown, keys: Keys): Promise<readonly CheckStep[]> {
  const { steps } = await checkSavedEvidence(value, { signer: keys?.signer });
  return vouched(steps, keys);
}
