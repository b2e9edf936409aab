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
type Told = Readonly<Record<string, unknown>> & { readonly logs: Parameters<typeof logsBloom>[0] };
const withBloom = (receipt: Told) => ({ ...receipt, logsBloom: logsBloom(receipt.logs) });
const encodeAll = (told: readonly Told[]) => told.map((receipt) => encodeReceipt(withBloom(receipt)));

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
    const decoded = transactions.map((told) => decodeTransaction(bytesToHex(encodeTransaction(told))));
    expect(decoded[0]).toMatchObject({
      type: 0x7e,
      from: "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001",
      to: "0x4200000000000000000000000000000000000015",
      nonce: null,
    });
    for (const one of decoded.slice(1)) expect(one).toMatchObject({ type: 2, from: sender, chainId: 1301n });
  });

  test("before Canyon a deposit's nonce, though told, is not hashed", () => {
    expect(buildOrderedTrie(encodeAll(opGoerliReceipts.receipts)).root).toBe(opGoerliReceipts.receiptsRoot);
    const versioned = opGoerliReceipts.receipts.map((one, i) =>
      i === 0 ? { ...one, depositReceiptVersion: "0x1" } : one,
    );
    expect(buildOrderedTrie(encodeAll(versioned)).root).not.toBe(opGoerliReceipts.receiptsRoot);
  });

  test("its receipts say what its logs say", () => {
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
  const raw = transactions.map(encodeTransaction);
  const parts = {
    transaction: { trie: buildOrderedTrie(raw), root: header.transactionsRoot },
    receipt: { trie: buildOrderedTrie(encodeAll(receipts)), root: header.receiptsRoot },
  };

  test("anywhere in a header shows", () => {
    const rlp = encodeHeader(header, hash) as Hex;
    for (let at = 0; at < (rlp.length - 2) / 2; at += 1)
      expect(() => openHeader(flip(rlp, at), hash)).toThrow(StateProofError);
  });

  test.each(["transaction", "receipt"] as const)("anywhere in the proof of a %s shows", (what) => {
    const { trie, root } = parts[what];
    for (let index = 0; index < 6; index += 5) {
      const nodes = trie.listNodes(index);
      expect(() => findInOrderedTrie(nodes, root, index, what)).not.toThrow();
      nodes.forEach((node, position) => {
        for (let at = 0; at < (node.length - 2) / 2; at += 1) {
          const changed = nodes.with(position, flip(node, at));
          expect(() => findInOrderedTrie(changed, root, index, what)).toThrow(StateProofError);
        }
      });
    }
  });

  test("anywhere in what a node tells of a receipt or a transaction gives another root", () => {
    const change = (list: readonly Uint8Array[], at: number) =>
      list.with(at % list.length, flipBytes(list[at % list.length] as Uint8Array, at));
    for (let at = 0; at < 150; at += 1) {
      expect(buildOrderedTrie(change(raw, at)).root).not.toBe(header.transactionsRoot);
      expect(buildOrderedTrie(change(encodeAll(receipts), at)).root).not.toBe(header.receiptsRoot);
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
    await fc.assert(property, { numRuns: 30, seed: 20261116 });
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

describe("what a node tells and is no transaction or receipt", () => {
  test.each<[string, Record<string, unknown>]>([
    ["a type that is not known", { type: "0x7d" }],
    ["a type over a byte", { type: "0x102" }],
    ["a value that is no quantity", { ...transactions[1], value: "12" }],
    ["calldata of half a byte", { ...transactions[1], input: "0x123" }],
    ["a short address", { ...transactions[1], to: "0x12" }],
    ["an access list that is none", { ...transactions[1], accessList: {} }],
    ["nothing", {}],
  ])("%s is refused", (_, told) => {
    expect(() => encodeTransaction(told)).toThrow(EncodingError);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a bloom of another size", { ...withBloom(receipts[2]), logsBloom: "0x00" }],
    [
      "a topic of another size",
      { ...withBloom(receipts[2]), logs: [{ address: sender, topics: ["0x01"], data: "0x" }] },
    ],
    ["logs that are none", { ...withBloom(receipts[2]), logs: [null] }],
  ])("%s is refused", (_, told) => {
    expect(() => encodeReceipt(told)).toThrow(EncodingError);
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
      { numRuns: 500, seed: 20261116 },
    );
  });
});
