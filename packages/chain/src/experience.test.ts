import { expect, test } from "vitest";
import { createExperience } from "./experience.js";
import { noResponse, type RpcAnswer, type RpcRequest } from "./rpcAnswer.js";

const asks = (method: string): RpcRequest => ({ method, params: ["0x1", "latest"] });
const RESULT: RpcAnswer = { kind: "result", result: "0x1" };
const error = (message: string, code = -32000): RpcAnswer => ({ kind: "error", error: { code, message } });
const PASSING = noResponse("gateway_error");
const CODE = asks("eth_getCode");
const BALANCE = asks("eth_getBalance");
const TRACE = asks("debug_traceCall");
const HOUR_MS = 3_600_000;

function open(worked: readonly RpcRequest[] = [CODE, BALANCE, TRACE]) {
  const clock = { ms: 0 };
  const experience = createExperience(() => clock.ms);
  experience.read(
    worked,
    worked.map(() => RESULT),
  );
  const read = (request: RpcRequest, answer: RpcAnswer) => experience.read([request], [answer])[0];
  return { clock, experience, read };
}

test("a page in place of what the node has answered passes; one in place of what it never did may be a refusal", () => {
  const { read, clock } = open([CODE]);
  expect(read(CODE, noResponse("http_403"))).toEqual(PASSING);
  expect(read(CODE, noResponse("http_302"))).toEqual(PASSING);
  expect(read(TRACE, noResponse("http_403"))).toEqual(noResponse("http_403"));
  clock.ms += HOUR_MS;
  expect(read(CODE, noResponse("http_403"))).toEqual(noResponse("http_403"));
});

test("words that nobody knows pass where several plain methods fail with them at the same time", () => {
  const { read, clock, experience } = open();
  const strange = error("Server error");
  expect(experience.read([CODE, BALANCE], [strange, strange])).toEqual([PASSING, PASSING]);
  expect(read(TRACE, strange)).toEqual(PASSING);
  clock.ms += 2_000;
  expect(read(CODE, strange)).toEqual(strange);
  expect(read(BALANCE, error("Other words"))).toEqual(error("Other words"));
});

test("words with which a plain question failed and was answered later pass for a minute, whatever is asked", () => {
  const { read, clock } = open();
  const strange = error("Server error");
  expect(read(TRACE, strange)).toEqual(strange);
  expect(read(CODE, strange)).toEqual(strange);
  expect(read(TRACE, strange)).toEqual(strange);
  read(CODE, RESULT);
  clock.ms += 59_000;
  expect(read(TRACE, strange)).toEqual(PASSING);
  // What it never answered may be what it lacks.
  expect(read(asks("eth_getProof"), strange)).toEqual(strange);
  clock.ms += 1_000;
  expect(read(TRACE, strange)).toEqual(strange);
});

test("a question that is too much for the node is no trouble of the node", () => {
  const { experience } = open();
  const heavy = error("execution aborted (timeout = 5s)");
  const strange = error("Internal error", -32603);
  expect(experience.read([CODE, BALANCE], [heavy, heavy])).toEqual([heavy, heavy]);
  // A caller chooses what is run.
  const [call, estimate] = [asks("eth_call"), asks("eth_estimateGas")];
  expect(experience.read([call, estimate], [RESULT, RESULT])).toEqual([RESULT, RESULT]);
  expect(experience.read([call, estimate], [strange, strange])).toEqual([strange, strange]);
});

test("what the node has answered is believed to be refused at the third refusal in a row", () => {
  const { read } = open();
  const refusal = error("the method does not exist/is not available", -32601);
  expect([read(TRACE, refusal), read(TRACE, refusal)]).toEqual([PASSING, PASSING]);
  read(TRACE, RESULT);
  const row = [1, 2, 3].map(() => read(TRACE, refusal));
  expect(row).toEqual([PASSING, PASSING, refusal]);
  // What it never answered, it does not offer.
  expect(open([]).read(TRACE, refusal)).toEqual(refusal);
});
