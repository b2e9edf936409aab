import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { bytesToHex, keccak256, toRlp } from "viem";
import { findInOrderedTrie, openHeader } from "../../packages/protocol/src/executionProof.ts";
import { isConsistent, isIncluded, leafHashOf, nodeHashOf } from "../../packages/protocol/src/merkleLog.ts";
import { EncodingError } from "../../packages/protocol/src/rlp.ts";
import { findInTrie, openStateProofs, StateProofError } from "../../packages/protocol/src/stateProof.ts";
import { throwsOnly } from "../throwsOnly.mjs";

/** A block of the local chain and proofs of what was read from it, as a recorded answer has them. */
const saved = new URL("../../packages/client/src/testing/saved/contract.guard.json", import.meta.url);
const evidence = JSON.parse(readFileSync(saved, "utf8")).answer.result.evidence;
const { header, nodes } = evidence.proofs;
const blockHash = keccak256(header);
const addresses = [...new Set(JSON.stringify(evidence).match(/0x[0-9a-fA-F]{40}(?=")/g))].slice(0, 4);
const slots = [`0x${"0".repeat(64)}`, "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"];
const ask = (state) =>
  addresses.map((address) => [
    throwsOnly([StateProofError], () => state.getCodeHash(address)),
    ...slots.map((slot) => throwsOnly([StateProofError], () => state.getSlot(address, slot))),
  ]);
const truth = ask(openStateProofs({ header, nodes }, blockHash));

const leaves = Array.from({ length: 5 }, (_, at) => leafHashOf(Uint8Array.of(at)));
const [h01, h23] = [nodeHashOf(leaves[0], leaves[1]), nodeHashOf(leaves[2], leaves[3])];
const root4 = nodeHashOf(h01, h23);
const root5 = nodeHashOf(root4, leaves[4]);
const inclusion = { index: 2, size: 5, leafHash: leaves[2], path: [leaves[3], h01, leaves[4]] };
const consistency = { first: 4, second: 5, path: [leaves[4]] };

const KEY = keccak256("0x01");
const isHexList = (list) =>
  Array.isArray(list) && list.every((one) => typeof one === "string" && /^0x([0-9a-f]{2})*$/.test(one));

/** Proofs of state, of lists and of the log: whatever is changed, they prove nothing that is not so. */
export const target = {
  maxBytes: 32_768,
  cpuMs: 400,
  form: "json",
  seeds: () =>
    [
      { header, nodes },
      { trie: [toRlp([`0x20${KEY.slice(2)}`, "0x05"])] },
      { trie: [toRlp([...Array.from({ length: 16 }, () => [`0x3${KEY.slice(3)}`, "0x05"]), "0x"])] },
      { inclusion },
      { consistency },
    ].map((proof) => Buffer.from(JSON.stringify(proof))),
  run(bytes) {
    const given = readJson(bytes);
    if (isHexList(given.nodes)) {
      const stated =
        typeof given.header === "string" && /^0x([0-9a-f]{2})*$/.test(given.header) ? given.header : header;
      const state = throwsOnly([StateProofError], () =>
        openStateProofs({ header: stated, nodes: given.nodes }, blockHash),
      );
      const shown = state ? ask(state).flat() : [];
      for (const [at, value] of shown.entries()) assert.ok(value === undefined || value === truth.flat()[at]);
      throwsOnly([StateProofError], () => openHeader(stated, keccak256(stated)));
      const own = throwsOnly([StateProofError], () =>
        openStateProofs({ header: stated, nodes: given.nodes }, keccak256(stated)),
      );
      if (own) ask(own);
    }
    if (isHexList(given.trie) && given.trie.length > 0) readForeignTrie(given.trie);
    readLogProofs(given);
  },
};

/** A trie of a stranger's, whose root is the first node. */
function readForeignTrie(list) {
  const byHash = new Map(list.map((node) => [keccak256(node), node]));
  const root = keccak256(list[0]);
  const found = throwsOnly([StateProofError], () => findInTrie(byHash, root, KEY, "it"));
  assert.ok(found === undefined || /^0x([0-9a-f]{2})+$/.test(found));
  throwsOnly([StateProofError, EncodingError], () => findInOrderedTrie(list, root, 3, "entry"));
}

function readLogProofs({ inclusion: one, consistency: other }) {
  if (
    isObject(one) &&
    isIncluded({ ...one, path: asTexts(one.path), leafHash: asTexts([one.leafHash])[0] ?? "" }, root5)
  )
    assert.ok(one.size !== 5 || leaves[one.index] === one.leafHash);
  if (isObject(other) && isConsistent({ ...other, path: asTexts(other.path) }, root4, root5))
    assert.ok(
      other.first !== 4 ||
        other.second !== 5 ||
        bytesToHex(Buffer.from(other.path[0].slice(2), "hex")) === leaves[4],
    );
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const asTexts = (list) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);

function readJson(bytes) {
  try {
    return Object(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return { trie: [bytesToHex(bytes)] };
  }
}
