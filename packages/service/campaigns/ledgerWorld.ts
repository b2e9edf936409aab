import { createSecretKey } from "node:crypto";
import { baseLaunchVenues, baseSwapRouters, getCapability } from "@assay/capabilities";
import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { Devnet } from "@assay/devnet";
import { type Hex, inputHashOf, microUsdFromNumber } from "@assay/protocol";
import { pino } from "pino";
import { keccak256 } from "viem";
import { noFailpoints } from "../src/base/failpoints.js";
import { createLocalSigner } from "../src/base/signers/digestSigner.js";
import { createFreshness } from "../src/evidence/freshness.js";
import { createEvidenceSigner } from "../src/evidence/signer.js";
import type { SettlementContext } from "../src/payments/paymentsContext.js";
import { createPriceBook } from "../src/quotes/priceBook.js";
import { createBatchCalls } from "../src/store/batchCalls.js";
import { type Database, isDatabaseOutage, type Statement } from "../src/store/database.js";
import { noRateLimits } from "../src/store/rateLimits.js";
import { createCampaignWorld } from "./campaignWorld.js";
import type { LedgerTerms } from "./ledgerModel.js";

/** What a control run removes. */
export type Protection = "cap" | "cause" | "debit";

/** An input that agents ask about. */
export interface LedgerInput {
  readonly capabilityId: string;
  readonly inputHash: string;
  /** Whose code the answer rests on. */
  readonly address: Hex | null;
  readonly isShared: boolean;
}

/** A process of the service, as far as the ledger goes. */
export type LedgerProcess = SettlementContext;

