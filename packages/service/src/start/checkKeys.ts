import { bytesToHex } from "viem";
import type { DigestSigner } from "../base/signers/digestSigner.js";
import type { Config, KeySource } from "./config.js";
import { openKeys } from "./openKeys.js";

/** Worthless to anybody: no transaction, no typed data and no message has these bytes. */
const PROBE = bytesToHex(new TextEncoder().encode("assay-admin check: does this key sign?"));

export interface CheckedKeys {
  readonly signers: readonly DigestSigner[];
  /** How long each took to sign, in milliseconds. */
  readonly tookMs: readonly number[];
}

/** Has each key sign something worthless, one after another. Every signature is verified. Throws at the first that does not sign. */
export async function checkKeys(
  setting: "SERVICE_SIGNER" | "SETTLER_SIGNER",
  sources: readonly KeySource[],
  config: Pick<Config, "gcpKmsEndpoint">,
): Promise<CheckedKeys> {
  const signers = await openKeys(setting, sources, config);
  try {
    const tookMs: number[] = [];
    for (const signer of signers) {
      const startedAtMs = performance.now();
      try {
        await signer.sign(PROBE);
      } catch (error) {
        const { cause } = error as Error;
        throw new Error(
          `${signer.place} does not sign: ${cause instanceof Error ? cause.message : "no answer"}`,
        );
      }
      tookMs.push(Math.round(performance.now() - startedAtMs));
    }
    return { signers, tookMs };
  } catch (error) {
    for (const signer of signers) signer.close();
    throw error;
  }
}
