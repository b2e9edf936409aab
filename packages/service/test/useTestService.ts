import type { CapabilityResult } from "@assay/protocol";
import type { DestinationStream } from "pino";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll } from "vitest";
import { accountOf, buyAnswer, fetchChallenge, priceOf } from "./payer.js";
import { startTestService, type TestService } from "./startTestService.js";

export type Query = Readonly<Record<string, string | number>>;

export interface UsedService extends TestService {
  /** The account of that name on the service's local chain. */
  account(name: string): PrivateKeyAccount;
  invokeUrl(capability: string, query?: Query): string;
  quoteUrl(capability: string, wallet: string, query?: Query): string;
  /** What an unpaid call is asked for, in micro-USD. */
  priceNow(url: string, init?: RequestInit): Promise<bigint>;
  /** The answer that this account pays for. */
  buy(url: string, name?: string, init?: RequestInit): Promise<CapabilityResult>;
}

/** One service for the tests of one file, started before the first of them, and what callers of it do. */
export function useTestService(env: Record<string, string> = {}, logTo?: DestinationStream): UsedService {
  let started: TestService | undefined;
  beforeAll(async () => {
    started = await startTestService(env, logTo);
  });
  afterAll(() => started?.stop());

  const running = (): TestService => {
    if (!started) throw new Error("the service is not there before the tests");
    return started;
  };
  const urlOf = (path: string, query: Query) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, String(value));
    return `${running().url}/api/v1/${path}${search.size > 0 ? `?${search}` : ""}`;
  };
  const account = (name: string) => accountOf(running(), name);

  return {
    get url() {
      return running().url;
    },
    get context() {
      return running().context;
    },
    get devnet() {
      return running().devnet;
    },
    get postgres() {
      return running().postgres;
    },
    get hasConsole() {
      return running().hasConsole;
    },
    get chainOf() {
      return running().chainOf;
    },
    get db() {
      return running().db;
    },
    stopJobs: () => running().stopJobs(),
    stop: () => running().stop(),
    account,
    invokeUrl: (capability, query = {}) => urlOf(`capabilities/${capability}/invoke`, query),
    quoteUrl: (capability, wallet, query = {}) => urlOf("quotes", { capability, wallet, ...query }),
    priceNow: async (url, init) => priceOf((await fetchChallenge(url, init)).accepts[0]),
    buy: (url, name = "alice", init) => buyAnswer(url, account(name), init),
  };
}
