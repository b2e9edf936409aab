import {
  createRoundChoices,
  createSeededChoices,
  type SeededChoices,
} from "@assay/chain/testing/seededChoices";
import type { AgentActionName, Hex } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import type { Database } from "../src/store/database.js";
import { post, signAction } from "../test/signAction.js";
import type { CampaignWorld, ServiceProcess } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { createPayer } from "./paidCalls.js";
import { atTwoProcesses, type TwoProcessesOptions } from "./twoProcesses.js";

export interface ActionsOptions extends CampaignOptions, TwoProcessesOptions {
  /** Races on a nonce, and as many on a seeder's slot. */
  readonly rounds: number;
  readonly racers: number;
  /** Races run at the same time. */
  readonly lanes?: number;
  /** The control: rows that should be one get keys of their own. More grants than races are expected. */
  readonly withoutProtection?: boolean;
}

export interface ActionsSummary extends CampaignSummary {
  readonly withoutProtection: boolean;
  readonly rounds: number;
  readonly racers: number;
  /** Effects that the raced nonces bought, and slots that the raced publications got. */
  readonly nonceGrants: number;
  readonly slotGrants: number;
  readonly seen: Tally;
  readonly ms: number;
}

interface Races {
  readonly world: CampaignWorld;
  readonly processes: readonly ServiceProcess[];
  readonly wallets: readonly PrivateKeyAccount[];
  readonly seen: Tally;
  readonly violations: string[];
}

/** Signed actions that exclude each other, sent at once to two processes: one may win. */
export async function runActions(options: ActionsOptions): Promise<ActionsSummary> {
  const { seed, rounds, racers, lanes = 1 } = options;
  const startedAt = performance.now();
  const grants = { nonceGrants: 0, slotGrants: 0 };
  return atTwoProcesses(options, async ({ world, processes }) => {
    if (options.withoutProtection) await removeProtection(world.db);
    const choices = createSeededChoices(seed);
    const races: Races = {
      world,
      processes,
      wallets: Array.from({ length: racers }, () => createPayer(choices.hex(32))),
      seen: new Tally(),
      violations: [],
    };
    let next = 1;
    const runLane = async () => {
      for (let round = next++; round <= rounds; round = next++) {
        const roundChoices = createRoundChoices(seed, round);
        const nonceGrants = await raceForNonce(races, round, roundChoices);
        const slotGrants = await raceForSlot(races, round, roundChoices);
        grants.nonceGrants += nonceGrants;
        grants.slotGrants += slotGrants;
        if (round % 100 === 0)
          options.onProgress?.(`actions ${round}/${rounds}: ${describe(races.violations)}`);
      }
    };
    await Promise.all(Array.from({ length: lanes }, runLane));
    return {
      campaign: "actions",
      seed,
      withoutProtection: options.withoutProtection ?? false,
      rounds,
      racers,
      ...grants,
      seen: races.seen,
      violations: races.violations,
      ms: Math.round(performance.now() - startedAt),
    };
  });
}

const describe = (violations: readonly string[]) =>
  `${violations.length} violations${violations.length > 0 ? `, the last: ${violations.at(-1)}` : ""}`;

interface Racer {
  readonly wallet: PrivateKeyAccount;
  readonly action: AgentActionName;
  readonly path: string;
  readonly resource: string;
  readonly nonce?: string;
  readonly body: object;
}

/** Sends all at once, at alternating processes, so that both are always in the race. */
async function race({ processes, seen }: Races, field: readonly Racer[]): Promise<string[]> {
  const requests = await Promise.all(
    field.map(async ({ wallet, path, body, ...action }, i) => {
      const { url } = processes[i % processes.length] as ServiceProcess;
      return { url, path, body, headers: await signAction(url, wallet, action) };
    }),
  );
  return Promise.all(
    requests.map(async ({ url, path, body, headers }) => {
      const response = await post(url, path, headers, body);
      const { code } = (await response.json()) as { code?: string };
      const sight = `${response.status} ${code ?? ""}`.trim();
      seen.add(`${path} ${sight}`);
      return sight;
    }),
  );
}

/** One nonce, signed for as many pledges as there are racers; every second racer pledges for the same. */
async function raceForNonce(races: Races, round: number, choices: SeededChoices): Promise<number> {
  const wallet = choices.pick(races.wallets);
  const nonce = `round-${round}-${choices.hex(8)}`;
  const field = races.wallets.map((_, i): Racer => {
    const capability = `race.${round}.${i % 4 < 2 ? "shared" : i}`;
    return {
      wallet,
      action: "demand_pledge",
      path: "/api/v1/demand-pledges",
      resource: capability,
      nonce,
      body: { wallet: wallet.address, capability },
    };
  });
  const sights = await race(races, choices.shuffle(field));
  const [row] = await races.world.db.query<{ n: bigint }>({
    text: "SELECT count(*) n FROM pledges WHERE wallet = $1 AND starts_with(capability, $2)",
    values: [wallet.address.toLowerCase(), `race.${round}.`],
  });
  judge(races, `round ${round}: nonce`, sights, "401 action_nonce_used", Number(row?.n));
  return sights.filter((sight) => sight === "201" || sight === "200").length;
}

/** One fingerprint that nobody has published, true as every racer states it. */
async function raceForSlot(races: Races, round: number, choices: SeededChoices): Promise<number> {
  const { db, devnet } = races.world;
  const address = choices.hex(20);
  const computedAtBlock = Number(await devnet.request<Hex>("eth_blockNumber"));
  const field = races.wallets.map((wallet): Racer => {
    const statement = { address, bytecodeHash: null, bytecodeBytes: 0, computedAtBlock };
    return {
      wallet,
      action: "artifact_publish",
      path: "/api/v1/artifacts/publish",
      resource: address,
      body: { capabilityId: "contract.guard", wallet: wallet.address, ...statement },
    };
  });
  const sights = await race(races, choices.shuffle(field));
  const [row] = await db.query<{ n: bigint }>({
    text: "SELECT count(*) n FROM publications WHERE address = $1 AND audit = 'passed'",
    values: [address],
  });
  judge(races, `round ${round}: slot`, sights, "409 fingerprint_fresh", Number(row?.n));
  return sights.filter((sight) => sight === "201").length;
}

function judge(
  { violations }: Races,
  name: string,
  sights: readonly string[],
  loss: string,
  effects: number,
) {
  const winners = sights.filter((sight) => sight === "201" || sight === "200").length;
  if (winners !== 1) violations.push(`${name} granted ${winners} times`);
  if (effects !== 1) violations.push(`${name} had ${effects} effects`);
  for (const sight of sights)
    if (sight !== loss && !sight.startsWith("20")) violations.push(`${name}: a racer saw ${sight}`);
}

/** Gives every row its own key, so that no two rows conflict. The service itself is unchanged. */
async function removeProtection(db: Database): Promise<void> {
  for (const [table, key] of [
    ["action_nonces", "nonce"],
    ["fingerprints", "address"],
    ["seeds", "input_hash"],
  ])
    for (const text of [
      `CREATE FUNCTION split_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         NEW.${key} := NEW.${key} || gen_random_uuid();
         RETURN NEW;
       END $$`,
      `CREATE TRIGGER split BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION split_${table}()`,
    ])
      await db.query({ text });
}
