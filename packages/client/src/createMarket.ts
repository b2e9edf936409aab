import {
  actionHeaders,
  type Bounties,
  bountiesSchema,
  type Hex,
  normalizeCapabilityName,
  type Opportunities,
  type Outcome,
  type OutcomeName,
  opportunitiesSchema,
  outcomeSchema,
  type Pledge,
  type Published,
  type Publisher,
  pledgeSchema,
  publishedSchema,
  publisherSchema,
  type Stats,
  statsSchema,
} from "@assay/protocol";
import type { ContractFingerprint } from "./computeFingerprint.js";
import type { Connection, RequestOptions } from "./connect.js";
import { readOk } from "./exchange.js";

export interface ListOptions extends RequestOptions {
  /** From 1 to 100; by default 20. */
  readonly limit?: number | undefined;
}
export interface BountiesOptions extends ListOptions {
  /** The wallet that asks: the answer says what it would see earlier with its signature. */
  readonly wallet?: Hex | undefined;
  /** Signs as the account's wallet: attested publishers see bounties earlier than others. */
  readonly passport?: boolean | undefined;
}

/** Shared work: what is wanted, who did it, what it earned. Everything here is free. */
export interface Market {
  /** Demand that nobody has met, and what meeting it is worth. */
  bounties(options?: BountiesOptions): Promise<Bounties>;
  /** Capabilities that were asked for, built or not. */
  opportunities(options?: ListOptions): Promise<Opportunities>;
  /** Audits and earnings of a wallet that publishes. */
  publisher(wallet: string, options?: RequestOptions): Promise<Publisher>;
  /** Thirty days of the service, without anyone's name. */
  stats(options?: RequestOptions): Promise<Stats>;
  /** Publishes a fingerprint from `computeFingerprint`; the service computes it again before it accepts it. */
  publish(fingerprint: ContractFingerprint, options?: RequestOptions): Promise<Published>;
  /** States that the account's wallet would pay for a capability. Not binding. */
  pledge(capability: string, options?: RequestOptions): Promise<Pledge>;
  /** How a paid call turned out. The first report stands. */
  reportOutcome(
    invocationId: string,
    outcome: OutcomeName,
    note?: string,
    options?: RequestOptions,
  ): Promise<Outcome>;
}

export function createMarket({ get, act, sign, account }: Connection): Market {
  return {
    async bounties({ wallet, passport, ...options } = {}) {
      const named: Record<string, string> = wallet ? { [actionHeaders.wallet]: wallet } : {};
      const resource = account?.address.toLowerCase() ?? "";
      const headers = passport ? await sign({ action: "bounty_list", resource }, options) : named;
      const answer = await get(`/api/v1/bounties${toLimit(options)}`, { ...options, headers });
      return readOk(answer, bountiesSchema);
    },
    opportunities: async (options = {}) =>
      readOk(await get(`/api/v1/opportunities${toLimit(options)}`, options), opportunitiesSchema),
    publisher: async (wallet, options) =>
      readOk(await get(`/api/v1/publishers/${encodeURIComponent(wallet)}`, options), publisherSchema),
    stats: async (options) => readOk(await get("/api/v1/capabilities/stats", options), statsSchema),
    async publish({ address, bytecodeHash, bytecodeBytes, computedAtBlock }, options) {
      const body = { capabilityId: "contract.guard", address, bytecodeHash, bytecodeBytes, computedAtBlock };
      const path = "/api/v1/artifacts/publish";
      const answer = await act({ action: "artifact_publish", resource: address, path, body }, options);
      return readOk(answer, publishedSchema, [201]);
    },
    async pledge(name, options) {
      const capability = normalizeCapabilityName(name);
      const path = "/api/v1/demand-pledges";
      const body = { capability };
      const answer = await act({ action: "demand_pledge", resource: capability, path, body }, options);
      return readOk(answer, pledgeSchema, [200, 201]);
    },
    async reportOutcome(invocationId, outcome, note, options) {
      const path = "/api/v1/outcomes";
      const body = { invocationId, outcome, ...(note !== undefined && { note }) };
      const answer = await act({ action: "capability_outcome", resource: invocationId, path, body }, options);
      return readOk(answer, outcomeSchema, [200, 201]);
    },
  };
}

export const toLimit = ({ limit }: ListOptions): string => (limit === undefined ? "" : `?limit=${limit}`);
