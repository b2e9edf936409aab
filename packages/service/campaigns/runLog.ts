import { createSeededChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { type Hex, isConsistent, isIncluded } from "@assay/protocol";
import { pino } from "pino";
import { appendLeaves } from "../src/log/appendLeaves.js";
import { auditLog } from "../src/log/auditLog.js";
import { createLogSigner } from "../src/log/logSigner.js";
import { getConsistencyPath, getInclusionPath } from "../src/log/logTree.js";
import { getSignedHead, type LogContext } from "../src/log/signedHeads.js";
import type { Queryable } from "../src/store/database.js";
import { createCampaignWorld } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { createBeliever, forgeProof, type ShownProof } from "./forgedProofs.js";
import { createRootRecorder } from "./rootRecorder.js";

export interface LogOptions extends CampaignOptions {
  readonly leaves: number;
  /** Random proofs of inclusion, and as many of consistency. */
  readonly proofs: number;
  readonly forgeries: number;
  readonly postgresUrl?: string;
}

interface AppendCost {
  readonly size: number;
  /** One leaf in a transaction of its own, and one of a batch as a busy settlement makes them. */
  readonly aloneMicros: number;
  readonly batchedMicros: number;
}

interface ProofCost {
  readonly checked: number;
  readonly rowsMean: number;
  readonly rowsMax: number;
  readonly msMean: number;
}

export interface LogSummary extends CampaignSummary {
  readonly leaves: number;
  readonly appended: readonly AppendCost[];
  readonly firstSigningSeconds: number;
  readonly auditSeconds: number;
  readonly auditTurns: number;
  readonly inclusion: ProofCost;
  readonly consistency: ProofCost;
  readonly forgeries: number;
  readonly forged: Tally;
  readonly ms: number;
}

const MILESTONES = [1_000, 10_000, 100_000, 1_000_000];
const BULK = 2_000;
const BATCH = 64;
const REPEATS = 25;

/** Grows a log to its full size, measures its cost there, and checks that forged proofs are refused. */
export async function runLog(options: LogOptions): Promise<LogSummary> {
  const startedAt = performance.now();
  const tell = (line: string) => options.onProgress?.(`log: ${line}`);
  const choices = createSeededChoices(options.seed);
  const world = await createCampaignWorld({ postgresUrl: options.postgresUrl });
  try {
    const context: LogContext = {
      database: world.db,
      logger: pino({ level: "silent" }),
      logSigner: createLogSigner([Buffer.alloc(32, options.seed % 256)], choices.hex(20), "campaign"),
    };
    const log = await growLog(context, options, choices, tell);
    const firstSigningSeconds = await secondsOf(() => getSignedHead(context));
    tell(`signed in ${firstSigningSeconds} s`);
    const audit = await auditAll(context);
    tell(`audited in ${audit.seconds} s`);
    const violations = [...audit.violations];
    const head = await getSignedHead(context);
    if (head.root !== log.roots.get(options.leaves)) violations.push("the signed root is not the tree's");
    const inclusion = await checkInclusion(context.database, options, log, choices, violations);
    const consistency = await checkConsistency(context.database, options, log, choices, violations);
    tell(`${inclusion.checked + consistency.checked} proofs checked`);
    const forged = await forge(context, options, choices, violations);
    return {
      campaign: "log",
      seed: options.seed,
      leaves: options.leaves,
      appended: log.appended,
      firstSigningSeconds,
      auditSeconds: audit.seconds,
      auditTurns: audit.turns,
      inclusion,
      consistency,
      forgeries: options.forgeries,
      forged,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    await world.close();
  }
}

const rounded = (value: number) => Math.round(value * 100) / 100;
async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return rounded((performance.now() - startedAt) / 1000);
}

interface GrownLog {
  readonly appended: readonly AppendCost[];
  /** Sizes that proofs will be asked about, with the roots the tree had there. */
  readonly roots: ReadonlyMap<number, Hex>;
}

const contentOf = (number: number) => ({ number, salt: "0123456789abcdef".repeat(8) });

async function growLog(
  { database }: LogContext,
  { leaves, proofs }: LogOptions,
  choices: SeededChoices,
  tell: (line: string) => void,
): Promise<GrownLog> {
  const wanted = new Set([0, 1, leaves]);
  for (let i = 0; i < proofs; i++) wanted.add(choices.integer(1, leaves));
  const roots = new Map<number, Hex>();
  const recorder = createRootRecorder();
  let size = 0;
  const append = async (count: number) => {
    const given = Array.from({ length: Math.min(count, leaves - size) }, (_, i) => ({
      kind: "receipt" as const,
      subject: "",
      content: contentOf(size + i),
    }));
    const startedAt = performance.now();
    await database.transaction((tx) =>
      appendLeaves(tx, given, { name: "log_campaign", text: "SELECT FROM appended" }),
    );
    const micros = (performance.now() - startedAt) * 1000;
    for (const { content } of given) {
      if (wanted.has(size)) roots.set(size, recorder.root());
      recorder.add(Buffer.from(`{"kind":"receipt","number":${content.number},"salt":"${content.salt}"}`));
      size += 1;
    }
    return micros;
  };
  const measure = async (): Promise<AppendCost> => {
    const at = size;
    let [aloneMicros, batchedMicros] = [0, 0];
    for (let i = 0; i < REPEATS; i++) {
      aloneMicros += (await append(1)) / REPEATS;
      batchedMicros += (await append(BATCH)) / REPEATS / BATCH;
    }
    return { size: at, aloneMicros: Math.round(aloneMicros), batchedMicros: rounded(batchedMicros) };
  };
  const appended: AppendCost[] = [];
  // The last measurement ends at the full size.
  const stops = MILESTONES.map((stop) => Math.min(stop, leaves - REPEATS * (BATCH + 1)));
  for (const stop of new Set(stops)) {
    while (size < stop) await append(Math.min(BULK, stop - size));
    const cost = await measure();
    appended.push(cost);
    tell(
      `${cost.aloneMicros} µs for an append at ${cost.size} leaves, ${cost.batchedMicros} µs each in a batch`,
    );
  }
  roots.set(size, recorder.root());
  return { appended, roots };
}

/** Audits slice by slice, as the job does, until the whole log was checked. */
async function auditAll(context: LogContext) {
  const violations: string[] = [];
  let turns = 0;
  const seconds = await secondsOf(async () => {
    for (let next = 1n; next > 0n; turns++) {
      await auditLog(context);
      const [row] = await context.database.query<{ next_leaf: bigint; fault: string | null }>({
        text: "SELECT next_leaf, fault FROM log_audit",
      });
      if (row?.fault) violations.push(`the audit found: ${row.fault}`);
      next = row?.fault ? 0n : (row?.next_leaf ?? 0n);
    }
  });
  return { seconds, turns, violations };
}

/** Runs every check with a database that counts the rows it gives, and how long it took. */
async function countRows(
  db: Queryable,
  checks: number,
  check: (counted: Queryable) => Promise<void>,
): Promise<ProofCost> {
  const rowsOf: number[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < checks; i++) {
    let rows = 0;
    await check({
      async query<Row>(statement: Parameters<Queryable["query"]>[0]) {
        const found = await db.query<Row>(statement);
        rows += found.length;
        return found;
      },
    });
    rowsOf.push(rows);
  }
  const ms = performance.now() - startedAt;
  return {
    checked: checks,
    rowsMean: rounded(rowsOf.reduce((sum, rows) => sum + rows, 0) / checks),
    rowsMax: Math.max(...rowsOf),
    msMean: rounded(ms / checks),
  };
}

function checkInclusion(
  db: Queryable,
  { proofs }: LogOptions,
  { roots }: GrownLog,
  choices: SeededChoices,
  violations: string[],
): Promise<ProofCost> {
  const sizes = [...roots.keys()].filter((size) => size > 0);
  return countRows(db, proofs, async (counted) => {
    const size = choices.pick(sizes);
    const index = choices.integer(0, size - 1);
    const proof = { index, size, ...(await getInclusionPath(counted, index, size)) };
    if (!isIncluded(proof, roots.get(size) as Hex)) violations.push(`leaf ${index} of ${size} is not proven`);
  });
}

function checkConsistency(
  db: Queryable,
  { proofs }: LogOptions,
  { roots }: GrownLog,
  choices: SeededChoices,
  violations: string[],
): Promise<ProofCost> {
  const sizes = [...roots.keys()];
  return countRows(db, proofs, async (counted) => {
    const pair = [choices.pick(sizes), choices.pick(sizes)].sort((a, b) => a - b);
    const [first, second] = pair as [number, number];
    const proof = { first, second, path: await getConsistencyPath(counted, first, second) };
    if (!isConsistent(proof, roots.get(first) as Hex, roots.get(second) as Hex))
      violations.push(`${first} and ${second} leaves are not proven consistent`);
  });
}

/** Every true proof must verify, and no proof forged from them may. */
async function forge(
  context: LogContext,
  options: LogOptions,
  choices: SeededChoices,
  violations: string[],
): Promise<Tally> {
  const { size, note: checkpoint } = await getSignedHead(context);
  const { origin, publicKey } = context.logSigner;
  const isBelieved = createBeliever({ origin, publicKey: Buffer.from(publicKey, "base64") });
  const refused = new Tally();
  const show = async (): Promise<ShownProof> => {
    const index = choices.integer(0, size - 1);
    const { path } = await getInclusionPath(context.database, index, size);
    const { number, salt } = contentOf(index);
    return { index, leaf: `{"kind":"receipt","number":${number},"salt":"${salt}"}`, size, path, checkpoint };
  };
  const shown: ShownProof[] = [];
  for (let i = 0; i < options.proofs; i++) shown.push(await show());
  for (const proof of shown)
    if (!isBelieved(proof)) violations.push(`the true proof of leaf ${proof.index} was refused`);
  for (let i = 0; i < options.forgeries; i++) {
    const proof = choices.pick(shown);
    const other = choices.pick(shown.filter(({ index }) => index !== proof.index));
    const { what, forged } = forgeProof(proof, other, choices);
    if (isBelieved(forged)) violations.push(`a forged ${what} was believed: ${JSON.stringify(forged)}`);
    else refused.add(what);
  }
  return refused;
}
