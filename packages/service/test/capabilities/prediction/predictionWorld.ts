import { type CapabilityInput, getCapability, knownSlots } from "@assay/capabilities";
import {
  computeConditionId,
  listConditionSlots,
} from "@assay/capabilities/prediction.evidence/conditionState";
import { hashQuestion } from "@assay/capabilities/prediction.evidence/planCondition";
import { predictionEvidenceReadingsSchema } from "@assay/capabilities/prediction.evidence/readings";
import { loadServed } from "@assay/capabilities/served";
import { createLauncher } from "@assay/capabilities/testing/createLauncher";
import { loadSample } from "@assay/capabilities/testing/loadSample";
import { servePageFiles } from "@assay/capabilities/web.compile/testing/servePageFiles";
import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import { AssayError, canonicalJson, type Hex } from "@assay/protocol";
import { type Abi, numberToHex, parseAbi, stringToHex } from "viem";
import { answerCapability } from "../../../src/evidence/answer.js";
import { startTestService } from "../../startTestService.js";

const predictionEvidence = await loadServed(getCapability("prediction.evidence"));

const tokensAbi = parseAbi(["function prepareCondition(address, bytes32, uint256)"]);

/** A page of a market, and what is put into it besides. */
export const marketPage = (question: string, body: string) =>
  `<!doctype html><html lang="en"><title>${question}</title><body><article><h1>${question}</h1>${body}</article></body></html>`;

export interface MarketOptions {
  readonly oracle: Hex;
  readonly questionId: Hex;
  readonly outcomes?: bigint;
  readonly tokens?: Hex;
  readonly collateral?: Hex;
  /** In place of the id that the parts hash to. */
  readonly conditionIds?: readonly Hex[];
  readonly isPrepared?: boolean;
}

/** The service on a local chain with the published conditional tokens, and markets to open on them. */
export async function startPredictionWorld(pages: Readonly<Record<string, string>> = {}) {
  const files = await servePageFiles(pages);
  const hosts = [...files.testHosts].map(([name, place]) => `${name}=${place}`).join();
  const service = await startTestService({ RATE_LIMITS: "off", WEB_TEST_HOSTS: hosts });
  const devnet = service.chainOf;
  const { conditionalTokens, stablecoin, optimisticOracle } = devnet.contracts;
  const launcher = createLauncher(devnet);
  const send = (to: Hex, sample: string, name: string, args: readonly unknown[]) =>
    launcher.call(to, loadSample(sample).abi as Abi, name, args);

  /** Prepares a condition as anybody can, and opens a market that names it. */
  async function openMarket(options: MarketOptions): Promise<Hex> {
    const { oracle, questionId, outcomes = 2n, isPrepared = true } = options;
    if (isPrepared)
      await launcher.call(conditionalTokens, tokensAbi, "prepareCondition", [oracle, questionId, outcomes]);
    return launcher.deploy("SamplePredictionMarket", [
      options.tokens ?? conditionalTokens,
      options.collateral ?? stablecoin,
      options.conditionIds ?? [computeConditionId(oracle, questionId, outcomes)],
      oracle,
      questionId,
    ]);
  }

  /** An oracle in the form of UMA's adapter with this text, and a market on it. */
  async function openAdapted(text: string, procedure: string = optimisticOracle) {
    const oracle = await launcher.deploy("SampleAdapter", [conditionalTokens, procedure]);
    await send(oracle, "SampleAdapter", "initialize", [stringToHex(text)]);
    const questionId = hashQuestion(text);
    const market = await openMarket({ oracle, questionId, isPrepared: false });
    const tell = (name: string, ...args: readonly unknown[]) =>
      send(oracle, "SampleAdapter", name, [questionId, ...args]);
    return { market, oracle, questionId, conditionId: computeConditionId(oracle, questionId, 2n), tell };
  }

  /** State set by force, which the published code can never have. */
  async function setPayouts(conditionId: Hex, denominator: bigint, numerators: readonly bigint[]) {
    const { payoutDenominator, payoutNumerators } = listConditionSlots(conditionId);
    const words = [
      [payoutDenominator, denominator],
      ...numerators.map((one, i) => [payoutNumerators[i], one]),
    ];
    for (const [slot, value] of words)
      await setSlot(conditionalTokens, slot as Hex, numberToHex(value as bigint, { size: 32 }));
  }
  async function setSlot(address: string, slot: Hex, word: Hex): Promise<void> {
    await devnet.request("hardhat_setStorageAt", [address, slot, word]);
    await devnet.mine();
  }

  /** The answer, or the code of the error, as the service computes it; judged again from what is recorded. */
  async function judge(asked: { question: string; market: string }, through: Chain = service.context.chain) {
    try {
      const input = getCapability("prediction.evidence").input.parse(
        asked,
      ) as CapabilityInput<"prediction.evidence">;
      predictionEvidence.checkInput?.(input as never, service.context.settings);
      const context = { ...service.context, chain: through };
      const { artifact } = await answerCapability(context, predictionEvidence, input);
      const { evidence, reasonCodes, limitations, summary } = artifact.result;
      const readings = predictionEvidenceReadingsSchema.parse(JSON.parse(canonicalJson(evidence.readings)));
      const again = predictionEvidence.evaluate(input as never, readings);
      return { verdict: artifact.verdict, reasonCodes, limitations, summary, evidence, readings, again };
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      return { error: error.code, fields: error.fields.map(({ field }) => field) };
    }
  }

  return {
    service,
    devnet,
    files,
    launcher,
    conditionalTokens: lowercase(conditionalTokens),
    openMarket,
    openAdapted,
    send,
    setPayouts,
    makeUpgradeable: (address: Hex) =>
      setSlot(
        address,
        knownSlots.eip1967Implementation,
        `0x${lowercase(devnet.contracts.boxV1).slice(2).padStart(64, "0")}`,
      ),
    judge,
    /** A chain in front of the real one that gets no answer to some reads. */
    deafTo: (matches: (read: ChainRead) => boolean): Chain => withoutAnswers(service.context.chain, matches),
    async stop() {
      await service.stop();
      await files.close();
    },
  };
}

export type PredictionWorld = Awaited<ReturnType<typeof startPredictionWorld>>;
