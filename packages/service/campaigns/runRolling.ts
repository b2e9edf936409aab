import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { fetchChallenge } from "../test/payer.js";
import { auditBooks, auditRows } from "./auditBooks.js";
import { type CampaignWorld, createCampaignWorld, type ServiceProcess } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { attempt, createPayer, prepareCall, type Sight } from "./paidCalls.js";
import { startBalancer } from "./startBalancer.js";
import { startCaddy } from "./startCaddy.js";
import { createVoucherPayer } from "./voucherPayers.js";

export interface RollingOptions extends CampaignOptions {
  /** How often every process is replaced. */
  readonly rounds: number;
  /** Of each kind: by transfer, and by voucher. */
  readonly payers: number;
  /** Of load between two replacements. */
  readonly seconds: number;
  /** Whether Caddy with deploy/Caddyfile stands before the processes, which knows no health; else a balancer that does. */
  readonly hasCaddy: boolean;
  /** Processes are killed instead of stopped and finish nothing: callers send again, and no call may fail either. */
  readonly isKilled: boolean;
}

export interface RollingSummary extends CampaignSummary {
  readonly replaced: number;
  readonly calls: number;
  /** Calls that did not get their answer by being sent, and sent again where a 503 asked for it. */
  readonly failed: number;
  /** Answers of 503, which callers send again. */
  readonly sentAgain: number;
  /** Requests that the balancer gave to another process. */
  readonly passedOn: number | undefined;
  readonly balancerErrors: readonly string[];
  readonly seen: Tally;
  readonly ms: number;
}

const PROCESSES = 2;
const PATIENCE_MS = 30_000;

/**
 * Two processes over one database behind a balancer. Under paid and unpaid load one after another gets a
 * successor and SIGTERM, as Kubernetes and Compose do it. No caller may notice.
 */
