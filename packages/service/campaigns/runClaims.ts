import { createRoundChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import type { ChallengeEvidence, Hex } from "@assay/protocol";
import { getAddress } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { insertClaim } from "../src/claims/testing/insertClaim.js";
import { sendChallenge } from "../src/claims/testing/sendChallenge.js";
import type { Database } from "../src/store/database.js";
import { auditChallenges } from "./auditChallenges.js";
import type { CampaignWorld, ServiceProcess } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { atTwoProcesses, type TwoProcessesOptions } from "./twoProcesses.js";

export interface ClaimsOptions extends CampaignOptions, TwoProcessesOptions {
  /** Claims raced for at two processes. */
  readonly rounds: number;
  /** Valid counterexamples to each of them, by as many wallets. */
  readonly racers: number;
  /** Claims at which a process is killed in the middle of a challenge. */
  readonly kills: number;
  /** The control: claims are resolved by reading first and writing later. Several winners are expected. */
  readonly withoutProtection?: boolean;
}

export interface ClaimsSummary extends CampaignSummary {
  readonly withoutProtection: boolean;
  readonly claims: number;
  readonly racers: number;
  /** Answers with 201. */
  readonly awards: number;
  readonly kills: number;
  readonly seen: Tally;
  readonly ms: number;
}

interface Racer {
  readonly account: PrivateKeyAccount;
  readonly nonce: string;
  readonly evidence: ChallengeEvidence;
}

/**
 * Many wallets contradict one false claim at the same moment, at two processes, among others with invalid evidence.
 * One of them may win. Then processes are killed inside a challenge, and the challengers without an answer ask again.
 */
export async function runClaims(options: ClaimsOptions): Promise<ClaimsSummary> {
  const { seed, rounds, racers, kills } = options;
  const startedAt = performance.now();
  const violations: string[] = [];
  const seen = new Tally();
  let awards = 0;
  return atTwoProcesses(options, async ({ world, processes }) => {
    if (options.withoutProtection) await removeProtection(world.db);
    for (let round = 1; round <= rounds + kills; round++) {
      const choices = createRoundChoices(seed, round);
      const race = await prepareRace(world, choices, racers);
      const { won, faults } = await (round <= rounds
        ? runRace(processes, race, seen)
        : runKill(world, processes[0], race, choices, seen));
      awards += won;
      violations.push(...faults.map((fault) => `round ${round}: ${fault}`));
      options.onProgress?.(
        `claims ${round}/${rounds + kills}: ${awards} awards, ${violations.length} violations`,
      );
    }
    violations.push(...(await auditChallenges(world.db)));
    return {
      campaign: "claims",
      seed,
      withoutProtection: options.withoutProtection ?? false,
      claims: rounds + kills,
      racers,
      awards,
      kills,
      seen,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  });
}

interface Race {
  readonly claimId: Hex;
  readonly field: readonly Racer[];
}

async function prepareRace(
  { devnet, db }: CampaignWorld,
  choices: SeededChoices,
  racers: number,
): Promise<Race> {
  const { upgradeableProxy, beaconProxy, legacyProxy, boxV1 } = devnet.contracts;
  const head = Number(await devnet.request<Hex>("eth_blockNumber"));
  const fromBlock = head - choices.integer(0, 3);
  const claimId = await insertClaim(db, {
    type: "upgrade_window",
    address: choices.pick([upgradeableProxy, beaconProxy, legacyProxy]),
    implementation: choices.hex(20),
    fromBlock,
    toBlock: head,
  });
  const right = getAddress(boxV1);
  const racer = (implementation: Hex): Racer => ({
    account: privateKeyToAccount(choices.hex(32)),
    nonce: choices.hex(16),
    evidence: { block: choices.integer(fromBlock, head), implementation },
  });
  const valid = Array.from({ length: racers }, () => racer(right));
  const invalid = Array.from({ length: Math.ceil(racers / 10) }, () => racer(choices.hex(20)));
  return { claimId, field: choices.shuffle([...valid, ...invalid]) };
}

/** How long a challenger that gets 503 keeps asking. */
const PATIENCE_MS = 30_000;

/** What a challenger saw; undefined where the process died before it answered. */
async function challenge(
  { url }: ServiceProcess,
  claimId: Hex,
  { account, nonce, evidence }: Racer,
  seen: Tally,
): Promise<string | undefined> {
  const endMs = Date.now() + PATIENCE_MS;
  try {
    for (;;) {
      const { status, body } = await sendChallenge(url, account, claimId, evidence, { signed: { nonce } });
      const sight = `${status} ${body.resolution ?? body.code}`;
      seen.add(sight);
      if (status !== 503 || Date.now() > endMs) return sight;
      await new Promise((resume) => setTimeout(resume, 250));
    }
  } catch {
    seen.add("no answer");
    return undefined;
  }
}

const AWARD = "201 counterexample_valid";
const EXPECTED = [AWARD, "200 already_resolved", "200 invalid_evidence"];

async function runRace(processes: readonly ServiceProcess[], { claimId, field }: Race, seen: Tally) {
  // Alternating, so that both processes are always in the race.
  const sights = await Promise.all(
    field.map((racer, i) =>
      challenge(processes[i % processes.length] as ServiceProcess, claimId, racer, seen),
    ),
  );
  const won = sights.filter((sight) => sight === AWARD).length;
  const odd = sights.filter((sight) => !EXPECTED.includes(sight ?? ""));
  return {
    won,
    faults: [...(won === 1 ? [] : [`${won} awards for one claim`]), ...odd.map((sight) => `saw ${sight}`)],
  };
}

/** One process dies with a challenge written and not committed. Challengers without an answer ask the other process. */
async function runKill(
  world: CampaignWorld,
  survivor: ServiceProcess,
  { claimId, field }: Race,
  choices: SeededChoices,
  seen: Tally,
) {
  const turn = choices.integer(1, Math.max(1, Math.floor(field.length / 4)));
  const armed = await world.start({ FAILPOINT: `inside_challenge:${turn}` });
  const alone = choices.chance(0.5);
  const sights = await Promise.all(
    field.map((racer, i) => challenge(alone || i % 2 === 0 ? armed : survivor, claimId, racer, seen)),
  );
  const faults = armed.isDead() || sights.includes(undefined) ? [] : ["the failpoint was not reached"];
  await armed.kill();
  faults.push(...(await auditChallenges(world.db)));
  const again = await Promise.all(
    field.map((racer, i) => sights[i] ?? challenge(survivor, claimId, racer, seen)),
  );
  // A used nonce shows that the challenge was recorded and only its answer was lost.
  const odd = again.filter((sight) => ![...EXPECTED, "401 action_nonce_used"].includes(sight ?? ""));
  const [row] = await world.db.query<{ n: bigint }>({
    text: "SELECT count(*) AS n FROM challenges WHERE claim_id = $1 AND resolution = 'counterexample_valid'",
    values: [claimId],
  });
  const won = again.filter((sight) => sight === AWARD).length;
  if (won > 1 || row?.n !== 1n) faults.push(`${won} awards, ${row?.n} recorded, for one claim`);
  return { won: Number(row?.n), faults: [...faults, ...odd.map((sight) => `saw ${sight}`)] };
}

/**
 * Puts a view in the table's place. The condition is checked when the row is read, and the write a moment later checks
 * nothing: a read-then-write race inside the unchanged service.
 */
async function removeProtection(db: Database): Promise<void> {
  for (const text of [
    "DROP INDEX challenges_winner",
    "ALTER TABLE claims RENAME TO claims_kept",
    "CREATE VIEW claims AS SELECT * FROM claims_kept",
    `CREATE FUNCTION write_claim_unasked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       PERFORM pg_sleep(0.2);
       UPDATE claims_kept SET status = NEW.status, resolved_at = NEW.resolved_at, challenge_id = NEW.challenge_id
         WHERE claim_id = OLD.claim_id;
       RETURN NEW;
     END $$`,
    "CREATE TRIGGER write_claim_unasked INSTEAD OF UPDATE ON claims FOR EACH ROW EXECUTE FUNCTION write_claim_unasked()",
  ])
    await db.query({ text });
}
