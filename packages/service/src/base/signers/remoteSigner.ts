import { AssayError, type Hex, keccak256 } from "@assay/protocol";
import { bytesToHex, numberToHex } from "viem";
import { type DigestSignature, findSigner, HALF_ORDER, ORDER, toSignatureHex } from "../secp256k1.js";
import type { DigestSigner } from "./digestSigner.js";

/** A key that another machine keeps. */
export interface RemoteKey {
  readonly address: Hex;
  readonly place: string;
  /** r and s over this digest, which is the Keccak-256 of the preimage. May take any time and fail in any way. */
  ask(preimage: Hex, digest: Hex, signal: AbortSignal): Promise<{ readonly r: Hex; readonly s: Hex }>;
  close(): void;
}

/** How long one signature may take. A caller waits for it with a payment that is not charged yet. */
const TIMEOUT_MS = 3_000;
/** After a failure nothing is asked for this long, and twice as long after each further one. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A key that has signed this recently is known to answer. */
const KNOWN_MS = 30_000;
/** Signatures asked for at one time. What comes above that is refused at once, before it is charged. */
const MAX_WAITING = 200;
/** Worthless to anybody: no transaction, no typed data and no message has these bytes. */
const PROBE: Hex = bytesToHex(new TextEncoder().encode("assay: does this key sign?"));

export interface RemoteOptions {
  readonly timeoutMs?: number;
  readonly firstPauseMs?: number;
  /** Learns why a signature failed. Callers do not: hosts and accounts of the operator are in it. */
  readonly onTrouble?: ((reason: string) => void) | undefined;
}

/** What callers may know. */
const TROUBLE = "the key does not sign";

/**
 * Bounds what a key elsewhere can do to us. Each signature has a deadline and is verified here before it is used. After a failure
 * callers fail at once for a while. A signature that comes too late is thrown away. The same bytes are asked for once at a time.
 */
export function createRemoteSigner(
  key: RemoteKey,
  { timeoutMs = TIMEOUT_MS, firstPauseMs = FIRST_PAUSE_MS, onTrouble }: RemoteOptions = {},
): DigestSigner {
  const asked = new Map<Hex, Promise<DigestSignature>>();
  /** Since the key last signed, and in all. */
  let failures = 0;
  let troubles = 0;
  let pausedUntilMs = 0;
  let signedAtMs = Number.NEGATIVE_INFINITY;

  /** What was asked for before the last trouble was noticed belongs to it. */
  function noteFailure(error: unknown, askedIn: number): AssayError {
    onTrouble?.(sentenceOf(error));
    if (askedIn === troubles) {
      troubles += 1;
      failures += 1;
      pausedUntilMs = Date.now() + Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** (failures - 1));
    }
    return unavailable(error);
  }

  async function ask(preimage: Hex): Promise<DigestSignature> {
    const digest = keccak256(preimage);
    const askedIn = troubles;
    try {
      const given = await withDeadline(timeoutMs, (signal) => key.ask(preimage, digest, signal));
      const signature = toOwnSignature(key.address, digest, given);
      failures = 0;
      pausedUntilMs = 0;
      signedAtMs = Date.now();
      return signature;
    } catch (error) {
      throw noteFailure(error, askedIn);
    }
  }

  const findTrouble = () => (Date.now() < pausedUntilMs ? TROUBLE : undefined);

  const signer: DigestSigner = {
    address: key.address,
    place: key.place,
    isRemote: true,
    async sign(preimage) {
      const known = asked.get(preimage);
      if (known) return known;
      if (findTrouble() !== undefined) throw unavailable();
      if (asked.size >= MAX_WAITING) throw unavailable(new Error("too many signatures are waited for"));
      const asking = ask(preimage).finally(() => asked.delete(preimage));
      asked.set(preimage, asking);
      return asking;
    },
    findTrouble,
    async verifyReady() {
      if (failures > 0 || Date.now() - signedAtMs > KNOWN_MS) await signer.sign(PROBE);
    },
    close: key.close,
  };
  return signer;
}

const unavailable = (cause?: unknown) =>
  new AssayError("signer_unavailable", "The service's key does not sign now. Retry shortly.", {
    retryAfterSeconds: 2,
    cause,
  });

/** The one spelling of a signature that contracts and verifiers take, with the parity that leads to our address. */
function toOwnSignature(
  address: Hex,
  digest: Hex,
  given: { readonly r: Hex; readonly s: Hex },
): DigestSignature {
  const s = BigInt(given.s);
  const low = s > HALF_ORDER ? numberToHex(ORDER - s, { size: 32 }) : given.s;
  for (const yParity of [0, 1] as const) {
    const signature = { r: given.r, s: low, yParity };
    if (findSigner(digest, toSignatureHex(signature)) === address.toLowerCase()) return signature;
  }
  throw new Error("the signature is not of the key that was asked");
}

/** The work, ended by its signal and given up at the deadline, whether or not it heeds the signal. */
async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const aborting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      fail(new Error(`no signature within ${ms} ms`));
      aborting.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(aborting.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What went wrong, in a few words and without what was sent. */
function sentenceOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  const text = (message || name).split("\n")[0]?.replace(/\.$/, "") ?? "";
  return text.slice(0, 120) || "no answer";
}
