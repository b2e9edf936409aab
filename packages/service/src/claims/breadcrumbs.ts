import { CHAIN_ID, type Hex, keccak256 } from "@assay/protocol";
import { concatHex, parseTransaction, serializeTransaction } from "viem";
import { z } from "zod";
import type { BaseContext } from "../base/context.js";
import { addressOfKey, signDigest } from "../base/secp256k1.js";
import { type Database, isUniqueViolation } from "../store/database.js";

/** Mentions claims on the chain, one transaction each. This is optional: no claim waits for it or depends on it. */
export interface Breadcrumbs {
  readonly address: Hex;
  /** One step: records what was mined, then sends what is due. Several processes may share the key. */
  advance(): Promise<void>;
}

/** A claim is given up after this many attempts, with this time between them. */
const MAX_ATTEMPTS = 10;
const ATTEMPT_SECONDS = 30;
/** 64 bytes of calldata cost 23,560 gas (EIP-7623); the rest is a margin. */
const GAS = 40_000n;
/** Wei per gas. */
const PRIORITY_FEE = 1_000_000n;
/** The base fee rises by at most an eighth per block, so four times it is enough for eleven full blocks. */
const BASE_FEE_MULTIPLE = 4n;

/** A claim whose transaction this process may send for now. */
interface TakenClaim {
  claim_id: Hex;
  survival_hash: Hex | null;
  breadcrumb: "sending" | "failed";
  breadcrumb_attempts: number;
  breadcrumb_raw: Hex | null;
}

export function createBreadcrumbs(
  { database, chain, logger, failpoints }: Omit<BaseContext, "settings" | "limits">,
  privateKey: Hex,
): Breadcrumbs {
  const address = addressOfKey(privateKey);

  const countMined = async () =>
    countSchema.parse(await chain.request("eth_getTransactionCount", [address, "latest"]));

  function sign(nonce: number, data: Hex): Hex {
    const baseFee = chain.findHead()?.header.baseFeePerGas ?? 0n;
    const transaction = {
      type: "eip1559",
      chainId: CHAIN_ID,
      nonce,
      to: address,
      data,
      gas: GAS,
      value: 0n,
      maxFeePerGas: BASE_FEE_MULTIPLE * baseFee + PRIORITY_FEE,
      maxPriorityFeePerGas: PRIORITY_FEE,
    } as const;
    const digest = keccak256(serializeTransaction(transaction));
    return serializeTransaction(transaction, signDigest(privateKey, digest));
  }

  /** The transaction that was signed for the claim, as long as it can be mined; otherwise a new one. */
  async function prepare({ claim_id, survival_hash, breadcrumb_raw: earlier }: TakenClaim): Promise<Hex> {
    const mined = await countMined();
    if (earlier && (parseTransaction(earlier).nonce ?? 0) >= mined) return earlier;
    return sign(mined, concatHex(survival_hash ? [claim_id, survival_hash] : [claim_id]));
  }

  async function noteMined(): Promise<void> {
    const [row] = await database.query<{ breadcrumb_transaction: Hex | null }>({
      name: "breadcrumb_sending",
      text: "SELECT breadcrumb_transaction FROM claims WHERE breadcrumb = 'sending'",
    });
    const hash = row?.breadcrumb_transaction;
    if (!hash || (await chain.request("eth_getTransactionReceipt", [hash])) === null) return;
    await database.query({
      name: "breadcrumb_sent",
      text: `UPDATE claims SET breadcrumb = 'sent', breadcrumb_raw = NULL, breadcrumb_lease_until = NULL
             WHERE breadcrumb = 'sending' AND breadcrumb_transaction = $1`,
      values: [hash],
    });
  }

  async function send(claim: TakenClaim): Promise<void> {
    const raw = await prepare(claim);
    // Stored first: after a crash, the next process finds this transaction and sends no second one.
    if (!(await recordTransaction(database, claim, raw))) return;
    failpoints.reach("before_breadcrumb");
    await chain.request("eth_sendRawTransaction", [raw]);
    failpoints.reach("after_breadcrumb");
  }

  return {
    address,
    async advance() {
      await noteMined();
      const claim = await takeClaim(database);
      if (!claim) return;
      const facts = { claimId: claim.claim_id, attempt: claim.breadcrumb_attempts };
      if (claim.breadcrumb === "failed") logger.warn(facts, "breadcrumb given up");
      else
        await send(claim).catch((err: unknown) =>
          // A node that already knows the transaction answers with an error; the receipt decides.
          logger.warn({ ...facts, err }, "breadcrumb not accepted"),
        );
    },
  };
}

const countSchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform(Number);

/**
 * Takes the claim under way first, once its last attempt is old enough, and starts no other beside it. The account's next
 * nonce is then the number of its mined transactions. Counts the attempt; after the last one the claim is given up.
 */
async function takeClaim(database: Database): Promise<TakenClaim | undefined> {
  const taking = database.query<TakenClaim>({
    name: "breadcrumb_take",
    text: `UPDATE claims SET breadcrumb = CASE WHEN breadcrumb_attempts < $1 THEN 'sending' ELSE 'failed' END,
             breadcrumb_attempts = least(breadcrumb_attempts + 1, $1),
             breadcrumb_lease_until = now() + $2 * interval '1 second'
           WHERE claim_id = (
               SELECT claim_id FROM claims WHERE breadcrumb IN ('due', 'sending')
               ORDER BY breadcrumb = 'due', opened_at, claim_id LIMIT 1)
             AND (breadcrumb = 'due' OR breadcrumb_lease_until <= now())
           RETURNING claim_id, survival_hash, breadcrumb, breadcrumb_attempts, breadcrumb_raw`,
    values: [MAX_ATTEMPTS, ATTEMPT_SECONDS],
  });
  const [claim] = await taking.catch((error: unknown) => {
    // Another process has started another claim at the same moment.
    if (isUniqueViolation(error)) return [];
    throw error;
  });
  return claim;
}

/** False when this attempt took so long that another one has started. */
async function recordTransaction(
  database: Database,
  { claim_id, breadcrumb_attempts }: TakenClaim,
  raw: Hex,
): Promise<boolean> {
  const rows = await database.query({
    name: "breadcrumb_record",
    text: `UPDATE claims SET breadcrumb_transaction = $3, breadcrumb_raw = $4
           WHERE claim_id = $1 AND breadcrumb = 'sending' AND breadcrumb_attempts = $2 RETURNING 1`,
    values: [claim_id, breadcrumb_attempts, keccak256(raw), raw],
  });
  return rows.length > 0;
}
