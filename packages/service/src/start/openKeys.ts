import type { Hex } from "@assay/protocol";
import type { Logger } from "pino";
import { createLocalSigner, type DigestSigner } from "../base/signers/digestSigner.js";
import { openSigner } from "../base/signers/openSigner.js";
import type { Config, KeySource } from "./config.js";
import { ConfigError } from "./configError.js";

/** The keys of one setting, in their order. One that is kept elsewhere is asked for its public half, and must answer. */
export async function openKeys(
  setting: "SERVICE_SIGNER" | "SETTLER_SIGNER",
  sources: readonly KeySource[],
  { gcpKmsEndpoint }: Pick<Config, "gcpKmsEndpoint">,
  logger?: Logger,
): Promise<DigestSigner[]> {
  const opened = await Promise.allSettled(
    sources.map(async (source) => {
      if (typeof source === "string") return createLocalSigner(source);
      const name = `${source.kind}:${source.name}`;
      const onTrouble = (reason: string) => logger?.warn({ key: name, reason }, "a key does not sign");
      return openSigner(source, { gcpEndpoint: gcpKmsEndpoint, onTrouble }).catch((error: Error) => {
        const reason = (error.message || error.name).split("\n")[0]?.replace(/\.$/, "");
        throw new ConfigError(`${setting} ${name} cannot be used: ${reason}.`);
      });
    }),
  );
  const failed = opened.find((one) => one.status === "rejected");
  const signers = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  if (!failed) return signers;
  for (const signer of signers) signer.close();
  throw failed.reason;
}

/** Settlers count their own nonces, so nothing else may send from their accounts. */
export function verifyDistinct(signers: readonly DigestSigner[], other: Hex | undefined): void {
  const addresses = signers.map(({ address }) => address.toLowerCase());
  const repeated = addresses.find((address, i) => addresses.indexOf(address) !== i);
  if (repeated !== undefined)
    throw new ConfigError(`SETTLER_PRIVATE_KEY and SETTLER_SIGNER hold the key of ${repeated} twice.`);
  if (other !== undefined && addresses.includes(other.toLowerCase()))
    throw new ConfigError("BREADCRUMB_PRIVATE_KEY must not be a key that settles payments.");
}
