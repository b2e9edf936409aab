import type { KeyEndorsement } from "@assay/protocol";
import { findFirstSigner, recordEndorsement, signEndorsement } from "../evidence/keyEndorsements.js";
import { createDatabase } from "../store/database.js";
import { migrate } from "../store/migrate.js";
import type { Config } from "./config.js";
import { ConfigError } from "./configError.js";
import { openIdentity } from "./openIdentity.js";

/**
 * Has the key that signed until now and the one that will sign name each other, and records it. The settings are those of the time
 * after: the new key first. Nothing else changes, and processes that run are not touched.
 */
export async function rotateKeys(config: Config): Promise<KeyEndorsement> {
  if (config.databaseUrl === undefined)
    throw new ConfigError(
      "DATABASE_URL must be set: the embedded database belongs to the service that runs it.",
    );
  if (config.serviceKeys.length < 2)
    throw new ConfigError(
      "SERVICE_SIGNING_KEY must hold the new key and, after it, the one that signs now; or SERVICE_SIGNER the new one. `openssl rand -hex 32` makes a key.",
    );
  const database = createDatabase({ connectionString: config.databaseUrl });
  try {
    await migrate(database);
    const { keys, logSigner, endorsements, close } = await openIdentity(config, database);
    try {
      const [next, ...former] = keys;
      const successors = new Set(endorsements.map(({ previousSigner }) => previousSigner.toLowerCase()));
      // Of the former keys, the one that nothing follows yet.
      const previous = former.find(({ address }) => !successors.has(address.toLowerCase()));
      if (!next || !previous)
        throw new ConfigError(
          "Each former key in SERVICE_SIGNING_KEY has named its successor already: put the new key first.",
        );
      if (next.address === previous.address)
        throw new ConfigError("SERVICE_SIGNING_KEY holds the same key twice: the new key must be another.");
      const origin = logSigner.origin.split("/");
      const endorsement = await signEndorsement(previous, next, {
        logKey: logSigner.publicKey,
        // The log keeps the name that it has under the former key.
        logOrigin: [origin[0], findFirstSigner(previous.address, endorsements), ...origin.slice(2)].join("/"),
        endorsedAt: Math.floor(Date.now() / 1000),
      });
      if (!(await recordEndorsement(database, endorsement)))
        throw new ConfigError(
          `${previous.address} has another successor already, or ${next.address} was a key of this service before.`,
        );
      return endorsement;
    } finally {
      close();
    }
  } finally {
    await database.close();
  }
}
