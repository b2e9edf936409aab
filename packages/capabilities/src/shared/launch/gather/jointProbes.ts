import type { CallRead, StateOverrides } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionResult, encodeFunctionData } from "viem";
import { launchProbe, PROBE_GAS } from "../../pools/gather/findPools.js";
import type { Batch } from "../../reads/gather/createBatch.js";

const { abi } = launchProbe;

/** What is left of a call's gas for its functions, after its data is paid for. */
const JOINT_GAS = PROBE_GAS - 500_000;

/** One function of the probe that may share a call with others of the same trader. */
export interface Probe {
  readonly read: CallRead;
  /** Calls in which the same foreign code is replaced have the same name here; only these share one. */
  readonly scene: string;
  /** Gas without which the answer could be another than by itself. */
  readonly leastGas: number;
  /** Gas that ordinary tokens need. */
  readonly usualGas: number;
  /** Whether an answer with less gas than a call has by itself is as good; every answer by default. */
  isWhole?(answer: Hex): boolean;
}

interface Asked extends Probe {
  answer: () => Reading<Hex>;
}

/**
 * Functions of one trader, in as few calls as their gas allows. Each runs from the same state. What a shared call leaves
 * unanswered is asked by itself, in a later batch.
 */
export function createJoint() {
  const asked: Asked[] = [];
  return {
    ask(probe: Probe): () => Reading<Hex> {
      const one: Asked = { ...probe, answer: () => noAnswer };
      asked.push(one);
      return () => one.answer();
    },
    send(batch: Batch): void {
      for (const group of groupProbes(asked)) sendGroup(batch, group);
    },
    /** Once the batch is answered: asks for what is not whole. */
    sendAgain(batch: Batch): void {
      for (const one of asked) if (one.answer() === UNFINISHED) one.answer = batch.ask(one.read);
    },
  };
}
export type Joint = ReturnType<typeof createJoint>;

const UNFINISHED: Reading<Hex> = { ...noAnswer };

/** The greediest come first, as long as usual tokens leave enough gas for the next. */
function groupProbes(asked: readonly Asked[]): Asked[][] {
  const groups: { scene: string; members: Asked[]; spent: number }[] = [];
  for (const one of asked.toSorted((left, right) => right.leastGas - left.leastGas)) {
    const group = groups.find(
      ({ scene, spent }) => scene === one.scene && spent + Math.max(one.leastGas, one.usualGas) <= JOINT_GAS,
    );
    if (group === undefined) groups.push({ scene: one.scene, members: [one], spent: one.usualGas });
    else {
      group.members.push(one);
      group.spent += one.usualGas;
    }
  }
  return groups.map(({ members }) => members);
}

function sendGroup(batch: Batch, members: readonly Asked[]): void {
  const [first, ...others] = members;
  if (first === undefined) return;
  if (others.length === 0) {
    first.answer = batch.ask(first.read);
    return;
  }
  const args = [members.map(({ read }) => read.data), members.map(({ leastGas }) => BigInt(leastGas))];
  const answer = batch.ask({
    ...first.read,
    data: encodeFunctionData({ abi, functionName: "several", args }),
    overrides: members.map(({ read }) => read.overrides ?? {}).reduce(mergeOverrides),
  });
  members.forEach((one, index) => {
    one.answer = () => openAnswer(one, answer(), index);
  });
}

function openAnswer({ isWhole }: Probe, answer: Reading<Hex>, index: number): Reading<Hex> {
  // All of it ran out of gas, or the node did not answer: then it does not answer one of them either.
  if (answer.status !== "value") return answer.status === "reverted" ? UNFINISHED : answer;
  try {
    const answers = decodeFunctionResult({
      abi,
      functionName: "several",
      data: answer.value,
    }) as readonly Hex[];
    const own = answers[index] ?? "0x";
    return own === "0x" || isWhole?.(own) === false ? UNFINISHED : valueReading(own);
  } catch {
    return answer;
  }
}

const mergeOverrides = (left: StateOverrides, right: StateOverrides): StateOverrides =>
  Object.fromEntries(
    [...new Set([...Object.keys(left), ...Object.keys(right)] as Hex[])].map((address) => {
      const [one, other] = [left[address], right[address]];
      const slots = { ...one?.stateDiff, ...other?.stateDiff };
      return [
        address,
        { ...one, ...other, ...(Object.keys(slots).length > 0 && { stateDiff: slots }) },
      ] as const;
    }),
  );
