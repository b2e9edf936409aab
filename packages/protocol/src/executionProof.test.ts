import { MerklePatriciaTrie } from "@ethereumjs/mpt";
import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes, keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { encodeHeader } from "./encodeHeader.js";
import { findInOrderedTrie, openHeader } from "./executionProof.js";
import { buildOrderedTrie, orderedTrieKey } from "./orderedTrie.js";
import { decodeReceipt, encodeReceipt } from "./receiptBytes.js";
import { EncodingError } from "./rlp.js";
import { EMPTY_TRIE, StateProofError } from "./stateProof.js";
import { logsBloom } from "./testing/logsBloom.js";
import { opGoerliReceipts } from "./testing/opGoerliReceipts.js";
import { unichainSepoliaBlock } from "./testing/unichainSepoliaBlock.js";
import { decodeTransaction, encodeTransaction } from "./transactionBytes.js";

const { header, hash, transactions, transactionHashes, receipts, sender } = unichainSepoliaBlock;
type NodeReceipt = Readonly<Record<string, unknown>> & { readonly logs: Parameters<typeof logsBloom>[0] };
const withBloom = (receipt: NodeReceipt) => ({ ...receipt, logsBloom: logsBloom(receipt.logs) });
const encodeAll = (list: readonly NodeReceipt[]) => list.map((receipt) => encodeReceipt(withBloom(receipt)));

describe("recorded blocks with deposits", () => {
  test("a block after Canyon is rebuilt to its transactions root, its receipts root and its hash", () => {
    const raw = transactions.map(encodeTransaction);
    expect(raw.map((bytes) => keccak256(bytes))).toEqual(transactionHashes);
    expect(buildOrderedTrie(raw).root).toBe(header.transactionsRoot);
    expect(buildOrderedTrie(encodeAll(receipts)).root).toBe(header.receiptsRoot);
    const rlp = encodeHeader(header, hash) as Hex;
    expect(openHeader(rlp, hash)).toEqual({
      number: 35_535_698,
      parentHash: header.parentHash,
      transactionsRoot: header.transactionsRoot,
      receiptsRoot: header.receiptsRoot,
      timestamp: 0x690be89e,
    });
  });

  test("each of its transactions is decoded to its sender", () => {
    const decoded = transactions.map((one) => decodeTransaction(bytesToHex(encodeTransaction(one))));
    expect(decoded[0]).toMatchObject({
      type: 0x7e,
      from: "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001",
      to: "0x4200000000000000000000000000000000000015",
      nonce: null,
    });
    for (const one of decoded.slice(1)) expect(one).toMatchObject({ type: 2, from: sender, chainId: 1301n });
  });

  test("before Canyon a deposit's nonce is not hashed, although nodes return it", () => {
    expect(buildOrderedTrie(encodeAll(opGoerliReceipts.receipts)).root).toBe(opGoerliReceipts.receiptsRoot);
    const versioned = opGoerliReceipts.receipts.map((one, i) =>
      i === 0 ? { ...one, depositReceiptVersion: "0x1" } : one,
    );
    expect(buildOrderedTrie(encodeAll(versioned)).root).not.toBe(opGoerliReceipts.receiptsRoot);
  });

  test("its receipts decode to its logs", () => {
    const [deposit, , , swap] = encodeAll(opGoerliReceipts.receipts).map((bytes) =>
      decodeReceipt(bytesToHex(bytes)),
    );
    expect(deposit).toEqual({ type: 0x7e, success: true, cumulativeGasUsed: 46_913n, logs: [] });
    expect(swap?.logs).toEqual(opGoerliReceipts.receipts[3].logs);
  });
});