export interface LedgerWorld {
  readonly db: Database;
  readonly processes: readonly LedgerProcess[];
  readonly inputs: readonly LedgerInput[];
  readonly wallets: readonly Hex[];
  readonly terms: LedgerTerms;
  /** A process in which every transaction aborts before its statement of this number, or before its commit. */
  doomed(crashAt: number): LedgerProcess;
  /** The code that stands at the address now, and the newest block. */
  codeOf(address: Hex): { readonly hash: Hex; readonly bytes: number; readonly block: number };
  changeCode(address: Hex): Promise<void>;
  /** Empties the books. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Thrown where a process would be gone. Looks like a lost connection, so that nothing tries again by itself. */
class Crash extends Error {
  override readonly name = "Crash";
  readonly code = "57P01";
}
export const isCrash = (error: unknown): boolean => error instanceof Crash;

const PROCESSES = 3;
/** Low next to what the calls cost, so that seeds reach their caps. */
const MISS_USD = 0.004;
const missMicroUsd = microUsdFromNumber(MISS_USD);

const walletAt = (n: number): Hex => `0x${(n + 1).toString(16).padStart(40, "0")}`;
const wallets = Array.from({ length: 16 }, (_, n) => walletAt(n));
/** The first two publish; the third was attested until its last audit failed. */
export const publishers = wallets.slice(0, 2);
const [fallen] = wallets.slice(2, 3) as [Hex];

const address = (n: number): Hex => `0x${(0xc0de00 + n).toString(16).padStart(40, "0")}`;
const guardInputHash = (place: string) =>
  inputHashOf("contract.guard", getCapability("contract.guard").version, { address: place });
const inputs: readonly LedgerInput[] = [
  ...[0, 1, 2, 3].map((n) => ({
    capabilityId: "contract.guard",
    inputHash: guardInputHash(address(n)),
    address: address(n),
    isShared: true,
  })),
  ...["token.metadata", "chain.snapshot", "web.compile"].flatMap((capabilityId) =>
    ["a", "b"].map((name) => ({
      capabilityId,
      inputHash: `${capabilityId}/${name}`,
      address: null,
      isShared: true,
    })),
  ),
  { capabilityId: "amm.swap.guard", inputHash: "private", address: null, isShared: false },
];

const prices = createPriceBook(
  Object.fromEntries(
    inputs.map(({ capabilityId }) => [
      capabilityId,
      { cacheHitUsd: MISS_USD, fingerprintHitUsd: MISS_USD, cacheMissUsd: MISS_USD },
    ]),
  ),
);

/** The statements that hold a protection, and their text without it. */
const withoutProtection: Record<
  Protection,
  { statement?: string; from?: string; to?: string; ddl: string[] }
> = {
  cap: {
    statement: "dividends_pay",
    from: "cap_micro_usd - earned_micro_usd AS room",
    to: "1000000000000000 AS room",
    ddl: ["ALTER TABLE seeds DROP CONSTRAINT seeds_check"],
  },
  cause: { ddl: ["ALTER TABLE credit_entries DROP CONSTRAINT credit_entries_cause_key"] },
  debit: { ddl: ["ALTER TABLE credit_balances DROP CONSTRAINT credit_balances_check"] },
};

export async function createLedgerWorld(options: {
  readonly postgresUrl?: string | undefined;
  readonly without?: Protection | undefined;
}): Promise<LedgerWorld> {
  const world = await createCampaignWorld({ postgresUrl: options.postgresUrl });
  const { devnet } = world;
  const db = weaken(world.db, options.without);
  const versions = new Map<Hex, number>();
  const codeAt = (place: Hex): Hex => `0x60${(versions.get(place) ?? 0).toString(16).padStart(2, "0")}6000f3`;
  const setCode = (place: Hex) => devnet.request("hardhat_setCode", [place, codeAt(place)]);
  for (const input of inputs) if (input.address) await setCode(input.address);
  await devnet.mine(1);
  const chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
  const createProcess = (database: Database) => describeProcess(devnet, chain, database);
  const createGather = () => createBatchCalls((error) => !isDatabaseOutage(error));
  const doomedGather = createGather();

  await db.query({ text: NOTE_PUBLICATIONS });
  for (const text of options.without ? withoutProtection[options.without].ddl : []) await db.query({ text });
  return {
    db,
    inputs,
    wallets,
    processes: Array.from({ length: PROCESSES }, () => createProcess({ ...db, batch: createGather() })),
    terms: {
      missMicroUsd,
      guardInputHash,
      isAttested: (wallet) => publishers.includes(wallet as Hex),
    },
    doomed: (crashAt) => createProcess({ ...crashing(db, crashAt), batch: doomedGather }),
    codeOf(place) {
      const code = codeAt(place);
      return {
        hash: keccak256(code),
        bytes: (code.length - 2) / 2,
        block: chain.getFreshHead().header.number,
      };
    },
    async changeCode(place) {
      versions.set(place, ((versions.get(place) ?? 0) + 1) % 3);
      await setCode(place);
      await devnet.mine(1);
      // The head that is followed is this one from now on, without waiting for the next poll.
      await chain.latestBlock();
    },
    async reset() {
      await db.query({ text: RESET });
      await db.query({
        text: `INSERT INTO publishers (wallet, passed, passed_with_code, first_passed_at, last_failed_at)
               SELECT wallet, 1, 1, now(), CASE wallet WHEN $2 THEN now() END FROM unnest($1::text[]) AS w (wallet)`,
        values: [[...publishers, fallen], fallen],
      });
    },
    async close() {
      await chain.close();
      await world.close();
    },
  };
}

/** Everything but the database is the same for all of them, and real. */
function describeProcess(devnet: Devnet, chain: Chain, database: Database): LedgerProcess {
  return {
    database,
    chain,
    prices,
    limits: noRateLimits,
    logger: pino({ level: "silent" }),
    failpoints: noFailpoints,
    freshness: createFreshness(),
    signer: createEvidenceSigner(createLocalSigner(devnet.settler.privateKey)),
    settings: {
      publicUrl: "http://127.0.0.1",
      payTo: devnet.payTo,
      stablecoin: devnet.stablecoin,
      channels: undefined,
      swapRouters: baseSwapRouters,
      launchVenues: baseLaunchVenues,
      issuers: [],
      isSimulated: () => false,
      agentRegistrations: [],
      claimsFeed: "enabled",
      writesBreadcrumbs: false,
      ticketSecret: createSecretKey(Buffer.alloc(32)),
      otherTicketSecrets: [],
      webTestHosts: new Map(),
      bountyDelaySeconds: 0,
      retention: { unpaidHours: 24, unusedHours: 24, pledgeDays: 30 },
      answerSecret: Buffer.alloc(32),
      formerAnswerSecrets: [],
    },
  };
}

/**
 * The log tells the order of the commits. A publication enters it only when it is first used, so here the database notes each
 * one as its transaction ends.
 */
const NOTE_PUBLICATIONS = `
  CREATE FUNCTION note_publication() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM log_append(ARRAY['published'], ARRAY[convert_to(json_build_object('publicationId', NEW.publication_id,
      'wallet', NEW.wallet, 'address', NEW.address, 'bytecodeHash', NEW.bytecode_hash,
      'computedAtBlock', NEW.computed_at_block)::text, 'UTF8')]);
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER note_publication AFTER INSERT ON publications DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.audit = 'passed') EXECUTE FUNCTION note_publication()`;

const RESET = `
  TRUNCATE invocations, responses, artifacts, fingerprints, quotes, credit_balances, credit_entries, seeds,
    publications, publishers, pledges, asked_capabilities, outcomes, review_days, action_nonces, stats_days,
    stats_durations, stats_wallets, stats_last_days, stats_cohorts, log_leaves, log_nodes, log_tiles CASCADE;
  UPDATE log_packing SET tiles = 0;
  UPDATE log_head SET size = 0`;

/** Takes a protection out of the statements of a database. */
function weaken(db: Database, without: Protection | undefined): Database {
  const { statement, from = "", to = "" } = without ? withoutProtection[without] : {};
  if (!statement) return db;
  const weakened = (given: Statement): Statement => {
    if (given.name !== statement) return given;
    if (!given.text.includes(from)) throw new Error(`${statement} no longer says: ${from}`);
    return { ...given, name: `${statement}_weakened`, text: given.text.replace(from, to) };
  };
  return {
    ...db,
    transaction: (work) =>
      db.transaction((tx) => work({ isTransaction: true, query: (given) => tx.query(weakened(given)) })),
  };
}

function crashing(db: Database, crashAt: number): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        let left = crashAt;
        await work({
          isTransaction: true,
          async query(statement) {
            left -= 1;
            if (left <= 0) throw new Crash(`before ${statement.name}`);
            return tx.query(statement);
          },
        });
        throw new Crash("before the commit");
      }),
  };
}
