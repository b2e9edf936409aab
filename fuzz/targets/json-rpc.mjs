import assert from "node:assert/strict";
import { interpretRead } from "../../packages/chain/src/askReadings.ts";
import { describeRead } from "../../packages/chain/src/readQuery.ts";
import { readReply } from "../../packages/chain/src/readReply.ts";
import { encodeHeader } from "../../packages/protocol/src/encodeHeader.ts";
import { unichainSepoliaBlock } from "../../packages/protocol/src/testing/unichainSepoliaBlock.ts";

const [A, B] = ["a1", "b0"].map((pair) => `0x${pair.repeat(20)}`);
const WORD = `0x${"5a".repeat(32)}`;
const { header, hash } = unichainSepoliaBlock;
const block = { number: Number(header.number), hash };
const sent = { from: A, to: B, data: "0x", value: 0n };
const reads = [
  { kind: "code", address: A },
  { kind: "balance", address: A },
  { kind: "nonce", address: A },
  { kind: "storage", address: A, slot: WORD },
  { kind: "call", to: A, data: "0x" },
  { kind: "gasEstimate", ...sent },
  { kind: "trace", ...sent },
  { kind: "storageChanges", ...sent },
  { kind: "logs", fromBlock: 1 },
  { kind: "creation", contract: B, transactionHash: WORD },
  { kind: "feeHistory", blockCount: 4, percentiles: [50] },
  { kind: "header" },
  { kind: "proof", address: A, slots: [WORD] },
];
const queries = reads.map((read) => describeRead(block, read));
const frame = {
  type: "CALL",
  from: A,
  to: B,
  value: "0x1",
  gas: "0x10",
  gasUsed: "0x5",
  input: "0x",
  output: "0x2a",
};
const results = [
  "0x6001",
  "0x7",
  WORD,
  { ...frame, logs: [{ address: B, topics: [WORD], data: "0x", position: "0x0" }], calls: [frame] },
  { pre: { [A]: { storage: { [WORD]: WORD } } }, post: { [A]: { nonce: 1 } } },
  [{ address: A, topics: [WORD], data: "0x", blockNumber: "0x1", transactionHash: WORD }],
  { hash: WORD, from: A, to: null, nonce: "0x7", input: "0x6001" },
  { oldestBlock: header.number, baseFeePerGas: ["0x1", "0x2"], gasUsedRatio: [0.5], reward: [["0x1"]] },
  header,
  { accountProof: ["0xc0"], storageProof: [{ proof: ["0xc0"] }] },
  null,
];
const errors = [
  { code: 3, message: "execution reverted", data: "0x08c379a0" },
  { code: -32000, message: "header not found" },
  { code: -32602, message: "invalid argument", data: { data: "0x" } },
];

/** What a node returns. The first byte chooses the status, the others are the body. It is read as the answer to every question. */
export const target = {
  maxBytes: 16_384,
  cpuMs: 250,
  form: "json",
  words: ["jsonrpc", "result", "error", "id", "batch", "execution reverted", "rate limit"],
  seeds: () => [
    ...results.map((result) =>
      Buffer.from(
        JSON.stringify([
          { jsonrpc: "2.0", id: 1, result },
          { id: 2, result },
        ]),
      ),
    ),
    ...errors.map((error) => Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 1, error }))),
    Buffer.from('"batch size is too large"'),
  ],
  run(bytes) {
    const body = Buffer.from(bytes).toString();
    for (const status of [200, 400, 403, 429, 500, 501]) {
      const answers = readReply({ status, retryAfter: body.slice(0, 20), text: body }, [1, 2]);
      assert.equal(answers.length, 2);
      for (const answer of answers) assert.ok(["result", "error", "no_response"].includes(answer.kind));
    }
    for (const answer of [
      ...readReply({ status: 200, retryAfter: undefined, text: body }, [1]),
      asResult(body),
    ])
      for (const query of queries) {
        const read = interpretRead(query, answer);
        assert.ok(
          read.ok ? ["value", "absent", "reverted", "unanswered"].includes(read.value.status) : read.reason,
        );
      }
    const { result } = asResult(body);
    const encoded = encodeHeader(result, hash);
    assert.ok(encoded === undefined || encoded === encodeHeader(header, hash));
  },
};

function asResult(body) {
  try {
    return { kind: "result", result: JSON.parse(body) };
  } catch {
    return { kind: "result", result: body };
  }
}