describe("one flipped byte", () => {
  const flipBytes = (bytes: Uint8Array, at: number): Uint8Array => {
    const flipped = bytes.slice();
    flipped[at % flipped.length] = (flipped[at % flipped.length] ?? 0) ^ (1 << (at % 8));
    return flipped;
  };
  const flip = (bytes: Hex, at: number): Hex => bytesToHex(flipBytes(hexToBytes(bytes), at));
  const rawTransactions = transactions.map(encodeTransaction);
  const rawReceipts = encodeAll(receipts);
  const parts = {
    transaction: { trie: buildOrderedTrie(rawTransactions), root: header.transactionsRoot },
    receipt: { trie: buildOrderedTrie(rawReceipts), root: header.receiptsRoot },
  };
  /** The positions of bytes that can be flipped without a `StateProofError`. */
  const listUnnoticed = (bytes: Hex, read: (flipped: Hex) => void) =>
    Array.from({ length: (bytes.length - 2) / 2 }, (_, at) => at).filter((at) => {
      try {
        read(flip(bytes, at));
        return true;
      } catch (error) {
        if (!(error instanceof StateProofError)) throw error;
        return false;
      }
    });

  test("anywhere in a header is detected", () => {
    const rlp = encodeHeader(header, hash) as Hex;
    expect(listUnnoticed(rlp, (flipped) => openHeader(flipped, hash))).toEqual([]);
  });

  test.each(["transaction", "receipt"] as const)("anywhere in the proof of a %s is detected", (what) => {
    const { trie, root } = parts[what];
    for (let index = 0; index < 6; index += 5) {
      const nodes = trie.listNodes(index);
      expect(() => findInOrderedTrie(nodes, root, index, what)).not.toThrow();
      nodes.forEach((node, position) => {
        const find = (flipped: Hex) => findInOrderedTrie(nodes.with(position, flipped), root, index, what);
        expect(listUnnoticed(node, find)).toEqual([]);
      });
    }
  });

  test("anywhere in an encoded receipt or transaction gives another root", () => {
    const change = (list: readonly Uint8Array[], at: number) =>
      list.with(at % list.length, flipBytes(list[at % list.length] as Uint8Array, at));
    for (let at = 0; at < 150; at += 5) {
      expect(buildOrderedTrie(change(rawTransactions, at)).root).not.toBe(header.transactionsRoot);
      expect(buildOrderedTrie(change(rawReceipts, at)).root).not.toBe(header.receiptsRoot);
    }
  });
});

describe("a trie of a list", () => {
  const value = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 4 }),
    fc.uint8Array({ minLength: 25, maxLength: 80 }),
  );

  test("has the root that another implementation gives it, and proves each entry", async () => {
    const property = fc.asyncProperty(fc.array(value, { maxLength: 300 }), async (values) => {
      const oracle = new MerklePatriciaTrie();
      for (const [index, bytes] of values.entries())
        await oracle.put(hexToBytes(orderedTrieKey(index)), bytes);
      const trie = buildOrderedTrie(values);
      expect(trie.root).toBe(bytesToHex(oracle.root()));
      for (const [index, bytes] of values.entries())
        expect(findInOrderedTrie(trie.listNodes(index), trie.root, index, "entry")).toBe(bytesToHex(bytes));
    });
    await fc.assert(property, { numRuns: 10, seed: 20261116 });
  }, 30_000);

  test("of nothing is empty and proves nothing", () => {
    const trie = buildOrderedTrie([]);
    expect(trie.root).toBe(EMPTY_TRIE);
    expect(trie.listNodes(0)).toEqual([]);
    expect(() => findInOrderedTrie([], trie.root, 0, "entry")).toThrow("the block has no entry 0");
  });

  test("does not prove an entry past its end", () => {
    const trie = buildOrderedTrie([Uint8Array.of(1), Uint8Array.of(2)]);
    expect(trie.listNodes(2)).toEqual([]);
    expect(() => findInOrderedTrie(trie.listNodes(0), trie.root, 2, "entry")).toThrow(StateProofError);
  });
});

describe("a node's answer that is no transaction or receipt", () => {
  test.each<[string, Record<string, unknown>]>([
    ["a type that is not known", { type: "0x7d" }],
    ["a type over a byte", { type: "0x102" }],
    ["a value that is no quantity", { ...transactions[1], value: "12" }],
    ["calldata of half a byte", { ...transactions[1], input: "0x123" }],
    ["a short address", { ...transactions[1], to: "0x12" }],
    ["an access list that is none", { ...transactions[1], accessList: {} }],
    ["nothing", {}],
  ])("%s is refused", (_, answer) => {
    expect(() => encodeTransaction(answer)).toThrow(EncodingError);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a bloom of another size", { ...withBloom(receipts[2]), logsBloom: "0x00" }],
    [
      "a topic of another size",
      { ...withBloom(receipts[2]), logs: [{ address: sender, topics: ["0x01"], data: "0x" }] },
    ],
    ["logs that are none", { ...withBloom(receipts[2]), logs: [null] }],
  ])("%s is refused", (_, answer) => {
    expect(() => encodeReceipt(answer)).toThrow(EncodingError);
  });

  test("bytes that are none are refused, never a crash", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        for (const decode of [decodeTransaction, decodeReceipt]) {
          try {
            decode(bytesToHex(bytes));
          } catch (error) {
            expect(error).toBeInstanceOf(EncodingError);
          }
        }
      }),
      { seed: 20261116 },
    );
  });
});
