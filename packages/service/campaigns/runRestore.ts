import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listRecovered } from "../src/payments/recovery/recoveredPayments.js";
import { restoreBackup } from "../src/start/keep/restoreBackup.js";
import { writeBackup } from "../src/start/keep/writeBackup.js";
import { createDatabase } from "../src/store/database.js";
import { auditBooks } from "./auditBooks.js";
import { type CampaignWorld, createCampaignWorld } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import {
  attempt,
  attemptUntilFinal,
  createPayer,
  guardPath,
  keyOf,
  type PaidCall,
  prepareCall,
  type Sight,
} from "./paidCalls.js";

export interface RestoreOptions extends CampaignOptions {
  readonly payers: number;
  /** Of load before the backup, and as long after it. */
  readonly seconds: number;
  /** A control: the chain is not asked what was paid since the backup. */
  readonly withoutProtection: boolean;
}

export interface RestoreSummary extends CampaignSummary {
  /** Calls that carried a payment until the process was killed, and how many of them were answered. */
  readonly sent: number;
  readonly answered: number;
  readonly backup: { readonly rows: number; readonly bytes: number; readonly ms: number };
  readonly restoredInMs: number;
  /** Until the service answered on the restored database: it reads the chain before. */
  readonly readyInMs: number;
  /** Payments of which the restored database knew nothing, and of which the chain does. */
  readonly foundOnChain: number;
  /** Answered calls that were sent again: with the same bytes, and with an answer of today. */
  readonly sameBytes: number;
  readonly answeredAnew: number;
  /** What the calls said that had no answer when the process was killed. */
  readonly others: Tally;
  readonly charges: number;
  readonly stillLost: number;
  readonly ms: number;
}

interface Sent {
  readonly call: PaidCall;
  readonly sight: Sight;
}

const PATIENCE_MS = 60_000;
const RESENT_AT_ONCE = 12;

/**
 * A backup is taken under paid load, the load goes on, then process and database are lost. The backup is restored, and every payer sends
 * every payment again: what was answered is answered again, and nobody is charged twice.
 */
export async function runRestore(options: RestoreOptions): Promise<RestoreSummary> {
  const startedAt = performance.now();
  const since = (at: number) => Math.round(performance.now() - at);
  const tell = (line: string) => options.onProgress?.(`restore: ${line}, ${since(startedAt)} ms`);
  const folder = await mkdtemp(join(tmpdir(), "assay-restored-"));
  const world = await createCampaignWorld();
  const file = join(folder, "backup.gz");
  const connectionString = world.connectionString.replace(/\/[^/]+$/, "/restored");
  const database = createDatabase({ connectionString });
  try {
    const service = await world.start();
    const load = startLoad(world, service.url, options.payers);
    await pause(options.seconds);
    const backupAt = performance.now();
    const { rows, bytes } = await writeBackup(world.connectionString, file);
    const backup = { rows, bytes, ms: since(backupAt) };
    tell(`backup of ${rows} rows`);
    await pause(options.seconds);
    await service.kill();
    const sent = await load.stop();
    const answered = sent.filter(({ sight }) => sight.status === 200);
    tell(`${sent.length} calls, ${answered.length} answered, killed`);

    await world.db.query({ text: "CREATE DATABASE restored" });
    const restoredAt = performance.now();
    await restoreBackup(connectionString, file, { isContinued: options.withoutProtection });
    const restoredInMs = since(restoredAt);
    const restored = await world.start({ DATABASE_URL: connectionString });
    const foundOnChain = (await listRecovered(database)).length;
    tell(`restored, ${foundOnChain} payments found on the chain`);

    const again = await sendAgain(restored.url, sent);
    tell("every payment was sent again");
    const books = await auditBooks(database, world.devnet, { mayBeUnfinished: true });
    const refused = answered.filter(({ call }) => again.get(keyOf(call))?.status !== 200);
    const others = new Tally();
    for (const { call, sight } of sent) {
      const now = again.get(keyOf(call));
      if (sight.status !== 200) others.add(`${now?.status} ${now?.code}`.trim());
      if (now?.status === 402 && books.charged.has(keyOf(call)))
        books.violations.push(`${keyOf(call)} was charged and is refused`);
    }
    const sameBytes = answered.filter(
      ({ call, sight }) => again.get(keyOf(call))?.digest === sight.digest,
    ).length;
    const stillLost = (await listRecovered(database)).filter(({ state }) => state === "waiting").length;
    return {
      campaign: "restore",
      seed: options.seed,
      sent: sent.length,
      answered: answered.length,
      backup,
      restoredInMs,
      readyInMs: restored.startedInMs,
      foundOnChain,
      sameBytes,
      answeredAnew: answered.length - refused.length - sameBytes,
      others,
      charges: books.charges,
      stillLost,
      violations: [
        ...books.violations,
        ...(refused.length === 0
          ? []
          : [`${refused.length} calls that were answered are refused after the restoration`]),
        ...(stillLost === 0 ? [] : [`${stillLost} payments are still without an answer`]),
        ...(foundOnChain > 0 || options.withoutProtection ? [] : ["nothing was paid after the backup"]),
      ],
      ms: since(startedAt),
    };
  } finally {
    await database.close();
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const pause = (seconds: number) => new Promise((resume) => setTimeout(resume, seconds * 1000));

/** Each payer buys one answer after another, until the process is gone. */
function startLoad({ devnet }: CampaignWorld, url: string, payers: number) {
  const { plainToken, upgradeableProxy, weth } = devnet.contracts;
  const paths = [
    `/api/v1/capabilities/contract.interface/invoke?address=${plainToken}`,
    `/api/v1/capabilities/token.metadata/invoke?address=${weth}`,
    guardPath(upgradeableProxy as string),
  ];
  const sent: Sent[] = [];
  let isOver = false;
  const working = devnet.accounts.slice(0, payers).map(async ({ privateKey }, place) => {
    const payer = createPayer(privateKey);
    for (let turn = place; !isOver; turn++) {
      const call = await prepareCall(url, payer, paths[turn % paths.length] as string).catch(() => undefined);
      if (call === undefined) return;
      sent.push({ call, sight: await attempt(url, call) });
    }
  });
  return {
    async stop(): Promise<readonly Sent[]> {
      isOver = true;
      await Promise.all(working);
      return sent;
    },
  };
}

/** What each call says in the end, by payer and nonce. */
async function sendAgain(url: string, sent: readonly Sent[]): Promise<ReadonlyMap<string, Sight>> {
  const said = new Map<string, Sight>();
  const waiting = [...sent];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      said.set(keyOf(next.call), await attemptUntilFinal(url, next.call, () => undefined, PATIENCE_MS));
  };
  await Promise.all(Array.from({ length: RESENT_AT_ONCE }, work));
  return said;
}
