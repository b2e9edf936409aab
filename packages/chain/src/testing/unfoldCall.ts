import type { Hex } from "@assay/protocol";
import { isPack } from "../callPack.js";
import { classifyNodeError, findRevertData } from "../classifyNodeError.js";
import { READ_SLOTS_CODE } from "../foldSlots.js";
import type { RpcRequest } from "../rpcAnswer.js";
import type { LocalAnswer } from "./localChain.js";

interface Override {
  readonly code?: string;
}

/** The requests that one request for several stands for; none where it stands for itself. */
export function unfoldCall({ method, params }: RpcRequest): RpcRequest[] {
  const [call, at, overrides] = params as [{ to?: Hex; data: Hex }, unknown, Record<string, Override>?];
  if (method !== "eth_call" || call.to === undefined) return [];
  if (isPack({ method, params }))
    return listCalls(call.data).map((packed) =>
      BigInt(packed.gas) === 0n
        ? { method: "eth_getCode", params: [packed.to, at] }
        : { method, params: [packed, at] },
    );
  if (overrides?.[call.to]?.code !== READ_SLOTS_CODE) return [];
  const slots = call.data.slice(2).match(/.{64}/g) ?? [];
  return slots.map((slot) => ({ method: "eth_getStorageAt", params: [call.to, `0x${slot}`, at] }));
}

const NO_OVERRIDES: LocalAnswer = {
  error: { code: -32602, message: "too many arguments, want at most 2" },
};

/** The answer to such a request from answers to its parts. One that cannot be given within it makes the node refuse the whole. */
export function refoldAnswers(call: RpcRequest, answers: readonly (LocalAnswer | undefined)[]): LocalAnswer {
  const parts = answers.map((answer) => (isPack(call) ? encodeOutcome(answer) : encodeWord(answer)));
  return parts.includes(undefined) ? NO_OVERRIDES : { result: `0x${parts.join("")}` };
}

const encodeWord = (answer: LocalAnswer | undefined): string | undefined =>
  typeof answer?.result === "string" ? answer.result.slice(2).padStart(64, "0") : undefined;

function encodeOutcome(answer: LocalAnswer | undefined): string | undefined {
  const { result, error } = answer ?? {};
  if (error !== undefined && classifyNodeError(error) !== "evm_failure") return undefined;
  const bytes = error === undefined ? result : (findRevertData(error) ?? "0x");
  if (typeof bytes !== "string") return undefined;
  const length = (bytes.length / 2).toString(16).padStart(8, "0");
  return `${length}${error === undefined ? "01" : "00"}${bytes.slice(2)}`;
}

/** As a pack's input names them, after its first word. */
function listCalls(input: Hex): { to: Hex; data: Hex; gas: Hex }[] {
  const calls: { to: Hex; data: Hex; gas: Hex }[] = [];
  for (let place = 66; place < input.length; ) {
    const word = input.slice(place, place + 64);
    const end = place + 64 + 2 * Number.parseInt(word.slice(16, 24), 16);
    calls.push({
      to: `0x${word.slice(24)}`,
      data: `0x${input.slice(place + 64, end)}`,
      gas: `0x${word.slice(0, 8)}`,
    });
    place = end;
  }
  return calls;
}
