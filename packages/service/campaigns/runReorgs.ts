import { createRoundChoices, createSeededChoices } from "@assay/chain/testing/seededChoices";
import { type Audit, auditBooks } from "./auditBooks.js";
import { type CampaignWorld, createCampaignWorld } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import {
  attempt,
  attemptUntilFinal,
  createPayer,
  guardPath,
  isFinal,
  keyOf,
  type PaidCall,
  prepareCall,
  type Sight,
  SNAPSHOT_PATH,
} from "./paidCalls.js";
import { type ReorgNode, startReorgNode } from "./reorgNode.js";
import { endLeases } from "./runKill.js";

export interface ReorgsOptions extends CampaignOptions {
  /** Paid calls, each with one reorganisation. */
  readonly rounds: number;
  readonly postgresUrl?: string | undefined;
  /** The control: settled payments are not looked at again once their blocks are final. */
  readonly unconfirmed?: boolean;
}

export interface ReorgsSummary extends CampaignSummary {
  readonly unconfirmed: boolean;
  readonly rounds: number;
  /** Rounds in which the call asked the node often enough for its reorganisation to happen. */
  readonly reorganised: number;
  readonly byDepth: Tally;
  /** Before or after which of the call's requests to the node. */
  readonly byRequest: Tally;
  readonly seen: Tally;
  readonly answered: number;
  readonly refused: number;
  /** Settled calls whose payment was undone and delivered once more. */
  readonly redelivered: number;
  readonly settled: number;
  readonly charges: number;
  readonly byState: Record<string, number>;
  readonly ms: number;
}

const MAX_DEPTH = 10;
/** A call that is computed anew asks the node so often, with its settlement. */
const MAX_REQUESTS = 12;
const QUIET_LIMIT_MS = 180_000;

/** While each call is paid for, the node replaces its newest 1 to 10 blocks before or after one of the call's requests. */
export async function runReorgs(options: ReorgsOptions): Promise<ReorgsSummary> {
  const startedAt = performance.now();
  const world = await createCampaignWorld({ postgresUrl: options.postgresUrl });
  const node = await startReorgNode(world.devnet, createSeededChoices(options.seed));
  try {
    return await play(options, world, node, startedAt);
  } finally {
    await node.close();
    await world.close();
  }
}

async function play(
  options: ReorgsOptions,
  world: CampaignWorld,
  node: ReorgNode,
  startedAt: number,
): Promise<ReorgsSummary> {
  const { seed, rounds, unconfirmed = false } = options;
  const service = await world.start({ RPC_URL: node.url });
  if (unconfirmed) await confirmNothing(world);
  const [byDepth, byRequest, seen] = [new Tally(), new Tally(), new Tally()];
  const violations: string[] = [];
  const finals: { call: PaidCall; sight: Sight }[] = [];
  const open: PaidCall[] = [];
  let reorganised = 0;
  const note = (sight: Sight) => {
    seen.add(`${sight.status} ${sight.code}`.trim());
    if (sight.status === 500 || sight.status === 0)
      violations.push(`a caller saw ${sight.status} ${sight.code}`);
  };
  for (let round = 1; round <= rounds; round += 1) {
    const choices = createRoundChoices(seed, round);
    const payer = createPayer(choices.pick(world.devnet.accounts).privateKey);
    const path = choices.chance(0.3) ? SNAPSHOT_PATH : guardPath(choices.hex(20));
    const call = await prepareWhenPossible(service.url, payer, path);
    // Each depth and each request is met once in a hundred and twenty rounds; before and after take turns.
    const depth = 1 + ((round - 1) % MAX_DEPTH);
    const request = 1 + (Math.floor((round - 1) / MAX_DEPTH) % MAX_REQUESTS);
    const isBefore = choices.chance(0.5);
    node.arm({ request, depth, isBefore });
    const first = await attempt(service.url, call);
    note(first);
    const sight = isFinal(first) ? first : await attemptUntilFinal(service.url, call, note, 20_000);
    if (node.disarm().isDone) {
      reorganised += 1;
      byDepth.add(String(depth).padStart(2, "0"));
      byRequest.add(`${isBefore ? "before" : "after"} ${String(request).padStart(2, "0")}`);
    }
    if (isFinal(sight)) finals.push({ call, sight });
    else open.push(call);
    if (round % 20 === 0 || round === rounds)
      options.onProgress?.(`reorgs ${round}/${rounds}: ${reorganised} reorganised, ${open.length} open`);
  }
  await endLeases(world);
  for (const call of open) {
    const sight = await attemptUntilFinal(service.url, call, note, 60_000);
    if (isFinal(sight)) finals.push({ call, sight });
    else violations.push(`a caller never got an answer: ${sight.status} ${sight.code}`);
  }
  const audit = await waitUntilConfirmed(world);
  violations.push(...audit.violations, ...judge(finals, audit));
  if (service.isDead()) violations.push(`the service died: ${service.errors()}`);
  const [undone] = await world.db.query<{ n: bigint }>({
    text: "SELECT count(*) n FROM invocations WHERE redelivered_by IS NOT NULL",
  });
  return {
    campaign: "reorgs",
    seed,
    unconfirmed,
    rounds,
    reorganised,
    byDepth,
    byRequest,
    seen,
    answered: finals.filter(({ sight }) => sight.status === 200).length,
    refused: finals.filter(({ sight }) => sight.status === 402).length,
    redelivered: Number(undone?.n),
    settled: audit.settled,
    charges: audit.charges,
    byState: audit.byState,
    violations,
    ms: Math.round(performance.now() - startedAt),
  };
}

function judge(finals: readonly { call: PaidCall; sight: Sight }[], audit: Audit): string[] {
  const lost = finals.filter(
    ({ call, sight }) => sight.status === 200 && !audit.settledKeys.has(keyOf(call)),
  );
  const taken = finals.filter(({ call, sight }) => sight.status === 402 && audit.charged.has(keyOf(call)));
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged answers are lost`] : []),
    ...(taken.length > 0 ? [`${taken.length} callers got 402 and were charged`] : []),
  ];
}

/** The service gives no price while it does not know where the chain is. */
async function prepareWhenPossible(...[url, payer, path]: Parameters<typeof prepareCall>): Promise<PaidCall> {
  for (let tries = 1; ; tries += 1)
    try {
      return await prepareCall(url, payer, path);
    } catch (error) {
      if (tries === 60) throw error;
      await new Promise((resume) => setTimeout(resume, 500));
    }
}

/** Until every settled payment was seen in a final block; those that were undone are delivered again meanwhile. */
async function waitUntilConfirmed(world: CampaignWorld): Promise<Audit> {
  const endMs = Date.now() + QUIET_LIMIT_MS;
  for (;;) {
    await endLeases(world);
    await world.db.query({ text: "UPDATE unfinal_settlements SET next_check = now()" });
    await new Promise((resume) => setTimeout(resume, 3_000));
    const [left] = await world.db.query<{ n: bigint }>({
      text: "SELECT count(*) n FROM unfinal_settlements",
    });
    const audit = await auditBooks(world.db, world.devnet);
    if ((left?.n === 0n && audit.unfinished === 0) || Date.now() > endMs) return audit;
  }
}

/** Rows that the job would find are not kept. */
async function confirmNothing({ db }: CampaignWorld): Promise<void> {
  for (const text of [
    "CREATE FUNCTION confirm_nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    "CREATE TRIGGER confirm_nothing BEFORE INSERT ON unfinal_settlements FOR EACH ROW EXECUTE FUNCTION confirm_nothing()",
  ])
    await db.query({ text });
}
