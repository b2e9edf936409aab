import { concat, keccak256, numberToHex, toRlp } from "viem";

/**
 * Levels of branches above an account on Base. Its state has some hundred million accounts, so the first seven levels of the
 * trie are full, and a proof of an account has about eight nodes and 4 KB.
 */
const fullLevels = 7;
const noChild = "0x";

/**
 * A Merkle-Patricia trie (Yellow Paper, appendix D) with these entries at the depth that they have on Base. Of the accounts
 * beside them only the hashes exist, as in any proof: they stand in the branches and cannot be followed. So every entry can be
 * proven, and nothing else.
 */
export function buildStateTrie(entries) {
  const items = [...entries].map(([key, value]) => ({ path: keccak256(key).slice(2), value }));
  const nodes = new Map();
  const keep = (node) => {
    const rlp = toRlp(node);
    const hash = keccak256(rlp);
    nodes.set(hash, { node, rlp });
    return hash;
  };

  function build(group, level) {
    if (group.length === 1 && level >= fullLevels)
      return keep([encodeLeafPath(group[0].path.slice(level)), group[0].value]);
    const children = Array.from({ length: 16 }, (_, nibble) => {
      const under = group.filter(({ path }) => Number.parseInt(path[level], 16) === nibble);
      if (under.length > 0) return build(under, level + 1);
      if (level >= fullLevels) return noChild;
      return keccak256(concat([`0x${group[0].path}`, numberToHex(level * 16 + nibble, { size: 1 })]));
    });
    return keep([...children, noChild]);
  }

  const root = build(items, 0);
  return {
    root,
    /** The nodes from the root to this key. */
    prove(key) {
      const path = keccak256(key).slice(2);
      const proof = [];
      let hash = root;
      for (let level = 0; ; level += 1) {
        const { node, rlp } = nodes.get(hash) ?? {};
        if (!node) throw new Error(`The trie of the bench has no ${key}.`);
        proof.push(rlp);
        if (node.length === 2) return proof;
        hash = node[Number.parseInt(path[level], 16)];
      }
    },
  };
}

/** Storage with one slot is one leaf, which also proves that every other slot is empty. */
export function buildSingleSlotTrie(slot, word) {
  const value = toRlp(`0x${word.slice(2).replace(/^(00)+/, "")}`);
  const rlp = toRlp([encodeLeafPath(keccak256(slot).slice(2)), value]);
  return { root: keccak256(rlp), proof: [rlp] };
}

/** Hex-prefix encoding of the rest of a path at a leaf (Yellow Paper, appendix C). */
const encodeLeafPath = (nibbles) => (nibbles.length % 2 === 1 ? `0x3${nibbles}` : `0x20${nibbles}`);

/** An account as the trie holds it. */
export const encodeAccount = ({ nonce, balance, storageHash, codeHash }) =>
  toRlp([toShortest(nonce), toShortest(balance), storageHash, codeHash]);

/** A quantity as RLP holds it: whole bytes without leading zeros. */
export function toShortest(quantity) {
  const digits = BigInt(quantity).toString(16);
  if (digits === "0") return "0x";
  return digits.length % 2 === 1 ? `0x0${digits}` : `0x${digits}`;
}
