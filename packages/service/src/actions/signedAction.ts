import {
  ACTION_WINDOW_MS,
  type AgentActionName,
  AssayError,
  actionHeaderSchemas,
  actionHeaders,
  agentActionDomain,
  agentActionTypes,
  audienceOf,
  createTypedDataHasher,
  type Hex,
  NONCE_LIFE_MS,
} from "@assay/protocol";
import { domainSeparator } from "viem";
import type { BaseContext } from "../base/context.js";
import { findSigner } from "../base/secp256k1.js";
import type { Queryable } from "../store/database.js";
import { isSignedByContract } from "./contractWallet.js";

/** The four headers of a signed route, as received. */
export interface ActionHeaders {
  readonly wallet: string | undefined;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
}

/** What the signature must be over. */
export interface ExpectedAction {
  readonly action: AgentActionName;
  readonly resource: string;
  /** The wallet that the body names, lowercase. */
  readonly wallet: Hex;
  /** Whose budget pays for reading a contract wallet. */
  readonly clientAddress: string;
}

/** Proof that a wallet asked for this; good for one effect, once its nonce is spent with it. */
export interface SignedAction {
  readonly action: AgentActionName | "sign_in";
  readonly wallet: Hex;
  readonly nonce: string;
  /** Unix milliseconds, as signed. */
  readonly timestamp: bigint;
}

const serverTime = () => `server time is ${Date.now()} (Unix milliseconds)`;

/**
 * Checks the headers in the order of their cost: presence, spelling, wallet, time, signature. Throws a 400 for a
 * header that is misspelt and a 401 that names the failed check for everything else.
 */
export async function verifyAction(
  context: BaseContext,
  headers: ActionHeaders,
  expected: ExpectedAction,
): Promise<SignedAction> {
  const { wallet, signature, timestamp, nonce } = readHeaders(headers);
  if (wallet !== expected.wallet) {
    throw new AssayError(
      "action_wallet_mismatch",
      `${actionHeaders.wallet} is ${wallet} and the body's wallet is ${expected.wallet}; they must be one wallet; ${serverTime()}.`,
    );
  }
  const distanceMs = timestamp - BigInt(Date.now());
  if (distanceMs > ACTION_WINDOW_MS || -distanceMs > ACTION_WINDOW_MS) {
    throw new AssayError(
      "action_out_of_time",
      `${actionHeaders.timestamp} must be within 5 minutes of the server's clock; ${serverTime()}.`,
    );
  }
  const { action, resource } = expected;
  const audience = audienceOf(context.settings.publicUrl);
  const digest = digestOf(audience, { action, resource, timestamp, nonce });
  const signed =
    findSigner(digest, signature) === wallet ||
    (await isSignedByContract(context, wallet, digest, signature, expected.clientAddress));
  if (!signed) {
    throw new AssayError(
      "action_signature_invalid",
      `${actionHeaders.signature} is not ${wallet}'s EIP-712 signature over action ${JSON.stringify(action)}, ` +
        `resource ${JSON.stringify(resource)}, timestamp ${timestamp} and nonce ${JSON.stringify(nonce)} for audience ` +
        `${audience}, in the domain ${JSON.stringify(agentActionDomain(audience))}: 65 bytes in lowercase hex, low s, v of 27 or 28; ${serverTime()}.`,
    );
  }
  return { action, wallet, nonce, timestamp };
}

/**
 * Spends the nonce in the transaction of the effect, so that neither exists without the other. A nonce is free again
 * after its time, but never for the signature it came with: between the check of its time and this, minutes may pass.
 */
export async function spendNonce(
  tx: Queryable,
  { wallet, action, nonce, timestamp }: SignedAction,
): Promise<void> {
  const spent = await tx.query({
    name: "action_nonce_spend",
    text: `INSERT INTO action_nonces (wallet, action, nonce, signed_at_ms) VALUES ($1, $2, $3, $4)
           ON CONFLICT (wallet, action, nonce) DO UPDATE SET used_at = now(), signed_at_ms = excluded.signed_at_ms
           WHERE action_nonces.used_at < now() - ($5::bigint * interval '1 millisecond')
             AND action_nonces.signed_at_ms <> excluded.signed_at_ms
           RETURNING nonce`,
    values: [wallet, action, nonce, timestamp, NONCE_LIFE_MS],
  });
  if (spent.length === 0) {
    throw new AssayError(
      "action_nonce_used",
      `The nonce was used for ${action} by this wallet in the last 10 minutes; take another; ${serverTime()}.`,
    );
  }
}

/** Nonces past their time protect nothing: the signatures over them have expired. */
export async function deleteOldNonces(db: Queryable): Promise<void> {
  await db.query({
    text: "DELETE FROM action_nonces WHERE used_at < now() - ($1::bigint * interval '1 millisecond')",
    values: [2 * NONCE_LIFE_MS],
  });
}

function readHeaders(headers: ActionHeaders) {
  const names = Object.keys(actionHeaders) as (keyof ActionHeaders)[];
  const missing = names.filter((name) => !headers[name]).map((name) => actionHeaders[name]);
  if (missing.length > 0) {
    throw new AssayError(
      "action_unsigned",
      `This route takes an EIP-712 signature by the wallet in the body; missing: ${missing.join(", ")}; ${serverTime()}.`,
    );
  }
  const { wallet, signature, timestamp, nonce } = headers as Record<keyof ActionHeaders, string>;
  const wrong = (["wallet", "timestamp", "nonce"] as const).flatMap((name) => {
    const rule = findBrokenRule(name, headers[name]);
    return rule === undefined ? [] : [{ field: actionHeaders[name], rule }];
  });
  if (wrong.length > 0) {
    const sentence = wrong.map(({ field, rule }) => `${field} ${rule}`).join("; ");
    throw new AssayError("invalid_input", `${sentence}.`, { fields: wrong });
  }
  const misspelt = findBrokenRule("signature", signature);
  if (misspelt !== undefined) {
    throw new AssayError(
      "action_signature_invalid",
      `${actionHeaders.signature} ${misspelt}; ${serverTime()}.`,
    );
  }
  return {
    wallet: wallet.toLowerCase() as Hex,
    signature: signature as Hex,
    timestamp: BigInt(timestamp),
    nonce,
  };
}

const findBrokenRule = (name: keyof ActionHeaders, value: string | undefined): string | undefined =>
  actionHeaderSchemas[name].safeParse(value).error?.issues[0]?.message;

const hashers = new Map<string, ReturnType<typeof createTypedDataHasher>>();

/** A process serves one audience, so its domain is hashed once. */
function digestOf(audience: string, message: Readonly<Record<string, unknown>>): Hex {
  let hash = hashers.get(audience);
  if (!hash) {
    const struct = { primaryType: "AgentAction", fields: agentActionTypes.AgentAction };
    hash = createTypedDataHasher(struct, domainSeparator({ domain: agentActionDomain(audience) }));
    hashers.set(audience, hash);
  }
  return hash(message);
}
