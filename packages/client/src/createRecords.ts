import {
  type CapabilityResult,
  capabilityResultSchema,
  type LocalChain,
  type LogConsistency,
  type LogProof,
  localChainSchema,
  logConsistencySchema,
  logProofSchema,
  type PortableEvidence,
  portableEvidenceSchema,
  type Receipt,
  receiptSchema,
  type ServiceDescription,
  type SignInRequest,
  serviceDescriptionSchema,
  signInOfferSchema,
  type WalletRecord,
  type WalletSession,
  walletRecordSchema,
  walletSessionSchema,
} from "@assay/protocol";
import type { Connection, RequestOptions } from "./connect.js";
import { exchange, type HttpAnswer, readOk, type Schema, toError, unexpected } from "./exchange.js";

export interface EvidenceOptions extends RequestOptions {
  /** Where the caller found the reference, for the service's statistics; at most 64 characters. */
  readonly channel?: string | undefined;
}

/** What the service has put on record. Everything here is free. */
export interface Records {
  /** The keys, the signing domain and the limits of the service. */
  describe(options?: RequestOptions): Promise<ServiceDescription>;
  /** The service's local chain; undefined when it runs on Base. */
  findLocalChain(options?: RequestOptions): Promise<LocalChain | undefined>;
  receipt(invocationId: string, options?: RequestOptions): Promise<Receipt>;
  /** The answer behind a link that its holder made (`sharePath`). Verify it: the service alone vouches for nothing. */
  sharedAnswer(invocationId: string, key: string, options?: RequestOptions): Promise<CapabilityResult>;
  /** The origin of a shared answer and the exact input to compute it again. */
  evidence(artifactId: string, options?: EvidenceOptions): Promise<PortableEvidence>;
  /** The message (EIP-4361) that signs a wallet in, once and within five minutes. */
  signInMessage(wallet: string, options?: RequestOptions): Promise<string>;
  /** A session of half an hour for the wallet that signed the message. */
  signIn(request: SignInRequest, options?: RequestOptions): Promise<WalletSession>;
  /** What a wallet bought in thirty days, for its owner. */
  wallet(session: Pick<WalletSession, "wallet" | "token">, options?: RequestOptions): Promise<WalletRecord>;
  /** The log's newest signed head, a C2SP checkpoint. */
  logCheckpoint(options?: RequestOptions): Promise<string>;
  /** The path from a leaf to the root of the log at `size`, or as it is now. */
  logProof(index: number, size?: number, options?: RequestOptions): Promise<LogProof>;
  /** That the log of `second` leaves begins with the log of `first`. */
  logConsistency(first: number, second: number, options?: RequestOptions): Promise<LogConsistency>;
}

export function createRecords({ baseUrl, fetch, get }: Connection): Records {
  return {
    describe: async (options) =>
      readOk(await get("/.well-known/assay.json", options), serviceDescriptionSchema),
    async findLocalChain(options) {
      const answer = await get("/devnet.json", options);
      return answer.status === 404 ? undefined : readOk(answer, localChainSchema);
    },
    async receipt(invocationId, options) {
      const answer = await get(`/api/v1/receipts/${encodeURIComponent(invocationId)}`, options);
      return readRecordOf({ invocationId }, answer, receiptSchema);
    },
    async sharedAnswer(invocationId, key, options) {
      const path = `/shared/${encodeURIComponent(invocationId)}/${encodeURIComponent(key)}/answer.json`;
      return readRecordOf({ invocationId }, await get(path, options), capabilityResultSchema);
    },
    async evidence(artifactId, { channel, ...options } = {}) {
      const query = channel === undefined ? "" : `?${new URLSearchParams({ channel })}`;
      const path = `/api/v1/evidence/${encodeURIComponent(artifactId)}${query}`;
      return readRecordOf({ artifactId }, await get(path, options), portableEvidenceSchema);
    },
    async signInMessage(wallet, options) {
      const answer = await get(`/api/v1/sign-in?${new URLSearchParams({ wallet })}`, options);
      return readOk(answer, signInOfferSchema).message;
    },
    async signIn(body, { signal } = {}) {
      const request = { method: "POST", url: `${baseUrl}/api/v1/sign-in`, body } as const;
      return readOk(await exchange(fetch, request, { signal }), walletSessionSchema);
    },
    async wallet({ wallet, token }, options) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await get(`/api/v1/wallets/${wallet}`, { ...options, headers });
      return readRecordOf({ wallet }, answer, walletRecordSchema);
    },
    async logCheckpoint(options) {
      const answer = await get("/api/v1/log/checkpoint", options);
      if (answer.status !== 200) throw toError(answer);
      return new TextDecoder().decode(answer.bytes);
    },
    async logProof(index, size, options) {
      const query = size === undefined ? "" : `?size=${size}`;
      return readOk(await get(`/api/v1/log/proof/${index}${query}`, options), logProofSchema);
    },
    logConsistency: async (first, second, options) =>
      readOk(
        await get(`/api/v1/log/consistency?first=${first}&second=${second}`, options),
        logConsistencySchema,
      ),
  };
}

/** Throws when the record is genuine but not the one that was asked for. */
function readRecordOf<T>(asked: Partial<T>, answer: HttpAnswer, schema: Schema<T>): T {
  const record = readOk(answer, schema);
  for (const [name, value] of Object.entries(asked))
    if (record[name as keyof T] !== value)
      throw unexpected(answer, `and the record has another ${name} than the one asked for`);
  return record;
}