export async function runRolling(options: RollingOptions): Promise<RollingSummary> {
  const startedAt = performance.now();
  const tell = (line: string) =>
    options.onProgress?.(`rolling: ${line}, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  const choices = createSeededChoices(options.seed);
  const violations: string[] = [];
  const seen = new Tally();
  const counts = { calls: 0, failed: 0, sentAgain: 0 };
  const answered: Answered = { transfers: 0, vouchers: 0 };
  const world = await createCampaignWorld();
  const balancer = await (options.hasCaddy ? startCaddy() : startBalancer());
  try {
    const start = async () => {
      const started = await world.start(balancer.placeNext());
      balancer.processes.add(started.url);
      return started;
    };
    const running: ServiceProcess[] = [];
    for (let i = 0; i < PROCESSES; i++) running.push(await start());
    let isOver = false;
    const judge = ({ status, code }: Sight, what: keyof Answered | "catalog") => {
      if (status !== 200) {
        counts.failed += 1;
        violations.push(`${what}: a caller got ${status} ${code}`);
      } else if (what !== "catalog") answered[what] += 1;
    };
    const until = async (send: () => Promise<Sight>) => {
      counts.calls += 1;
      for (const endMs = Date.now() + PATIENCE_MS; ; ) {
        const sight = await send();
        seen.add(`${sight.status} ${sight.code}`.trim());
        if (sight.status !== 503 || Date.now() > endMs) return sight;
        counts.sentAgain += 1;
        await new Promise((resume) => setTimeout(resume, sight.retryAfterMs || 250));
      }
    };
    const loads = listLoads(world, options, choices, balancer.url, until, judge);
    const working = loads.map(async (work) => {
      // Asking for a price may fail as well; it counts as a call.
      while (!isOver)
        await work().catch((error: Error) => {
          counts.failed += 1;
          violations.push(`a caller got no price: ${error.message.slice(0, 200)}`);
        });
    });
    let replaced = 0;
    for (let round = 1; round <= options.rounds; round++)
      for (let place = 0; place < PROCESSES; place++) {
        await new Promise((resume) => setTimeout(resume, options.seconds * 1000));
        const former = running[place] as ServiceProcess;
        running[place] = await start();
        const code = await former.stop(options.isKilled ? "SIGKILL" : "SIGTERM");
        balancer.processes.delete(former.url);
        if (code !== 0 && !options.isKilled) violations.push(`a process ended with ${code} after SIGTERM`);
        replaced += 1;
        tell(`${replaced} replaced, ${counts.calls} calls, ${counts.failed} failed`);
      }
    isOver = true;
    await Promise.all(working);
    violations.push(...(await auditRows(world.db)), ...(await auditMoney(world, answered)));
    return {
      campaign: "rolling",
      seed: options.seed,
      replaced,
      ...counts,
      passedOn: balancer.passedOn(),
      balancerErrors: balancer.errors(),
      seen,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    await balancer.close();
    await world.close();
  }
}

/** Calls that got their answer, by how they were paid. */
interface Answered {
  transfers: number;
  vouchers: number;
}

/** Each answer was charged once: transfers on the chain, vouchers in their channels. */
async function auditMoney(
  { db, devnet }: CampaignWorld,
  { transfers, vouchers }: Answered,
): Promise<string[]> {
  const { charges } = await auditBooks(db, devnet);
  const [row] = await db.query<{ sold: bigint; open: bigint; differing: bigint }>({
    text: `SELECT (SELECT count(*) FROM invocations WHERE state = 'settled' AND channel_no IS NOT NULL) AS sold,
             (SELECT count(*) FROM invocations WHERE state IN ('reserved', 'settling', 'unknown')) AS open,
             (SELECT count(*) FROM channels c WHERE charged <> (SELECT coalesce(sum(amount), 0) FROM invocations i
                WHERE i.channel_no = c.channel_no AND state = 'settled')) AS differing`,
  });
  return [
    ...(charges === transfers ? [] : [`${charges} charges on the chain for ${transfers} answers`]),
    ...(Number(row?.sold) === vouchers ? [] : [`${row?.sold} charges of channels for ${vouchers} answers`]),
    ...(row?.open === 0n ? [] : [`${row?.open} calls have not ended`]),
    ...(row?.differing === 0n
      ? []
      : [`${row?.differing} channels were charged another sum than their calls`]),
  ];
}

/** What callers do, one after another for each of them. */
function listLoads(
  { devnet }: CampaignWorld,
  { payers }: RollingOptions,
  choices: ReturnType<typeof createSeededChoices>,
  url: string,
  until: (send: () => Promise<Sight>) => Promise<Sight>,
  judge: (sight: Sight, what: keyof Answered | "catalog") => void,
): (() => Promise<void>)[] {
  // An answer that stays fresh for as long as the campaign takes: the end of one changes the price, which callers see as 402.
  const path = `/api/v1/capabilities/contract.interface/invoke?address=${devnet.contracts.plainToken}`;
  const byTransfer = devnet.accounts.slice(0, payers).map(({ privateKey }) => async () => {
    const call = await prepareCall(url, createPayer(privateKey), path);
    judge(await until(() => attempt(url, call)), "transfers");
  });
  const byVoucher = devnet.accounts.slice(payers, 2 * payers).map(({ privateKey }) => {
    const payer = createVoucherPayer(devnet, privateKey, choices, () => 50);
    return async () => {
      const call = await payer.sign(path, await fetchChallenge(url + path));
      const sight = await until(() => attempt(url, call));
      judge(sight, "vouchers");
      await payer.learn(call, sight);
    };
  });
  const unpaid = async () => {
    const status = await fetch(`${url}/api/v1/capabilities`).then(
      (response) => response.status,
      () => 0,
    );
    judge(await until(async () => ({ status, code: "", digest: undefined, retryAfterMs: 0 })), "catalog");
  };
  return [...byTransfer, ...byVoucher, unpaid];
}
