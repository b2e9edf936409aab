import { writeFileSync } from "node:fs";
import { type CapabilityId, getCapability } from "@assay/capabilities";
import { listLocalSamples } from "@assay/capabilities/samples";
import { type FaultyNode, isHeadPoll, type NodeCall } from "@assay/chain/testing/faultyNode";
import type { LocalAnswer } from "@assay/chain/testing/localChain";
import { createRoundChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import { beforeAll, expect, test } from "vitest";
import type { Question } from "./testing/sampleQuestions.js";
import { useFaultyNodes } from "./testing/useFaultyNodes.js";

/** `npm run campaigns` faults 10,000. */
const READS = Number(process.env.ASSAY_FAULTED_READS ?? 60);
const SEED = Number(process.env.ASSAY_SEED ?? 7);
/** Of each capability; all of them where reads are counted by the thousand. */
const QUESTIONS = process.env.ASSAY_FAULTED_READS ? Number.POSITIVE_INFINITY : 2;
/** Questions that are asked at once, through one client. */
const TOGETHER = 6;

const fixture = useFaultyNodes();
let questions: readonly Question[];
const honest = new Map<Question, string>();

type Change = (answer: LocalAnswer, choices: SeededChoices) => LocalAnswer | undefined;

/** Of one read. What a single node can do without anybody noticing that it lies is not among them. */
const failures: Readonly<Record<string, Change>> = {
  "nothing at all": () => undefined,
  null: () => ({ result: null }),
  "an empty list": () => ({ result: [] }),
  "a number": () => ({ result: 7 }),
  "an error": () => ({ error: { code: -32603, message: "internal error" } }),
  "too many requests": () => ({ error: { code: -32005, message: "limit exceeded" } }),
  "no such block": () => ({ error: { code: -32000, message: "header not found" } }),
  "bytes that are cut off": ({ result }) => ({
    result: typeof result === "string" ? result.slice(0, -1) : result,
  }),
};
/** Of one of two nodes: the other one contradicts it. */
const lies: Readonly<Record<string, Change>> = {
  "another digit": ({ result, ...rest }, choices) =>
    typeof result === "string" && result.length > 2
      ? { result: alter(result, choices.integer(2, result.length - 1)) }
      : { result, ...rest },
  zero: ({ result, ...rest }) =>
    typeof result === "string" ? { result: `0x${"0".repeat(result.length - 2)}` } : { result, ...rest },
  "no data": ({ result, ...rest }) => (typeof result === "string" ? { result: "0x" } : { result, ...rest }),
};
const alter = (text: string, at: number) =>
  `${text.slice(0, at)}${(Number.parseInt(text[at] as string, 16) ^ 1).toString(16)}${text.slice(at + 1)}`;

/** A read of the block that is judged: not what the client asks to follow the chain. */
const isJudged = (call: NodeCall) =>
  !isHeadPoll(call) && (JSON.stringify(call.params).includes("blockHash") || call.method === "eth_getProof");

beforeAll(async () => {
  const samples = listLocalSamples(fixture.service.chainOf);
  const all = Object.entries(samples).flatMap(([capability, own]) =>
    own.slice(0, QUESTIONS).map(({ input }): Question => {
      return { capability, input: getCapability(capability as CapabilityId).input.parse(input) };
    }),
  );
  const both = { nodes: [fixture.first, fixture.second] };
  for (let at = 0; at < all.length; at += TOGETHER) {
    const some = all.slice(at, at + TOGETHER);
    const answers = await fixture.askAll(some, () => undefined, both);
    for (const [i, question] of some.entries()) {
      const verdict = answers[i]?.verdict;
      // Pages are read from no node.
      if (verdict !== undefined) honest.set(question, verdict);
    }
  }
  questions = [...honest.keys()];
}, 180_000);

/** Asks some questions while some reads of one node fail or lie. Returns how many did, and what was answered. */
async function askWithFaults(choices: SeededChoices) {
  const isLying = choices.chance(0.5);
  const [name, change] = choices.pick(Object.entries(isLying ? lies : failures));
  const share = choices.pick([0.02, 0.1, 0.5]);
  const some = Array.from({ length: TOGETHER }, () => choices.pick(questions));
  const broken: FaultyNode = isLying ? choices.pick([fixture.first, fixture.second]) : fixture.first;
  let faulted = 0;
  const breakNode = () => {
    broken.fault = {
      kind: "edit",
      edit: (call, answer) => {
        if (!isJudged(call) || !choices.chance(share)) return answer;
        const given = change(answer, choices);
        if (JSON.stringify(given) !== JSON.stringify(answer)) faulted += 1;
        return given;
      },
    };
  };
  const nodes = isLying ? [fixture.first, fixture.second] : [fixture.first];
  const answers = await fixture.askAll(some, breakNode, { nodes });
  broken.fault = undefined;
  return { name, faulted, answers: some.map((question, i) => ({ question, answer: answers[i] })) };
}

test("no read that fails, and no lie of one of two nodes, changes a verdict but to a review", async () => {
  const figures = { reads: 0, answers: 0, asHonest: 0, abstained: 0, refused: 0 };
  const wrong: string[] = [];
  for (let round = 0; figures.reads < READS; round++) {
    const { name, faulted, answers } = await askWithFaults(createRoundChoices(SEED, round));
    figures.reads += faulted;
    for (const { question, answer } of answers) {
      figures.answers += 1;
      const verdict = answer && "verdict" in answer ? answer.verdict : undefined;
      if (verdict === undefined) figures.refused += 1;
      else if (verdict === honest.get(question)) figures.asHonest += 1;
      else if (verdict === "review") figures.abstained += 1;
      else
        wrong.push(
          `${name}: ${question.capability} ${JSON.stringify(question.input)} is ${honest.get(question)}, was ${verdict} (round ${round})`,
        );
    }
  }
  if (process.env.ASSAY_FIGURES) writeFileSync(process.env.ASSAY_FIGURES, JSON.stringify(figures));
  expect(wrong).toEqual([]);
  expect(figures.abstained + figures.refused).toBeGreaterThan(0);
  expect(figures.asHonest).toBeGreaterThan(0);
}, 1_800_000);
