/** An answer that is owed, and what is stored of it. */
export interface StoredBody {
  /** The exact text owed, sent as UTF-8. */
  readonly body: string;
  /** Stored instead of it when the answer is private. */
  readonly sealedBody: Buffer | null;
  /** Stored instead of it when the same answer was sold before: what differs from that sale. */
  readonly packedBody: Buffer | null;
}

const bytesOf = ({ body, sealedBody, packedBody }: StoredBody): Buffer =>
  packedBody ?? sealedBody ?? Buffer.from(body);

/**
 * The bodies of one batch as one value, and for each row where its own is. PostgreSQL takes bytes as they come. A body inside the
 * JSON of its row would be escaped here and parsed there, which took longer than storing it.
 */
export function joinBodies(answers: readonly StoredBody[]) {
  const parts = answers.map(bytesOf);
  let next = 1;
  const places = answers.map(({ sealedBody, packedBody }, at) => {
    const { length } = parts[at] as Buffer;
    const place = {
      bytes_from: next,
      bytes_length: length,
      is_packed: packedBody !== null,
      is_sealed: sealedBody !== null,
    };
    next += length;
    return place;
  });
  return { bytes: Buffer.concat(parts), places };
}

/** Of the recordset that holds the rows. */
export const BODY_PLACES = "bytes_from integer, bytes_length integer, is_packed boolean, is_sealed boolean";

/** For `responses (body, packed_body, is_sealed)`, from the parameter that carries the bytes. */
export function selectBodies(parameter: string): string {
  const bytes = `substring(${parameter}::bytea FROM bytes_from FOR bytes_length)`;
  return `CASE WHEN NOT is_packed THEN ${bytes} END, CASE WHEN is_packed THEN ${bytes} END, is_sealed`;
}
