import { type CapabilityInput, findCapability } from "@assay/capabilities";
import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { FaultyNode } from "@assay/chain/testing/faultyNode";
import { AssayError, type Hex } from "@assay/protocol";
import { afterAll, afterEach, beforeAll } from "vitest";
import { answerCapability } from "../../../src/evidence/answer.js";
import { type ServiceBehindNode, startServiceBehindNode } from "../../startServiceBehindNode.js";
import type { Question } from "./sampleQuestions.js";
import { sendDollars } from "./sendDollars.js";

export type Sample = keyof ServiceBehindNode["service"]["chainOf"]["contracts"];

export interface Through {
  readonly nodes?: readonly FaultyNode[];
  /** Whether a proof was given before, so that readers count on the next one. */
  readonly countsOnProofs?: boolean;
  readonly requestTimeoutMs?: number;
}

/** One service for a file of tests, and nodes beside its own: what is broken there leaves its payments alone. */
export function useFaultyNodes() {
  let world: ServiceBehindNode;
  let first: FaultyNode;
  let second: FaultyNode;
  let mined: Hex;

  beforeAll(async () => {
    world = await startServiceBehindNode();
    [first, second] = await Promise.all([world.openNode(), world.openNode()]);
    mined = await sendDollars(world.service);
  }, 60_000);
  afterAll(() => world?.stop());
  afterEach(() => {
    for (const node of [world.node, first, second]) {
      node.fault = undefined;
      node.appliesTo = undefined;
    }
  });

  const addressOf = (sample: Sample) => world.service.chainOf.contracts[sample].toLowerCase() as Hex;

  /** The answers, or the codes of the errors, through nodes that are honest until the client is ready. */
  async function askAll(questions: readonly Question[], breakNodes: () => void, through: Through = {}) {
    // On a busy machine a slow answer must not become none, which is 503.
    const { nodes = [first], countsOnProofs = true, requestTimeoutMs = 15_000 } = through;
    const rpcUrls = nodes.map(({ url }) => url);
    const chain = await createChain({ rpcUrls, expectedChainId: 8453, requestTimeoutMs });
    try {
      const at = await chain.latestBlock();
      const proof = { kind: "proof", address: addressOf("boxV2"), slots: [] } as const;
      if (countsOnProofs) await chain.readAt(at, [{ kind: "header" }, proof]);
      if (chain.provesState() !== countsOnProofs) throw new Error("the nodes did not begin honest");
      await world.service.chainOf.mine();
      // Ends a poll of the head that may be under way: its honest answer would be shared.
      await chain.latestBlock();
      breakNodes();
      return await Promise.all(questions.map((question) => askThrough(chain, question)));
    } finally {
      await chain.close();
    }
  }

  async function askThrough(chain: Chain, { capability: id, input }: Question) {
    const capability = findCapability(id);
    if (!capability) throw new Error(`${id} is not sold`);
    try {
      const context = { ...world.service.context, chain };
      const { artifact } = await answerCapability(context, capability, input as CapabilityInput);
      const { reasonCodes, limitations, evidence } = artifact.result;
      const { proofs, readings } = evidence;
      return { verdict: artifact.verdict, reasonCodes, limitations: limitations.join(" "), proofs, readings };
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      return { error: error.code, retryAfterSeconds: error.retryAfterSeconds, detail: error.message };
    }
  }

  async function ask(question: Question, breakNodes: () => void, through: Through = {}) {
    const [answer] = await askAll([question], breakNodes, through);
    return answer as NonNullable<typeof answer>;
  }
  const aboutGuard = (sample: Sample): Question => ({
    capability: "contract.guard",
    input: { address: addressOf(sample) },
  });

  return {
    get service() {
      return world.service;
    },
    /** The one the service itself reads and pays through. */
    get servicesNode() {
      return world.node;
    },
    get first() {
      return first;
    },
    get second() {
      return second;
    },
    /** A transfer of the stablecoin, mined before the tests. */
    get mined() {
      return mined;
    },
    openNode: () => world.openNode(),
    addressOf,
    ask,
    askAll,
    guardAll: (samples: readonly Sample[], breakNodes: () => void, through: Through = {}) =>
      askAll(samples.map(aboutGuard), breakNodes, through),
    guard: (sample: Sample, breakNodes: () => void, through: Through = {}) =>
      ask(aboutGuard(sample), breakNodes, through),
  };
}
