import { type Hex, type Publisher, usdFromMicro } from "@assay/protocol";
import type { Queryable } from "../store/database.js";
import { HEAD_START_SECONDS } from "./listBounties.js";
import { listPublications } from "./publications.js";
import {
  ATTESTATION_PAUSE_MS,
  ATTESTED_CAP_IN_MISS_PRICES,
  CAP_IN_MISS_PRICES,
  isAttested,
} from "./seederTerms.js";

const MAX_AUDITS = 20;
const rewardKind = "non_transferable_credits";

interface PublisherRow {
  passed: bigint;
  passed_with_code: bigint;
  failed: bigint;
  unaudited: bigint;
  seeded: bigint;
  dividends: bigint;
  dividend_micro_usd: bigint;
  reviews: bigint;
  review_micro_usd: bigint;
  last_failed_at: Date | null;
}

const EMPTY_ROW: PublisherRow = {
  passed: 0n,
  passed_with_code: 0n,
  failed: 0n,
  unaudited: 0n,
  seeded: 0n,
  dividends: 0n,
  dividend_micro_usd: 0n,
  reviews: 0n,
  review_micro_usd: 0n,
  last_failed_at: null,
};

/** What a wallet's audits and settled economics add up to; zeros for one that has done nothing. */
export async function getPublisherRecord(db: Queryable, wallet: Hex): Promise<Publisher> {
  const [[row = EMPTY_ROW], audits] = await Promise.all([
    db.query<PublisherRow>({
      name: "publisher_find",
      text: "SELECT * FROM publishers WHERE wallet = $1",
      values: [wallet],
    }),
    listPublications(db, wallet, MAX_AUDITS),
  ]);
  const nowMs = Date.now();
  const attested = isAttested(
    { passedWithCode: row.passed_with_code, lastFailedAt: row.last_failed_at },
    nowMs,
  );
  const pauseEndMs = (row.last_failed_at?.getTime() ?? 0) + ATTESTATION_PAUSE_MS;
  return {
    wallet,
    attested,
    attestation: {
      blockedUntil: row.last_failed_at && pauseEndMs > nowMs ? new Date(pauseEndMs).toISOString() : null,
      headStartSeconds: attested ? HEAD_START_SECONDS : 0,
      lifetimeCapMultiple: Number(attested ? ATTESTED_CAP_IN_MISS_PRICES : CAP_IN_MISS_PRICES),
    },
    publications: {
      passed: Number(row.passed),
      failed: Number(row.failed),
      unaudited: Number(row.unaudited),
    },
    audits,
    seededInputs: Number(row.seeded),
    dividends: {
      settledReuses: Number(row.dividends),
      totalUsd: usdFromMicro(row.dividend_micro_usd),
      rewardKind,
    },
    reviewCredits: {
      outcomes: Number(row.reviews),
      totalUsd: usdFromMicro(row.review_micro_usd),
      rewardKind,
    },
  };
}
