import type { Chain, MinedTransaction } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { Fault, FaultyNode, NodeCall } from "@assay/chain/testing/faultyNode";
import type { LocalAnswer } from "@assay/chain/testing/localChain";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { concatHex, parseEther, toHex } from "viem";
import { afterEach, describe, expect, test } from "vitest";
import { v2Orders } from "../testing/swapOrders.js";
import { evaluateTradeExecution } from "./evaluate.js";
import { openExecution } from "./openExecution.js";
import { useNotarizeFixture } from "./testing/notarizeFixture.js";

const fixture = useNotarizeFixture();
const { notarize, errorOf } = fixture;
afterEach(() => {
  fixture.node.fault = undefined;
});

type JsonObject = Record<string, unknown>;
const editing = (edit: (call: NodeCall, honest: LocalAnswer) => LocalAnswer | undefined): Fault => ({
  kind: "edit",
  edit,
});
/** Answers a method with something else than the chain does. */
const answering = (method: string, change: (result: JsonObject) => unknown): Fault =>
  editing((call, honest) =>
    call.method === method && honest.result ? { result: change(honest.result as JsonObject) } : honest,
  );
const failing = (...methods: string[]): Fault =>
  editing((call, honest) =>
    methods.includes(call.method) ? { error: { code: -32603, message: "internal error" } } : honest,
  );
const transfer = () => fixture.send(fixture.alice, { to: fixture.bob.address, value: 1n });
const swap = () => {
  const { alice, contracts, sendSwap } = fixture;
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 600);
  const scene = { from: lowercase(alice.address), router: lowercase(contracts.uniswapV2Router), deadline };
  const path = [lowercase(contracts.weth), lowercase(contracts.stablecoin)];
  return sendSwap(v2Orders.swapExactETHForTokens(scene, path, parseEther("0.1"), 280_000_000n));
};

