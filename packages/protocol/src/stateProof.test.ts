import { createMerkleProof, MerklePatriciaTrie, verifyMerkleProof } from "@ethereumjs/mpt";
import fc from "fast-check";
import { bytesToHex, fromRlp, type Hex, hexToBytes, keccak256, numberToHex, pad, toRlp } from "viem";
import { describe, expect, it } from "vitest";
import { EMPTY_CODE_HASH, findInTrie, openStateProofs, StateProofError } from "./stateProof.js";

type Entries = readonly (readonly [key: Uint8Array, value: Uint8Array])[];
type Outcome = Hex | "absent" | "refused";

/** Few different nibbles and lengths, so that keys share prefixes, end in branches and cause extensions. */
const key = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xff), { minLength: 1, maxLength: 4 })
  .map((bytes) => Uint8Array.from(bytes));
/** Short values give nodes under 32 bytes, which are embedded in their parents. */
const value = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 3 }),
  fc.uint8Array({ minLength: 28, maxLength: 60 }),
);
const entries = fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 12 });

async function buildTrie(pairs: Entries): Promise<MerklePatriciaTrie> {
  const trie = new MerklePatriciaTrie();
  for (const [path, stored] of pairs) await trie.put(path, stored);
  return trie;
}

/** The nodes that a hash refers to; shorter ones are embedded in their parents. */
async function listProofNodes(trie: MerklePatriciaTrie, path: Uint8Array): Promise<Uint8Array[]> {
  const proof = await createMerkleProof(trie, path);
  return proof.filter((node, index) => index === 0 || node.length >= 32);
}

function find(nodes: readonly Uint8Array[], root: Hex, path: Uint8Array): Outcome {
  const byHash = new Map(nodes.map((node) => [keccak256(node), bytesToHex(node)]));
  try {
    return findInTrie(byHash, root, bytesToHex(path), "the key") ?? "absent";
  } catch (error) {
    if (error instanceof StateProofError) return "refused";
    throw error;
  }
}

async function findWithLibrary(nodes: Uint8Array[], root: Hex, path: Uint8Array): Promise<Outcome> {
  try {
    const found = await verifyMerkleProof(path, nodes, { root: hexToBytes(root) });
    return found === null || found.length === 0 ? "absent" : bytesToHex(found);
  } catch {
    return "refused";
  }
}

/** Counts the kinds of nodes, so that the test fails if a generator stops producing one kind. */
function countKinds(nodes: readonly Uint8Array[], seen: Record<string, number>): void {
  const count = (kind: string) => {
    seen[kind] = (seen[kind] ?? 0) + 1;
  };
  const visit = (node: unknown) => {
    if (!Array.isArray(node)) return;
    if (node.length === 17) {
      count("branch");
      if (node[16] !== "0x") count("branch with a value");
      for (const child of node.slice(0, 16)) {
        if (Array.isArray(child)) count("embedded");
        visit(child);
      }
      return;
    }
    count(Number.parseInt(node[0][2], 16) >= 2 ? "leaf" : "extension");
    if (Array.isArray(node[1])) count("embedded");
    visit(node[1]);
  };
  for (const node of nodes) visit(fromRlp(bytesToHex(node), "hex"));
}

/** Changes one bit of one node, or its length. */
function mutate(nodes: readonly Uint8Array[], which: number, bit: number): Uint8Array[] {
  const index = which % nodes.length;
  const node = nodes[index] as Uint8Array;
  const at = bit % ((node.length + 1) * 8);
  const changed =
    at >= node.length * 8
      ? node.slice(0, node.length - 1)
      : node.map((byte, place) => (place === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
  return nodes.map((other, place) => (place === index ? changed : other));
}

describe("findInTrie", () => {
  it("finds what the library's own verifier finds, and refuses every changed or missing node", async () => {
    const seen: Record<string, number> = {};
    const outcomes = { value: 0, absent: 0, refused: 0 };
    const count = (outcome: Outcome) => {
      outcomes[outcome === "absent" || outcome === "refused" ? outcome : "value"] += 1;
    };
    await fc.assert(
      fc.asyncProperty(entries, key, fc.nat(), fc.nat(), async (pairs, other, which, bit) => {
        const trie = await buildTrie(pairs);
        const root = bytesToHex(trie.root());
        const stored = (pairs[which % pairs.length] as Entries[number])[0];
        for (const path of [stored, other]) {
          const nodes = await listProofNodes(trie, path);
          countKinds(nodes, seen);
          const found = find(nodes, root, path);
          count(found);
          expect(found).toBe(await findWithLibrary(nodes, root, path));
          const last = pairs.findLast(([each]) => bytesToHex(each) === bytesToHex(path));
          expect(found).toBe(last ? bytesToHex(last[1]) : "absent");

          // A proof is for its own key; it may or may not contain the nodes for the other.
          const foreign = path === stored ? other : stored;
          const reached = find(nodes, root, foreign);
          count(reached);
          expect(reached).toBe(await findWithLibrary(nodes, root, foreign));

          const changed = mutate(nodes, which, bit);
          expect(find(changed, root, path)).toBe("refused");
          expect(await findWithLibrary(changed, root, path)).toBe("refused");
          const missing = nodes.filter((_, index) => index !== which % nodes.length);
          expect(find(missing, root, path)).toBe("refused");
        }
      }),
    );
    for (const kind of ["branch", "branch with a value", "extension", "leaf", "embedded"])
      expect(seen[kind], kind).toBeGreaterThan(20);
    for (const [outcome, times] of Object.entries(outcomes)) expect(times, outcome).toBeGreaterThan(20);
  });

  it("returns a value, an absence or a refusal for made-up nodes, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(entries, key, fc.nat(), fc.nat(), async (pairs, path, which, bit) => {
        const nodes = await listProofNodes(await buildTrie(pairs), path);
        const changed = mutate(nodes, which, bit);
        // With a made-up root any node can be found; the search must still not fail in another way.
        const root = keccak256(changed[0] as Uint8Array);
        expect(find(changed, root, path)).toMatch(/^(0x|absent$|refused$)/);
      }),
    );
  });
});

