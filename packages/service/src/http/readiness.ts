import { type Chain, describeLimits } from "@assay/chain";
import type { Dependency } from "@assay/protocol";
import type { PaymentsContext } from "../payments/paymentsContext.js";

export interface Readiness {
  readonly ok: boolean;
  readonly dependencies: Dependency[];
}

const REUSE_MS = 1000;
const CHECK_TIMEOUT_MS = 4000;

/**
 * Tries each dependency for real: a block read now, a query, the facilitator. Callers within a
 * second share one answer, so polling a health route cannot become load on the dependencies.
 */
export function createReadinessCheck(context: PaymentsContext): () => Promise<Readiness> {
  let latest: { atMs: number; readiness: Promise<Readiness> } | undefined;
  return () => {
    if (!latest || Date.now() - latest.atMs > REUSE_MS)
      latest = { atMs: Date.now(), readiness: checkAll(context) };
    return latest.readiness;
  };
}

async function checkAll(context: PaymentsContext): Promise<Readiness> {
  const dependencies = await Promise.all([
    check("chain", async () => {
      const block = await context.chain.latestBlock();
      context.chain.getFreshHead();
      return [`block ${block.number}`, ...listNodeLimits(context.chain)].join("; ");
    }),
    check("persistence", async () => {
      await context.database.ping();
      return "database answers";
    }),
    check("x402", async () => {
      const [detail] = await Promise.all([context.facilitator.verifyReady(), context.signer.verifyReady()]);
      return detail;
    }),
  ]);
  return { ok: dependencies.every((dependency) => dependency.ok), dependencies };
}

/** Anybody may read this, so nodes are counted and not named. */
const listNodeLimits = (chain: Chain): string[] =>
  chain
    .listNodes()
    .flatMap((report, i, all) =>
      describeLimits(report, all, chain.blockTimeMs()).map((limit) => `node ${i + 1}: ${limit}`),
    );

async function check(name: Dependency["name"], probe: () => Promise<string>): Promise<Dependency> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    return { name, ok: true, detail: await Promise.race([probe(), timeout]) };
  } catch (error) {
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { name, ok: false, detail: message || `${name} does not answer` };
  } finally {
    clearTimeout(timer);
  }
}