/** Asks through nodes of its own; the first is asked first. */
async function through<T>(nodes: readonly FaultyNode[], ask: (chain: Chain) => Promise<T>): Promise<T> {
  const rpcUrls = nodes.map(({ url }) => url);
  const chain = await createChain({ rpcUrls, expectedChainId: 8453 });
  try {
    return await ask(chain);
  } finally {
    await chain.close();
  }
}
async function withTwo<T>(ask: (nodes: readonly [FaultyNode, FaultyNode]) => Promise<T>): Promise<T> {
  const nodes = [await fixture.openNode(), await fixture.openNode()] as const;
  try {
    return await ask(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
  }
}

describe("a transaction that is not mined", () => {
  const UNKNOWN_HASH: Hex = `0x${"ab".repeat(32)}`;

  test("because nobody sent it has no answer", async () => {
    expect(await errorOf(notarize(UNKNOWN_HASH))).toBe("transaction_not_mined");
  });

  test("because it waits has none yet", async () => {
    await fixture.devnet.request("evm_setAutomine", [false]);
    const hash = await transfer();
    expect(await errorOf(notarize(hash))).toBe("transaction_not_mined");
    await fixture.devnet.request("evm_setAutomine", [true]);
    await fixture.devnet.mine();
    expect(await notarize(hash)).toMatchObject({ verdict: "allow" });
  });

  test("yet at the block the answer is computed at has none", async () => {
    const block = await fixture.chain.latestBlock();
    const hash = await transfer();
    const behind = { ...fixture.chain, latestBlock: async () => block };
    expect(await errorOf(notarize(hash, behind))).toBe("transaction_not_mined");
  });

  test("as far as one of two nodes knows is found with the other", async () => {
    const hash = await transfer();
    const lagging = editing((call, honest) =>
      /^eth_getTransaction(ByHash|Receipt)$/.test(call.method) ? { result: null } : honest,
    );
    for (const which of [0, 1] as const) {
      const answer = await withTwo((nodes) =>
        through(nodes, (chain) => {
          nodes[which].fault = lagging;
          return notarize(hash, chain);
        }),
      );
      expect(answer.verdict).toBe("allow");
    }
  });

  test("as far as one of two nodes knows, with the other silent, is not known to be so", async () => {
    const error = await withTwo((nodes) =>
      through(nodes, (chain) => {
        nodes[1].fault = failing("eth_getTransactionByHash", "eth_getTransactionReceipt");
        return errorOf(notarize(UNKNOWN_HASH, chain));
      }),
    );
    expect(error).toBe("chain_unavailable");
  });
});

describe("a node that lies about", () => {
  const lies: [string, Fault, string[]][] = [
    [
      "a log of the receipt",
      answering("eth_getTransactionReceipt", (result) => ({
        ...result,
        logs: (result.logs as JsonObject[]).map((log) => ({
          ...log,
          data: String(log.data).replace(/.$/, "f"),
        })),
      })),
      ["RECEIPT_UNPROVEN"],
    ],
    [
      "success",
      answering("eth_getTransactionReceipt", (result) => ({ ...result, status: "0x0" })),
      ["RECEIPT_UNPROVEN", "TRANSACTION_REVERTED"],
    ],
    [
      "a type that nobody knows",
      answering("eth_getBlockByHash", (result) => ({
        ...result,
        transactions: (result.transactions as JsonObject[]).map((one) => ({ ...one, type: "0x7d" })),
      })),
      ["TRANSACTION_UNPROVEN"],
    ],
    [
      "the calldata in the block",
      answering("eth_getBlockByHash", (result) => ({
        ...result,
        transactions: (result.transactions as JsonObject[]).map((one) => ({ ...one, input: "0x12" })),
      })),
      ["TRANSACTION_UNPROVEN"],
    ],
    [
      "a field of the header",
      answering("eth_getBlockByHash", (result) => ({ ...result, gasUsed: "0x1" })),
      ["HEADER_UNPROVEN", "TRANSACTION_UNPROVEN", "RECEIPT_UNPROVEN"],
    ],
  ];

  test.each(lies)("%s proves nothing: for review", async (_, fault, codes) => {
    const hash = await swap();
    fixture.node.fault = fault;
    const answer = await notarize(hash);
    expect(answer.verdict).toBe("review");
    expect(answer.reasonCodes).toEqual(expect.arrayContaining(codes));
    expect(answer.reasonCodes).not.toContain("EXECUTION_PROVEN");
  });

  test.each(lies)("%s is skipped for one that reports the truth", async (_, fault) => {
    const hash = await swap();
    const answer = await withTwo((nodes) =>
      through(nodes, (chain) => {
        // It begins to lie once it has truly reported where the transaction is.
        nodes[0].fault = fault;
        nodes[0].appliesTo = (calls) => calls.every(({ method }) => method !== "eth_getTransactionByHash");
        return notarize(hash, chain);
      }),
    );
    expect(answer).toMatchObject({ verdict: "allow" });
    expect(answer.reasonCodes).toContain("EXECUTION_PROVEN");
  });

  test("the transaction that has the hash is no source at all", async () => {
    const [first, second] = [await transfer(), await swap()];
    const { request } = fixture.devnet;
    const [transaction, receipt] = [
      await request<JsonObject>("eth_getTransactionByHash", [first]),
      await request<JsonObject>("eth_getTransactionReceipt", [first]),
    ];
    fixture.node.fault = editing((call, honest) => {
      if (call.params[0] !== second) return honest;
      if (call.method === "eth_getTransactionByHash") return { result: transaction };
      return { result: { ...receipt, transactionHash: second } };
    });
    expect(await errorOf(notarize(second))).toBe("chain_unavailable");
  });

  test("the block at that height: two nodes that differ give no verdict", async () => {
    const hash = await transfer();
    // Not the newest block that is known: a poll under way may be about an older one.
    const { blockNumber } = await fixture.devnet.request<JsonObject>("eth_getTransactionReceipt", [hash]);
    await fixture.devnet.mine();
    const other = answering("eth_getBlockByNumber", (result) =>
      result.number === blockNumber ? { ...result, hash: `0x${"cd".repeat(32)}` } : result,
    );
    for (const which of [0, 1] as const) {
      const error = await withTwo((nodes) =>
        through(nodes, (chain) => {
          nodes[which].fault = other;
          return errorOf(notarize(hash, chain));
        }),
      );
      expect(error).toBe("chain_unavailable");
    }
  });

  test("a block that was replaced has no verdict", async () => {
    const hash = await transfer();
    fixture.node.fault = answering("eth_getBlockByNumber", (result) => ({
      ...result,
      hash: `0x${"cd".repeat(32)}`,
    }));
    const block = await fixture.devnet.request<JsonObject>("eth_getBlockByNumber", ["latest", false]);
    expect(block.hash).not.toBe(`0x${"cd".repeat(32)}`);
    expect(await errorOf(notarize(hash))).toBe("chain_unavailable");
  });
});

describe("what no node answers", () => {
  test.each<[string, Fault, string]>([
    ["where the transaction is", failing("eth_getTransactionReceipt"), "chain_unavailable"],
    ["the block", failing("eth_getBlockByHash"), "chain_unavailable"],
  ])("%s: no answer", async (_, fault, error) => {
    const hash = await transfer();
    fixture.node.fault = fault;
    expect(await errorOf(notarize(hash))).toBe(error);
  });

  test("the other receipts of the block: its own is the node's word", async () => {
    const [hash] = await fixture.sendTogether([swap, transfer]);
    fixture.node.fault = editing((call, honest) =>
      call.method === "eth_getTransactionReceipt" && call.params[0] !== hash ? { result: null } : honest,
    );
    const answer = await notarize(hash as Hex);
    expect(answer).toMatchObject({
      verdict: "review",
      findings: { proven: { transaction: true, receipt: false } },
    });
    expect(answer.reasonCodes).toContain("RECEIPT_UNPROVEN");
    expect(answer.limitations.join(" ")).toContain("no node gave all of its block");
  });

  test("the other receipts of the block, but a second node does: proven", async () => {
    const [hash] = await fixture.sendTogether([swap, transfer]);
    const answer = await withTwo((nodes) =>
      through(nodes, (chain) => {
        nodes[0].fault = editing((call, honest) =>
          call.method === "eth_getTransactionReceipt" && call.params[0] !== hash ? { result: null } : honest,
        );
        return notarize(hash as Hex, chain);
      }),
    );
    expect(answer.reasonCodes).toContain("EXECUTION_PROVEN");
  });

  test("all of the block truly: the best report of one of them is kept", async () => {
    const [hash] = await fixture.sendTogether([swap, transfer]);
    const answer = await withTwo((nodes) =>
      through(nodes, (chain) => {
        nodes[0].fault = failing("eth_getTransactionReceipt");
        nodes[0].appliesTo = (calls) => calls.every(({ method }) => method !== "eth_getTransactionByHash");
        nodes[1].fault = answering("eth_getBlockByHash", (result) => ({ ...result, gasUsed: "0x1" }));
        return notarize(hash as Hex, chain);
      }),
    );
    expect(answer).toMatchObject({ findings: { proven: { transaction: true, receipt: false } } });
  });

  test("balances: for review, the limit judged by events", async () => {
    const hash = await swap();
    fixture.node.fault = failing("eth_call", "eth_getBalance");
    const answer = await notarize(hash);
    expect(answer.verdict).toBe("review");
    expect(answer.reasonCodes).toEqual(expect.arrayContaining(["REALISED_UNCONFIRMED", "LIMIT_KEPT"]));
    expect(answer.findings).toMatchObject({
      swap: { realised: { received: { source: "events" }, paid: { source: "inferred" } } },
    });
  });

  test.each<[string, Fault, string, number]>([
    ["is not reported", failing("eth_getBlockByNumber"), "FINALITY_UNREAD", 10],
    ["has not reached it", finalAt(0, 0), "NOT_FINAL", 10],
    ["is safe only", finalAt(1e6, 0), "SAFE_NOT_FINAL", 60],
  ])("how far finality is: where it %s, for review and for a short time", async (_, fault, code, ttl) => {
    const hash = await transfer();
    await fixture.chain.latestBlock();
    fixture.node.fault = fault;
    fixture.node.appliesTo = (calls) => calls.some(({ params }) => params[0] === "safe");
    const answer = await notarize(hash);
    fixture.node.appliesTo = undefined;
    expect(answer).toMatchObject({ verdict: "review", ttlSeconds: ttl });
    expect(answer.reasonCodes).toContain(code);
    expect(answer.reasonCodes).not.toContain("FINALIZED");
  });

  test("of two nodes the more cautious one is believed", async () => {
    const hash = await transfer();
    const answer = await withTwo((nodes) =>
      through(nodes, (chain) => {
        nodes[1].fault = finalAt(0, 0);
        return notarize(hash, chain);
      }),
    );
    expect(answer.reasonCodes).toContain("NOT_FINAL");
  });

  function finalAt(safe: number, finalized: number): Fault {
    return editing((call, honest) => {
      const height = { safe, finalized }[String(call.params[0])];
      if (call.method !== "eth_getBlockByNumber" || height === undefined) return honest;
      return { result: { ...(honest.result as JsonObject), number: toHex(height) } };
    });
  }
});

describe("what is too large", () => {
  test("logs of more than 256 KiB are refused", async () => {
    // LOG0 over 300,000 bytes of memory.
    const emitter: Hex = `0x${"e7".repeat(20)}`;
    await fixture.setCode(emitter, "0x620493e06000a000");
    const hash = await fixture.send(fixture.alice, { to: emitter, gas: 10_000_000n });
    expect(await errorOf(notarize(hash))).toBe("execution_too_large");
  });

  test("a block that no node can send is refused", async () => {
    const hash = await transfer();
    fixture.node.fault = answering("eth_getBlockByHash", (result) => ({
      ...result,
      filler: "0".repeat(34_000_000),
    }));
    expect(await errorOf(notarize(hash))).toBe("execution_too_large");
  });

  test("calldata of 100 KB is carried whole", async () => {
    const data = concatHex(["0x00", `0x${"11".repeat(100_000)}`]);
    const hash = await fixture.send(fixture.alice, { to: fixture.bob.address, data, gas: 10_000_000n });
    expect(await notarize(hash)).toMatchObject({ verdict: "allow" });
  });
});

describe("a node with eth_getBlockReceipts", () => {
  test("is asked for all at once, in four steps with the newest block", async () => {
    const hashes = await fixture.sendTogether([swap, transfer, transfer]);
    const receipts: unknown[] = [];
    for (const hash of hashes)
      receipts.push(await fixture.devnet.request("eth_getTransactionReceipt", [hash]));
    const node = await fixture.openNode();
    node.fault = editing((call, honest) =>
      call.method === "eth_getBlockReceipts" ? { result: receipts } : honest,
    );
    const answer = await through([node], async (chain) => {
      node.requests.length = 0;
      return notarize(hashes[0] as Hex, chain);
    });
    expect(answer.reasonCodes).toContain("EXECUTION_PROVEN");
    // The whole block and its receipts travel beside the rest of their step.
    const [found, ...rest] = node.requests.map((calls) =>
      calls
        .map(({ method }) => method)
        .sort()
        .join(" "),
    );
    const balances = rest.pop();
    expect(found).toBe(
      "eth_getBlockByNumber eth_getBlockByNumber eth_getTransactionByHash eth_getTransactionReceipt",
    );
    expect(rest.sort()).toEqual([
      "eth_getBlockByHash",
      "eth_getBlockByNumber eth_getBlockByNumber",
      "eth_getBlockReceipts",
    ]);
    expect(balances).toBe("eth_call eth_call eth_getBalance eth_getBalance");
    await node.close();
  });
});

describe("callers at the same moment", () => {
  const mine = async (hash: Hex | undefined) => {
    const mined = await fixture.chain.findMined(hash as Hex);
    if (mined === undefined) throw new Error("not mined");
    return mined;
  };

  test("share a block, each with the proof of its own transaction", async () => {
    const hashes = await fixture.sendTogether([swap, transfer, transfer]);
    const mined = await Promise.all(hashes.map(mine));
    fixture.node.requests.length = 0;
    const executions = await Promise.all(mined.map((one) => fixture.chain.readExecution(one)));
    const asked = fixture.node.requests.flat().filter(({ method }) => method === "eth_getBlockByHash");
    expect(asked).toHaveLength(1);
    for (const [i, { header, transaction, receipt }] of executions.entries()) {
      const { blockNumber: number, blockHash: hash, index } = mined[i] as MinedTransaction;
      const execution = { number, hash, canonicalHash: hash, index, header, transaction, receipt };
      const block = { number, hash, timestamp: 0 };
      expect(openExecution(hashes[i] as Hex, { block, execution } as never)).toMatchObject({
        isTransactionProven: true,
        isReceiptProven: true,
      });
    }
  });

  test("each get the block they ask about, where one was replaced by another", async () => {
    const [before, after] = [await mine(await transfer()), await mine(await transfer())];
    const replaced = { ...before, blockHash: after.blockHash, blockNumber: after.blockNumber };
    const executions = await Promise.all(
      [before, replaced].map((mined) => fixture.chain.readExecution(mined)),
    );
    expect(executions.map(({ block }) => block.hash)).toEqual([before.blockHash, after.blockHash]);
  });
});

test("readings of another transaction, block or place are refused by the rule", async () => {
  const [{ readings, input }, other] = [await notarize(await swap()), await notarize(await transfer())];
  const change = (part: object) => ({ ...readings, execution: { ...readings.execution, ...part } });
  expect(() => evaluateTradeExecution(other.input, readings)).toThrow("the transaction hashes to");
  expect(() => evaluateTradeExecution(input, change({ index: 1 }))).toThrow();
  expect(() => evaluateTradeExecution(input, change({ hash: other.readings.execution.hash }))).toThrow();
  expect(() => evaluateTradeExecution(input, change({ number: 1 }))).toThrow("has the number");
  expect(() =>
    evaluateTradeExecution(input, change({ receipt: other.readings.execution.receipt })),
  ).toThrow();
  expect(() => evaluateTradeExecution(input, change({ header: other.readings.execution.header }))).toThrow();
});
