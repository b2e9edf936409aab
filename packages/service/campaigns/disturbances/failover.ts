import { appendFile, chmod, chown, cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "../../src/store/database.js";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/store/embeddedPostgres.js";
import { createCampaignWorld } from "../campaignWorld.js";
import type { OpenDisturbed } from "./disturbance.js";
import { startRelay } from "./startRelay.js";

const portOf = ({ connectionString }: EmbeddedPostgres) => Number(new URL(connectionString).port);

/**
 * PostgreSQL and a replica that streams from it. The first one is killed, the replica is promoted, and the address leads there.
 * A commit waits for the replica; the control does without, and sends the replica nothing more a moment before.
 */
export const openFailover: OpenDisturbed = async ({ withoutProtection }) => {
  const directory = await mkdtemp(join(tmpdir(), "assay-failover-"));
  await chmod(directory, 0o711);
  const { primary, replica, relayToPrimary } = await startPair(directory, !withoutProtection);
  const relay = await startRelay(portOf(primary));
  const address = new URL(primary.connectionString);
  address.port = String(relay.port);
  const world = await createCampaignWorld({ postgresUrl: address.href });
  const service = await world.start();
  let promotedInMs = 0;
  return {
    world,
    url: service.url,
    troubles: [
      {
        name: "the primary is lost",
        async begin() {
          if (withoutProtection) {
            relayToPrimary.cut();
            // What is committed now reaches no replica.
            await new Promise((resume) => setTimeout(resume, 4_000));
          }
          process.kill(primary.pid, "SIGKILL");
          relay.cut();
        },
        async end() {
          const startedAt = performance.now();
          const standby = createDatabase({ connectionString: replica.connectionString, maxConnections: 1 });
          await standby.query({ text: "SELECT pg_promote(true, 60)" });
          await standby.close();
          promotedInMs = Math.round(performance.now() - startedAt);
          relay.pointTo(portOf(replica));
        },
      },
    ],
    conclude: async () => ({
      violations: service.isDead() ? [`the service died: ${service.errors()}`] : [],
      figures: { replication: withoutProtection ? "asynchronous" : "synchronous", promotedInMs },
    }),
    async close() {
      await world.close();
      await relay.close();
      await relayToPrimary.close();
      await replica.stop();
      await primary.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Two clusters from one: the second is a cold copy of the first, and follows it. */
async function startPair(directory: string, isSynchronous: boolean) {
  const first = join(directory, "first");
  const second = join(directory, "second");
  const made = await startEmbeddedPostgres({ directory: first, fresh: true, durable: true });
  const { dataDirectory } = made;
  const copied = join(second, "postgres");
  await made.stop();
  await cp(first, second, { recursive: true, preserveTimestamps: true });
  await giveAway(dataDirectory, copied, second);
  // Kept open to both: the port is known before the server starts.
  const relayToPrimary = await startRelay(0);
  const { password } = new URL(made.connectionString);
  await appendFile(
    join(copied, "postgresql.conf"),
    `\nprimary_conninfo = 'host=127.0.0.1 port=${relayToPrimary.port} user=assay password=${password} application_name=second'\n`,
  );
  await writeFile(join(copied, "standby.signal"), "");
  await appendFile(
    join(dataDirectory, "postgresql.conf"),
    isSynchronous ? "\nsynchronous_standby_names = 'second'\n" : "\n",
  );
  const primary = await startEmbeddedPostgres({ directory: first, fresh: false, durable: true });
  relayToPrimary.pointTo(portOf(primary));
  const replica = await startEmbeddedPostgres({ directory: second, fresh: false, durable: true });
  return { primary, replica, relayToPrimary };
}

/** As root, PostgreSQL runs under the account that owns its files. */
async function giveAway(from: string, to: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(from);
  await chmod(folder, 0o711);
  await chown(to, uid, gid);
  for (const entry of await readdir(to, { recursive: true })) await chown(join(to, entry), uid, gid);
  await chmod(to, 0o700);
}