const address: Hex = `0x${"a1".repeat(20)}`;
const wallet: Hex = `0x${"b2".repeat(20)}`;
const missingAccount: Hex = `0x${"c3".repeat(20)}`;
const codeHash = keccak256("0x6001");
const slots = Array.from({ length: 40 }, (_, index) => numberToHex(index));
const wordOf = (slot: Hex) => (BigInt(slot) + 1n) ** 20n;

/** A state of two accounts, one with forty slots, under a header with its root. */
async function buildState() {
  const storage = await buildTrie(
    slots.map((slot) => [
      keccak256(pad(slot, { size: 32 }), "bytes"),
      toRlp(numberToHex(wordOf(slot)), "bytes"),
    ]),
  );
  const account = (storageRoot: Hex, code: Hex) => toRlp(["0x01", "0x", storageRoot, code], "bytes");
  const emptyRoot = bytesToHex(new MerklePatriciaTrie().root());
  const state = await buildTrie([
    [keccak256(address, "bytes"), account(bytesToHex(storage.root()), codeHash)],
    [keccak256(wallet, "bytes"), account(emptyRoot, EMPTY_CODE_HASH)],
  ]);
  const header = toRlp(["0x11", "0x22", "0x33", bytesToHex(state.root()), "0x44"]);
  const missing = numberToHex(4_000);
  const paths = [address, wallet, missingAccount].map((each) => keccak256(each, "bytes"));
  const storagePaths = [...slots, missing].map((slot) => keccak256(pad(slot, { size: 32 }), "bytes"));
  const nodes = [
    ...(await Promise.all(paths.map((path) => listProofNodes(state, path)))),
    ...(await Promise.all(storagePaths.map((path) => listProofNodes(storage, path)))),
  ].flat();
  return {
    proofs: { header, nodes: [...new Set(nodes.map((node) => bytesToHex(node)))] },
    hash: keccak256(header),
    missing,
  };
}

describe("openStateProofs", () => {
  it("proves code hashes and slots, and their absence", async () => {
    const { proofs, hash, missing } = await buildState();
    const state = openStateProofs(proofs, hash);
    expect(state.getCodeHash(address)).toBe(codeHash);
    expect(state.getCodeHash(wallet)).toBeNull();
    expect(state.getCodeHash(missingAccount)).toBeNull();
    for (const slot of slots)
      expect(state.getSlot(address, slot)).toBe(numberToHex(wordOf(slot), { size: 32 }));
    const zero = numberToHex(0, { size: 32 });
    expect(state.getSlot(address, missing)).toBe(zero);
    expect(state.getSlot(wallet, missing)).toBe(zero);
    expect(state.getSlot(missingAccount, missing)).toBe(zero);
  });

  it("does not treat what the proofs do not cover as absent", async () => {
    const { proofs, hash } = await buildState();
    const bare = openStateProofs({ header: proofs.header, nodes: [] }, hash);
    expect(() => bare.getCodeHash(missingAccount)).toThrow(StateProofError);
    expect(() => bare.getSlot(address, "0x00")).toThrow(/no proof for account .* is missing/);
    const withoutStorage = openStateProofs({ header: proofs.header, nodes: proofs.nodes.slice(0, 3) }, hash);
    expect(withoutStorage.getCodeHash(address)).toBe(codeHash);
    expect(() => withoutStorage.getSlot(address, "0x00")).toThrow(/no proof for slot/);
  });

  it("refuses another block's header, and one without a state root", async () => {
    const { proofs, hash } = await buildState();
    const other = toRlp(["0x11", "0x22", "0x33", hash, "0x45"]);
    expect(() => openStateProofs({ ...proofs, header: other }, hash)).toThrow(/not to the block/);
    for (const header of ["0x", "0x01", "0xc3010203", toRlp(["0x", "0x", "0x", "0x1234"])] as Hex[])
      expect(() => openStateProofs({ ...proofs, header }, keccak256(header))).toThrow(StateProofError);
  });
});
