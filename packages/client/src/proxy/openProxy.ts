import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Hex } from "@assay/protocol";
import { microUsdFromNumber } from "@assay/protocol";
import type { ChainSource } from "../chain/askNode.js";
import type { ClientConfig } from "../createClient.js";
import { createClient } from "../createClient.js";
import { judge } from "../judge.js";
import { type DayLedger, openDayLedger } from "../settings/dayLedger.js";
import { payWithinDay } from "../settings/payWithinDay.js";
import type { SigningQuestion } from "../signingQuestion.js";
import { createGate, type GateContext, type GateJudgement } from "./createGate.js";
import { openUpstream, type Upstream } from "./forward.js";
import { openJournal } from "./journal.js";
import { defaultPolicy, type Policy, readPolicy } from "./policy.js";
import type { ProxySettings, RunningProxy } from "./proxySettings.js";
import { serveProxy } from "./serveProxy.js";

export interface ProxyOptions extends ProxySettings {
  /** The node, by http(s) or ws(s). */
  readonly rpc: string;
  /** The service, the account that pays it, and what one answer may cost. */
  readonly client: ClientConfig & { readonly signer: Hex };
  /** Without one the default policy holds. */
  readonly policyFile?: string | undefined;
  /** File of the journal; answers and what a day has cost are kept beside it. */
  readonly journalFile: string;
  /** Folder in which the spending of a day is counted; beside the journal unless given. */
  readonly ledgerFolder?: string | undefined;
  /** What all answers of a day may cost, where the policy does not say less. */
  readonly maxPerDayUsd: number;
  readonly askPerson?: GateContext["askPerson"];
  readonly report?: GateContext["report"];
  /** Called with a policy that was read anew, or with why it was not. */
  readonly onPolicy?: ((outcome: Policy | Error) => void) | undefined;
}

export interface OpenProxy extends RunningProxy {
  /** Reads the policy file again. A file with a fault changes nothing. */
  reload(): Promise<void>;
}

/** A JSON-RPC endpoint that judges what signs or sends before it reaches the node. */
export async function openProxy(options: ProxyOptions): Promise<OpenProxy> {
  const { policyFile, journalFile } = options;
  const read = async () =>
    policyFile === undefined ? defaultPolicy : readPolicy(policyFile, await readFile(policyFile, "utf8"));
  let policy = await read();
  const reload = async () => {
    try {
      policy = await read();
      options.onPolicy?.(policy);
    } catch (error) {
      options.onPolicy?.(error as Error);
    }
  };
  const [journal, ledger] = await Promise.all([
    openJournal(journalFile),
    openDayLedger(options.ledgerFolder ?? join(dirname(journalFile), "spending")),
  ]);
  const upstream = openUpstream(options.rpc);
  const gate = createGate({
    judge: createJudge(options, upstream, ledger, () => policy),
    journal,
    ledger,
    policy: () => policy,
    askPerson: options.askPerson,
    report: options.report,
  });
  const proxy = await serveProxy({ upstream, gate, journal, policy: () => policy }, options);
  // The folder is watched: editors replace a file, and then the old one would be watched for ever.
  const watcher =
    policyFile === undefined
      ? undefined
      : watch(dirname(policyFile), (_event, name) => {
          if (name === basename(policyFile)) void reload();
        });
  return {
    url: proxy.url,
    reload,
    async stop() {
      watcher?.close();
      await proxy.stop();
      await Promise.all([journal.close(), ledger.close()]);
    },
  };
}

/** Buys verdicts within the limits of an answer and of the day. */
function createJudge(
  { client: config, maxPerDayUsd }: ProxyOptions,
  upstream: Upstream,
  ledger: DayLedger,
  policy: () => Policy,
) {
  const node = toChainSource(upstream);
  const { signer, channel, maxPriceUsd: ownLimit = 1 } = config;
  const shared = channel && createClient(config);
  return async (question: SigningQuestion): Promise<GateJudgement> => {
    const { price } = policy();
    const purse = {
      ...{ config, shared, ledger },
      perCallMicroUsd: microUsdFromNumber(Math.min(ownLimit, price.perCallUsd ?? ownLimit)),
      perDayMicroUsd: microUsdFromNumber(Math.min(maxPerDayUsd, price.perDayUsd ?? maxPerDayUsd)),
    };
    return payWithinDay(
      purse,
      (assay, maxPriceUsd) => judge(question, { assay, signer, node, maxPriceUsd }),
      ({ answer }) => answer.pricing.pricePaidUsd,
    );
  };
}

/** The same node, asked as a wallet would (EIP-1193): the judged block must be on the chain that the transaction goes to. */
function toChainSource(upstream: Upstream): ChainSource {
  return {
    async request({ method, params = [] }: { method: string; params?: readonly unknown[] }) {
      const text = await upstream.ask(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
      const { result, error } = JSON.parse(text) as {
        result?: unknown;
        error?: { code: number; message: string };
      };
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
  };
}
