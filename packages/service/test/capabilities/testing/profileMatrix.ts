import { type CapabilityInput, findCapability } from "@assay/capabilities";
import { listLocalSamples } from "@assay/capabilities/samples";
import { type Chain, createChain } from "@assay/chain";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { startProfiledNode } from "@assay/chain/testing/profiledNode";
import type { ProviderProfile } from "@assay/chain/testing/providerProfile";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import { AssayError, type Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { observeAssertion } from "../../../src/claims/observeAssertion.js";
import { answerCapability } from "../../../src/evidence/answer.js";
import { publishLine } from "../../../src/obligations/testing/publishLine.js";
import { accountOf, buyAnswer } from "../../payer.js";
import { startTestService, type TestService } from "../../startTestService.js";
import { type Asked, sampleQuestions } from "./sampleQuestions.js";
import { sendDollars } from "./sendDollars.js";

/** What was answered through a node: a verdict with its reasons, or the code of an error. */
export interface Outcome {
  readonly verdict: string;
  readonly reasonCodes: readonly string[];
  readonly isProven: boolean;
}

/**
 * How an answer compares with a full node's. `works`: the same. `unproven`: the same without proofs. `degraded`: for review or
 * as before, and it says what is missing. `503`: nothing was sold. `wrong`: anything else.
 */
export type Cell = "works" | "unproven" | "degraded" | "503" | "wrong";

/** One thing that is asked behind each profile. */
export interface Row {
  readonly name: string;
  ask(chain: Chain): Promise<Outcome>;
}

export interface MatrixWorld {
  readonly service: TestService;
  readonly rows: readonly Row[];
  /** A chain behind a node of that profile, for as long as `run` takes. */
  behind<T>(profile: ProviderProfile, run: (chain: Chain) => Promise<T>): Promise<T>;
}

const ASKED: readonly Asked[] = [
  "contract.guard",
  "contract.change",
  "contract.interface",
  "token.metadata",
  "token.launch.guard",
  "rwa.market.guard",
  "transaction.intent.guard",
  "amm.swap.guard",
  "amm.v4.hook.guard",
  "lending.collateral.guard",
  "chain.snapshot",
  "message.intent.guard",
  "prediction.evidence",
  "trade.execution.notarize",
];

/** The real service on a local chain. Its own node is honest: what the profiles break leaves its start and its payments alone. */
export async function openMatrixWorld(blockTimeMs = 500): Promise<MatrixWorld> {
  const service = await startTestService(
    { RATE_LIMITS: "off" },
    undefined,
    openSharedDevnet({ blockTimeMs }),
  );
  const { chainOf } = service;
  const mined = await sendDollars(service);
  await pause(service);
  const proxy = chainOf.contracts.upgradeableProxy.toLowerCase() as Hex;
  const toBlock = Number(await chainOf.request<Hex>("eth_blockNumber"));
  const obligationId = await publishLine(service, proxy, { fromBlock: toBlock - 2, toBlock });
  const question = sampleQuestions(service, mined);
  let ended: Promise<string> | undefined;
  /** Bought when it is first asked for: most runs never do. */
  const findEnded = () => {
    ended ??= buyEnded(service);
    return ended;
  };
  const aboutCapability = (name: string, capability: string, input: unknown): Row => ({
    name,
    ask: (chain) => askCapability(service, chain, capability, input),
  });
  return {
    service,
    rows: [
      ...ASKED.map((id) => aboutCapability(id, id, question(id).input)),
      aboutCapability("contract.guard, a paused token", "contract.guard", {
        address: chainOf.contracts.pausableToken.toLowerCase(),
      }),
      aboutCapability("obligation.verdict", "obligation.verdict", { obligationId }),
      aboutCapability("web.compile", "web.compile", listLocalSamples(chainOf)["web.compile"]?.[0]?.input),
      {
        name: "evidence.artifact",
        ask: async (chain) =>
          askCapability(service, chain, "evidence.artifact", { artifactId: await findEnded() }),
      },
      { name: "a claim's older block", ask: (chain) => observe(chain, proxy, toBlock - 1) },
    ],
    async behind(profile, run) {
      const node = await startProfiledNode(devnetChain(chainOf), profile);
      try {
        const chain = await createChain({
          rpcUrls: [node.url],
          expectedChainId: 8453,
          requestTimeoutMs: 15_000,
        });
        return await run(chain).finally(() => chain.close());
      } finally {
        await node.close();
      }
    },
  };
}

/** Asks once more where nothing was sold, as callers do after the time that they are given. */
export async function askPatiently(row: Row, chain: Chain, tries: number): Promise<Outcome> {
  for (let left = tries - 1; ; left -= 1) {
    const outcome = await row.ask(chain);
    if (outcome.verdict !== "503" || left <= 0) return outcome;
    await new Promise((resume) => setTimeout(resume, 1_000));
  }
}

export function compareOutcomes(full: Outcome, seen: Outcome): Cell {
  if (seen.verdict === "503") return "503";
  const isSame =
    seen.verdict === full.verdict &&
    [...seen.reasonCodes].sort().join() === [...full.reasonCodes].sort().join();
  if (isSame) return full.isProven && !seen.isProven ? "unproven" : "works";
  const more = seen.reasonCodes.filter((code) => !full.reasonCodes.includes(code));
  if (seen.verdict === full.verdict && more.some((code) => /_(UNREAD|UNAVAILABLE)$/.test(code)))
    return "degraded";
  const isCareful = seen.verdict === "review" && full.verdict !== "block";
  return isCareful || (seen.verdict === "block" && full.verdict === "block") ? "degraded" : "wrong";
}

async function askCapability(
  service: TestService,
  chain: Chain,
  id: string,
  input: unknown,
): Promise<Outcome> {
  const capability = findCapability(id);
  if (!capability) throw new Error(`${id} is not sold`);
  return outcomeOf(async () => {
    const { artifact } = await answerCapability(
      { ...service.context, chain },
      capability,
      capability.input.parse(input) as CapabilityInput,
    );
    const { reasonCodes, evidence } = artifact.result;
    return { verdict: artifact.verdict, reasonCodes, isProven: evidence.proofs !== null };
  });
}

/** An answer that was sold and has ended, so that it is made again for the next caller. */
async function buyEnded(service: TestService): Promise<string> {
  const { chainOf, url } = service;
  const { evidenceReference, result } = await buyAnswer(
    `${url}/api/v1/capabilities/contract.guard/invoke?address=${chainOf.contracts.boxV2}`,
    accountOf(service, "bob"),
  );
  await chainOf.mine(result.validUntilBlock - result.computedAtBlock + 1);
  return evidenceReference.artifactId;
}

const observe = (chain: Chain, address: Hex, block: number): Promise<Outcome> =>
  outcomeOf(async () => {
    const observation = await observeAssertion(chain, { type: "upgrade_window", address }, block);
    return { verdict: observation.status, reasonCodes: [JSON.stringify(observation)], isProven: false };
  });

async function outcomeOf(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof AssayError) || error.retryAfterSeconds === undefined) throw error;
    return { verdict: "503", reasonCodes: [error.message], isProven: false };
  }
}

async function pause({ chainOf }: TestService): Promise<void> {
  const owner = privateKeyToAccount(chainOf.deployer.privateKey);
  const nonce = Number(await chainOf.request<Hex>("eth_getTransactionCount", [owner.address, "latest"]));
  const data = encodeFunctionData({ abi: parseAbi(["function pause()"]) });
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n };
  const to = chainOf.contracts.pausableToken as Hex;
  const call = { chainId: 8453, type: "eip1559", nonce, gas: 200_000n, to, data, ...fees } as const;
  await chainOf.request("eth_sendRawTransaction", [await owner.signTransaction(call)]);
  await chainOf.mine();
}
