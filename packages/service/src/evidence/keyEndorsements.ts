import {
  createTypedDataEncoder,
  type Hex,
  type KeyEndorsement,
  type KeySuccession,
  keyEndorsementSchema,
  keyEndorsementTypedData,
} from "@assay/protocol";
import { domainSeparator } from "viem";
import { toSignatureHex } from "../base/secp256k1.js";
import type { DigestSigner } from "../base/signers/digestSigner.js";
import type { Queryable } from "../store/database.js";

/** Every recorded succession of keys, the oldest first. */
export async function listEndorsements(db: Queryable): Promise<KeyEndorsement[]> {
  const rows = await db.query<{ statement: unknown }>({
    text: "SELECT statement FROM key_endorsements ORDER BY recorded_at, previous_signer",
  });
  return rows.map(({ statement }) => keyEndorsementSchema.parse(statement));
}

/** The first key of the chain that ends in this one: the log keeps its name. Each key is followed once, so no circle holds this up. */
export function findFirstSigner(address: Hex, endorsements: readonly KeyEndorsement[]): Hex {
  const former = new Map(
    endorsements.map(({ signer, previousSigner }) => [signer.toLowerCase(), previousSigner.toLowerCase()]),
  );
  const seen = new Set<string>();
  let first = address.toLowerCase();
  for (let next = former.get(first); next !== undefined && !seen.has(next); next = former.get(next)) {
    seen.add(next);
    first = next;
  }
  return first as Hex;
}

/** Both keys sign that the second one follows the first. */
export async function signEndorsement(
  previous: DigestSigner,
  next: DigestSigner,
  terms: Pick<KeySuccession, "logKey" | "logOrigin" | "endorsedAt">,
): Promise<KeyEndorsement> {
  const succession = { previousSigner: previous.address, signer: next.address, ...terms };
  const { domain, types, primaryType, message } = keyEndorsementTypedData(succession);
  const encode = createTypedDataEncoder(
    { primaryType, fields: types.KeyEndorsement },
    domainSeparator({ domain }),
  );
  const toSign = encode(message);
  return {
    ...succession,
    previousSignature: toSignatureHex(await previous.sign(toSign)),
    signature: toSignatureHex(await next.sign(toSign)),
  };
}

/** False where the former key has named another successor, or the new one is one of its own predecessors. */
export async function recordEndorsement(db: Queryable, endorsement: KeyEndorsement): Promise<boolean> {
  const { previousSigner, signer } = endorsement;
  const rows = await db.query({
    text: `INSERT INTO key_endorsements (previous_signer, signer, statement)
           SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM key_endorsements WHERE $2 IN (previous_signer, signer))
           ON CONFLICT (previous_signer) DO NOTHING RETURNING signer`,
    values: [previousSigner.toLowerCase(), signer.toLowerCase(), JSON.stringify(endorsement)],
  });
  return rows.length === 1;
}
