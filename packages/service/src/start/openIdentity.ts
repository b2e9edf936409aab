import type { KeyEndorsement } from "@assay/protocol";
import type { Logger } from "pino";
import type { DigestSigner } from "../base/signers/digestSigner.js";
import { findFirstSigner, listEndorsements } from "../evidence/keyEndorsements.js";
import { createEvidenceSigner, type EvidenceSigner } from "../evidence/signer.js";
import { createLogSigner, type LogSigner } from "../log/logSigner.js";
import { getLogId } from "../log/signedHeads.js";
import type { Database } from "../store/database.js";
import type { Config } from "./config.js";
import { loadSigningKey } from "./keys.js";
import { openKeys } from "./openKeys.js";
import { createServiceSecrets, type ServiceSecrets } from "./serviceSecrets.js";

/** Who this service is to its callers. */
export interface ServiceIdentity {
  readonly signer: EvidenceSigner;
  readonly logSigner: LogSigner;
  readonly secrets: ServiceSecrets;
  /** How the present key came to follow the former ones. */
  readonly endorsements: readonly KeyEndorsement[];
  /** The keys themselves, the present one first. */
  readonly keys: readonly DigestSigner[];
  close(): void;
}

export async function openIdentity(
  config: Config,
  database: Database,
  logger?: Logger,
): Promise<ServiceIdentity> {
  const made = config.serviceKeys.length > 0 ? undefined : await loadSigningKey(undefined, config.dataDir);
  const keys = await openKeys("SERVICE_SIGNER", made ? [made] : config.serviceKeys, config, logger);
  const close = () => {
    for (const key of keys) key.close();
  };
  try {
    const [present, ...former] = keys;
    if (!present) throw new Error("there is no key to sign with");
    const secrets = createServiceSecrets(
      config.serviceSecrets.length > 0 ? config.serviceSecrets : made ? [made] : [],
    );
    const endorsements = await listEndorsements(database);
    const logSigner = createLogSigner(
      secrets.deriveAll("log"),
      findFirstSigner(present.address, endorsements),
      await getLogId(database),
    );
    return { signer: createEvidenceSigner(present, former), logSigner, secrets, endorsements, keys, close };
  } catch (error) {
    close();
    throw error;
  }
}
