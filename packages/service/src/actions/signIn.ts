import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto";
import {
  AssayError,
  CHAIN_ID,
  type Hex,
  SIGN_IN_STATEMENT,
  type SignInOffer,
  type SignInRequest,
  type WalletSession,
} from "@assay/protocol";
import { hashMessage } from "viem";
import { createSiweMessage, parseSiweMessage, type SiweMessage, validateSiweMessage } from "viem/siwe";
import type { BaseContext } from "../base/context.js";
import { findSigner } from "../base/secp256k1.js";
import type { Settings } from "../base/settings.js";
import { isSignedByContract } from "./contractWallet.js";
import { spendNonce } from "./signedAction.js";

/** From the nonce to the signature: somebody reads the message and confirms it in a wallet. */
const SIGN_IN_MS = 5 * 60_000;
/** Long enough to read a page, short enough that a forgotten tab is no open door. */
const SESSION_MS = 30 * 60_000;

type SessionSettings = Pick<Settings, "publicUrl" | "ticketSecret" | "otherTicketSecrets">;

/** What the wallet's owner is asked to sign. The nonce carries its time and our MAC, so that nothing is stored before somebody signs. */
export function offerSignIn(settings: SessionSettings, wallet: Hex, nowMs = Date.now()): SignInOffer {
  const { origin, host } = new URL(settings.publicUrl);
  const start = nowMs.toString(16).padStart(12, "0") + randomBytes(16).toString("hex");
  const fields: SiweMessage = {
    ...{ address: wallet, domain: host, uri: origin, version: "1", chainId: CHAIN_ID },
    statement: SIGN_IN_STATEMENT,
    nonce: start + tagOf(settings.ticketSecret, `nonce ${start}`),
    issuedAt: new Date(nowMs),
    expirationTime: new Date(nowMs + SIGN_IN_MS),
  };
  try {
    return { message: createSiweMessage(fields) };
  } catch {
    throw refused(`${host} is no domain that EIP-4361 can name`);
  }
}

/** A session for the wallet that signed this message (EIP-4361). Throws a 401 that names what is wrong with it. */
export async function signIn(
  context: BaseContext,
  { message, signature: given }: SignInRequest,
  clientAddress: string,
): Promise<WalletSession> {
  const { settings, database } = context;
  const fields = readMessage(message);
  const nowMs = Date.now();
  const issuedAtMs = verifyMessage(settings, fields, nowMs);
  const wallet = fields.address.toLowerCase() as Hex;
  const digest = hashMessage(message);
  const signature = given as Hex;
  const isSigned =
    findSigner(digest, signature) === wallet ||
    (await isSignedByContract(context, wallet, digest, signature, clientAddress));
  if (!isSigned) throw refused(`the signature is not ${wallet}'s over this message (EIP-191)`);
  const timestamp = BigInt(issuedAtMs);
  await spendNonce(database, { action: "sign_in", wallet, nonce: fields.nonce, timestamp }).catch(
    (error: unknown) => {
      throw error instanceof AssayError ? refused("its nonce was used") : error;
    },
  );
  const expiresAtMs = nowMs + SESSION_MS;
  const text = `${wallet.slice(2)}.${expiresAtMs}`;
  const token = `${text}.${tagOf(settings.ticketSecret, `session ${settings.publicUrl} ${text}`)}`;
  return { wallet, token, expiresAt: new Date(expiresAtMs).toISOString() };
}

/** Throws unless the caller's token was given to this wallet by this service, and is still good. */
export function verifySession(
  settings: SessionSettings,
  wallet: Hex,
  authorization: string | undefined,
  nowMs = Date.now(),
): void {
  const [, owner, expiresAtMs, tag] =
    /^Bearer ([0-9a-f]{40})\.([0-9]{13})\.([0-9a-f]{64})$/.exec(authorization ?? "") ?? [];
  if (owner === undefined || expiresAtMs === undefined || tag === undefined)
    throw unread(
      "Send the token of a session as Authorization: Bearer; /api/v1/sign-in says how to get one.",
    );
  const text = `session ${settings.publicUrl} ${owner}.${expiresAtMs}`;
  if (!isTagged(settings, text, tag)) throw unread("This service did not give out this token.");
  if (Number(expiresAtMs) <= nowMs) throw unread("The session has ended. Sign in again.");
  if (`0x${owner}` !== wallet) throw unread("The session is another wallet's.");
}

const refused = (why: string) =>
  new AssayError(
    "sign_in_refused",
    `This message signs nobody in: ${why}. Ask for new terms and sign again.`,
  );
const unread = (why: string) => new AssayError("sign_in_refused", why);

/** The fields of a message that is written in exactly one way: nothing may hide between the lines that a wallet shows. */
function readMessage(message: string): SiweMessage {
  const fields = parseSiweMessage(message) as SiweMessage;
  try {
    if (createSiweMessage(fields) === message) return fields;
  } catch {
    // What is wrong with it is said below.
  }
  throw refused("it is not written as EIP-4361 says");
}

/** When its nonce was given out, in Unix milliseconds. */
function verifyMessage(settings: SessionSettings, fields: SiweMessage, nowMs: number): number {
  const { host, origin, protocol } = new URL(settings.publicUrl);
  const scheme = protocol.slice(0, -1);
  if (fields.domain !== host || (fields.scheme ?? scheme) !== scheme)
    throw refused(`it is for ${fields.scheme ?? scheme}://${fields.domain}, and this is ${origin}`);
  if (fields.uri !== origin) throw refused(`it is for ${fields.uri}, and this is ${origin}`);
  if (fields.chainId !== CHAIN_ID) throw refused(`its chain is ${fields.chainId}, and this is ${CHAIN_ID}`);
  if (fields.statement !== SIGN_IN_STATEMENT || fields.resources !== undefined)
    throw refused("its statement is another one than this service offers");
  const issuedAtMs = findNonceTime(settings, fields.nonce);
  if (issuedAtMs === undefined) throw refused("this service did not give out its nonce");
  if (issuedAtMs > nowMs || nowMs >= issuedAtMs + SIGN_IN_MS)
    throw refused("its nonce was given out more than 5 minutes ago");
  if (fields.issuedAt?.getTime() !== issuedAtMs)
    throw refused("it states another time of its making than this service gave");
  if (!validateSiweMessage({ message: fields, time: new Date(nowMs) })) throw refused("its time is over");
  return issuedAtMs;
}

function findNonceTime(settings: SessionSettings, nonce: string): number | undefined {
  const [, start, time, tag] = /^(([0-9a-f]{12})[0-9a-f]{32})([0-9a-f]{64})$/.exec(nonce) ?? [];
  if (start === undefined || time === undefined || tag === undefined) return undefined;
  return isTagged(settings, `nonce ${start}`, tag) ? Number.parseInt(time, 16) : undefined;
}

/** No ticket holds a blank, so no tag of a ticket is one of these. */
const tagOf = (key: KeyObject, text: string): string =>
  createHmac("sha256", key).update(`sign-in ${text}`).digest("hex");

/** Under any secret of the deployment: while it changes, processes differ in which one they write with. */
function isTagged({ ticketSecret, otherTicketSecrets }: SessionSettings, text: string, tag: string): boolean {
  const given = Buffer.from(tag);
  return [ticketSecret, ...otherTicketSecrets].some((key) =>
    timingSafeEqual(given, Buffer.from(tagOf(key, text))),
  );
}
