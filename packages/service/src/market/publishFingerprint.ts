import {
  AssayError,
  type CapabilityPrices,
  type Publication,
  type PublicationRequest,
  type Published,
} from "@assay/protocol";
import { type SignedAction, spendNonce } from "../actions/signedAction.js";
import type { BaseContext } from "../base/context.js";
import { claimFingerprint, findFreshFingerprint } from "../evidence/fingerprints.js";
import type { Queryable } from "../store/database.js";
import {
  auditFingerprint,
  codeHasChanged,
  getHeadFor,
  isSameCode,
  readCodeFacts,
} from "./auditFingerprint.js";
import { fingerprintInputHash } from "./fingerprintSeed.js";
import { isAttestedWallet } from "./isAttestedWallet.js";
import { type Audit, type CodeFacts, createPublication, findBurned, getPublication } from "./publications.js";
import { describeEconomics } from "./seederEconomics.js";
import { lifetimeCapOf } from "./seederTerms.js";

/**
 * Takes a fingerprint that a wallet computed, if no fresh one of that code has a seeder and the chain says the same at
 * the block it names. Then the wallet is its seeder, for longer once somebody has paid to use it; else the publication is
 * burned, and its wallet's record says so. A publication costs nothing, so it lowers no price: that does the first call which is
 * paid in full.
 */
export async function publishFingerprint(
  context: BaseContext,
  request: PublicationRequest,
  signed: SignedAction,
  prices: CapabilityPrices,
): Promise<Published> {
  const { chain, database } = context;
  const statement = { ...request, address: lowercase(request.address) };
  const head = await getHeadFor(chain, statement.computedAtBlock);
  const [current, known, burned] = await Promise.all([
    readCodeFacts(chain, head, statement.address),
    findFreshFingerprint(database, statement.address),
    findBurned(database, statement),
  ]);
  if (known?.codeHash === current.bytecodeHash && (await isSeeded(database, statement.address, current)))
    throw freshError();
  if (burned) {
    await database.transaction((tx) => spendNonce(tx, signed));
    throw burnedError(burned);
  }
  const audit = await auditFingerprint(chain, statement, head);
  if (!isSameCode(statement, audit.observed)) throw await burn(context, statement, signed, audit);
  if (!isSameCode(audit.observed, current)) throw codeHasChanged();
  return accept(context, statement, signed, audit, { headBlock: head.number, prices });
}

const lowercase = (address: PublicationRequest["address"]) =>
  address.toLowerCase() as PublicationRequest["address"];

const freshError = () =>
  new AssayError(
    "fingerprint_fresh",
    "The fingerprint of this address is known and has a seeder: it was observed less than 30 days ago, and the code is the same.",
  );

function burnedError({ publicationId, computedAtBlock, blockHash, observed, ...claimed }: Publication) {
  const describe = (code: { bytecodeHash: string | null; bytecodeBytes: number }) =>
    `bytecodeHash ${code.bytecodeHash} and bytecodeBytes ${code.bytecodeBytes}`;
  return new AssayError(
    "publication_burned",
    `${publicationId} states ${describe(claimed)} for ${claimed.address} at block ${computedAtBlock}; the chain has ` +
      `${describe(observed)} there (block ${blockHash}). It stays burned; another statement may be published.`,
  );
}

/** Records the failed audit; a statement is burned once, however many publish it at the same time. */
async function burn(
  { database }: BaseContext,
  statement: PublicationRequest,
  signed: SignedAction,
  audit: Audit,
): Promise<AssayError> {
  const burned = await database.transaction(async (tx) => {
    await spendNonce(tx, signed);
    return (await createPublication(tx, statement, audit, "failed")) ?? findBurned(tx, statement);
  });
  if (!burned) throw new Error("a burned publication is gone");
  return burnedError(burned);
}

interface SeedTerms {
  /** The newest block at which the code was read. */
  readonly headBlock: number;
  readonly prices: CapabilityPrices;
}

/** Everything that a passed audit gives, in one transaction; of many publishers at once one gets it. */
async function accept(
  context: BaseContext,
  statement: PublicationRequest,
  signed: SignedAction,
  audit: Audit,
  { headBlock, prices }: SeedTerms,
): Promise<Published> {
  const { wallet, address, bytecodeHash, bytecodeBytes } = statement;
  const inputHash = fingerprintInputHash(address);
  const published = await context.database.transaction(async (tx) => {
    await spendNonce(tx, signed);
    const fingerprint = { address, codeHash: bytecodeHash, bytecodeBytes, computedAtBlock: headBlock };
    if (!(await claimFingerprint(tx, fingerprint))) throw freshError();
    // By the audits before this one: these are the terms that the publisher could read.
    const attested = await isAttestedWallet(tx, wallet);
    const capMicroUsd = lifetimeCapOf(prices.missMicroUsd, attested);
    const { unusedHours } = context.settings.retention;
    const freshUntil = await claimSeed(tx, statement, inputHash, capMicroUsd, unusedHours);
    if (!freshUntil) throw freshError();
    const created = await createPublication(tx, statement, audit, "passed");
    if (!created) throw new Error("a passed publication was not written");
    await tx.query({
      name: "demand_met",
      text: "DELETE FROM demand WHERE input_hash = $1",
      values: [inputHash],
    });
    return { publicationId: created.publicationId, freshUntil, attested };
  });
  return {
    ...(await getPublication(context.database, published.publicationId)),
    seeder: {
      wallet,
      freshUntil: published.freshUntil.toISOString(),
      economics: describeEconomics(prices, published.attested),
    },
  };
}

/** A call of another capability may leave a fingerprint without a seeder: then its slot is still open. */
async function isSeeded(db: Queryable, address: string, { bytecodeHash }: CodeFacts): Promise<boolean> {
  const rows = await db.query({
    name: "seed_fresh",
    text: `SELECT FROM seeds WHERE input_hash = $1 AND fresh_until > now() AND code_hash IS NOT DISTINCT FROM $2`,
    values: [fingerprintInputHash(address), bytecodeHash],
  });
  return rows.length > 0;
}

/** The end of the seed's freshness unless it is used before, or undefined when somebody's is fresh. */
async function claimSeed(
  tx: Queryable,
  { wallet, capabilityId, bytecodeHash }: PublicationRequest,
  inputHash: string,
  capMicroUsd: bigint,
  unusedHours: number,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ fresh_until: Date }>({
    name: "seed_claim_published",
    text: `INSERT INTO seeds (input_hash, capability_id, wallet, source, code_hash, cap_micro_usd, fresh_until)
           VALUES ($1, $2, $3, 'publication', $4, $5, now() + ($6 * interval '1 hour'))
           ON CONFLICT (input_hash) DO UPDATE
             SET wallet = excluded.wallet, source = excluded.source, code_hash = excluded.code_hash,
                 cap_micro_usd = excluded.cap_micro_usd, earned_micro_usd = 0, seeded_at = now(),
                 fresh_until = excluded.fresh_until
             WHERE seeds.fresh_until <= now() OR seeds.code_hash IS DISTINCT FROM excluded.code_hash
           RETURNING fresh_until`,
    values: [inputHash, capabilityId, wallet, bytecodeHash, capMicroUsd, unusedHours],
  });
  return row?.fresh_until;
}
