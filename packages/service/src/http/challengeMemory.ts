import type { IncomingMessage, ServerResponse } from "node:http";
import type { PaymentRequired } from "@assay/protocol";
import type { DemandCounter, SharedQuestion } from "../market/demandCounter.js";
import type { PaidRequest } from "../payments/challenge.js";
import type { CallTerms } from "../quotes/callTerms.js";
import { encodeTicket, findTicket, newBuyerSecret, type Ticket } from "../quotes/ticket.js";
import type { ReadClientAddress } from "./clientAddress.js";
import { newRequestId } from "./requestId.js";

/** A challenge in its final bytes: JSON for the body, base64 of the same JSON for the header. */
export interface EncodedChallenge {
  /** ASCII, so that Node can send it in one write with the headers. */
  readonly body: string;
  readonly header: string;
}

export function encodeChallenge(challenge: PaymentRequired): EncodedChallenge {
  const body = JSON.stringify(challenge).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return { body, header: encodeHeader(body) };
}

const encodeHeader = (body: string): string => Buffer.from(body, "latin1").toString("base64");

/** Headers of every 402, from the router or from memory. */
export function challengeHeaders({ header }: EncodedChallenge): Record<string, string> {
  return { "content-type": "application/json", "cache-control": "no-store", "payment-required": header };
}

/** One challenge is given out for this long; its ticket lives for minutes, or as long as the answer that it prices. */
const REUSE_MS = 20_000;
const MAX_ENTRIES = 2_000;

interface Entry {
  readonly request: PaidRequest;
  /** The body before and after each mention of its ticket. */
  readonly parts: readonly string[];
  readonly ticket: Ticket;
  readonly terms: CallTerms;
  readonly madeAtMs: number;
  readonly headers: Record<string, string>;
  /** The unanswered question to count for each caller; undefined where there is nothing to count. */
  readonly missed: SharedQuestion | undefined;
}

/**
 * Unpaid requests that repeat a URL are answered in front of the router, from bytes made moments
 * ago, as long as the price they name is still the one we would name. Each caller gets a ticket of its own, because the
 * secret in it is what later shows whose answer it is.
 */
export interface ChallengeMemory {
  /** Keeps the challenge that answers `request`, and counts the question if nobody has answered it. */
  remember(
    url: string,
    request: PaidRequest,
    challenge: PaymentRequired,
    question: SharedQuestion | undefined,
  ): void;
  /** Answers the request and returns true, or leaves it untouched. */
  tryAnswer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** A newer answer at the same price gives its callers longer. */
const isSame = (now: CallTerms | undefined, then: CallTerms): boolean =>
  now?.cacheStatus === then.cacheStatus && now.endsAtMs === then.endsAtMs;

export function createChallengeMemory(
  {
    demand,
    readClientAddress,
    settings: { ticketSecret },
  }: {
    readonly demand: DemandCounter;
    readonly readClientAddress: ReadClientAddress;
    readonly settings: { readonly ticketSecret: Buffer };
  },
  exposedHeaders: string,
): ChallengeMemory {
  const entries = new Map<string, Entry>();

  /** Undefined while the head is stale: then nothing is for sale, and the router says so. */
  function termsNow(request: PaidRequest): CallTerms | undefined {
    try {
      return request.terms();
    } catch {
      return undefined;
    }
  }

  function find(url: string): Entry | undefined {
    const entry = entries.get(url);
    if (!entry) return undefined;
    if (Date.now() - entry.madeAtMs < REUSE_MS && isSame(termsNow(entry.request), entry.terms)) return entry;
    entries.delete(url);
    return undefined;
  }

  return {
    remember(url, request, challenge, question) {
      const terms = termsNow(request);
      const text = String(challenge.accepts[0]?.extra.ticket);
      const ticket = findTicket(ticketSecret, text);
      if (terms === undefined || !ticket) return;
      const missed = terms.cacheStatus === "miss" ? question : undefined;
      if (missed) demand.countMiss(missed, request.clientAddress);
      const encoded = encodeChallenge(challenge);
      const headers = {
        ...challengeHeaders(encoded),
        "access-control-allow-origin": "*",
        "access-control-expose-headers": exposedHeaders,
        "content-length": String(encoded.body.length),
        "x-request-id": "",
      };
      const parts = encoded.body.split(text);
      entries.set(url, { request, parts, ticket, terms, madeAtMs: Date.now(), headers, missed });
      if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value as string);
    },
    tryAnswer(request, response) {
      if (request.method !== "GET" || request.headers["payment-signature"] !== undefined) return false;
      const entry = find(request.url ?? "");
      if (!entry) return false;
      // Node reads the headers before it returns, so one object serves every answer.
      const body = entry.parts.join(
        encodeTicket(ticketSecret, { ...entry.ticket, buyerSecret: newBuyerSecret() }),
      );
      entry.headers["x-request-id"] = newRequestId();
      entry.headers["payment-required"] = encodeHeader(body);
      response.writeHead(402, entry.headers);
      response.end(body, "latin1");
      if (entry.missed) {
        const address = readClientAddress(request);
        demand.countMiss(entry.missed, address);
      }
      return true;
    },
  };
}
