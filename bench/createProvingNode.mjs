import { keccak256, toRlp } from "viem";
import { buildSingleSlotTrie, buildStateTrie, encodeAccount, toShortest } from "./stateTrie.mjs";

/** The fields of a header in the order in which they are hashed; the quantities among them without leading zeros. */
const headerFields = [
  ["parentHash", "sha3Uncles", "miner", "stateRoot", "transactionsRoot", "receiptsRoot", "logsBloom"],
  ["difficulty", "number", "gasLimit", "gasUsed", "timestamp"],
  ["extraData", "mixHash", "nonce"],
  ["baseFeePerGas"],
  ["withdrawalsRoot"],
  ["blobGasUsed", "excessBlobGas"],
  ["parentBeaconBlockRoot", "requestsHash"],
].flatMap((names, group) => names.map((name) => ({ name, isQuantity: group % 2 === 1 })));

const hashPattern = /0x[0-9a-f]{64}/g;

/**
 * A node whose proofs cost what those of a real one do. The embedded chain makes a trie of all accounts for each proof, which
 * takes longer the more accounts there are, and its proofs are short. Here the accounts that are asked about stand in a trie that
 * is made once, at the depth of Base. They do not change during the benchmark, so every block from `start` on has this
 * trie's root as its state root. It therefore also has another hash than the embedded chain's block, which is replaced on the
 * way in and out, wherever it occurs.
 */
export async function createProvingNode(devnet, { proxies, others }) {
  const accounts = await readAccounts(devnet, proxies, others);
  const trie = buildStateTrie([...accounts].map(([address, account]) => [address, encodeAccount(account)]));
  const start = Number(await devnet.request("eth_blockNumber"));
  const toShown = new Map();
  const toEmbedded = new Map();
  let next = start;
  let naming = Promise.resolve();

  function showBlock(block) {
    block.stateRoot = trie.root;
    block.parentHash = toShown.get(block.parentHash) ?? block.parentHash;
    block.hash = keccak256(encodeHeader(block));
  }

  /** Gives every block so far its hash. Each names its parent, so they are named in order. */
  async function nameBlocks() {
    const newest = Number(await devnet.request("eth_blockNumber"));
    for (; next <= newest; next += 1) {
      const block = await devnet.request("eth_getBlockByNumber", [`0x${next.toString(16)}`, false]);
      const embedded = block.hash;
      showBlock(block);
      toShown.set(embedded, block.hash);
      toEmbedded.set(block.hash, embedded);
    }
  }

  const replaceHashes = (value, names) =>
    JSON.parse(JSON.stringify(value).replaceAll(hashPattern, (hash) => names.get(hash) ?? hash));

  async function show(result) {
    naming = naming.then(nameBlocks);
    await naming;
    const shown = replaceHashes(result, toShown);
    if (shown?.stateRoot !== undefined && Number(shown.number) >= start) shown.stateRoot = trie.root;
    return shown;
  }

  const recorded = new Map();
  /** The storage of other contracts is proven by the embedded chain, once for each question: it does not change either. */
  async function proveStorage(address, slots) {
    const key = JSON.stringify([address, slots]);
    if (!recorded.has(key))
      recorded.set(
        key,
        devnet.request("eth_getProof", [address, slots, "latest"]).then((all) => all.storageProof),
      );
    return recorded.get(key);
  }

  async function prove([given, slots]) {
    const address = given.toLowerCase();
    const account = accounts.get(address);
    if (!account) throw new Error(`The bench has no proofs of ${address}.`);
    const { single, ...state } = account;
    const storageProof = single
      ? slots.map((key) => ({
          key,
          value: BigInt(key) === BigInt(single.slot) ? single.word : "0x0",
          proof: single.proof,
        }))
      : await proveStorage(address, slots);
    return { address, ...state, accountProof: trie.prove(address), storageProof };
  }

  return async (method, params = []) => {
    if (method === "eth_getProof") return prove(params);
    const asked = toEmbedded.size > 0 ? replaceHashes(params, toEmbedded) : params;
    const result = await devnet.request(method, asked);
    return namesBlocks.has(method) ? show(result) : result;
  };
}

/** The methods whose answers hold hashes of blocks. */
const namesBlocks = new Set([
  "eth_getBlockByNumber",
  "eth_getBlockByHash",
  "eth_getTransactionReceipt",
  "eth_getTransactionByHash",
  "eth_getBlockReceipts",
  "eth_getLogs",
]);

async function readAccounts(devnet, proxies, others) {
  const accounts = new Map();
  const emptyAccount = { nonce: "0x0", balance: "0x0" };
  for (const { address, code, slot, word } of proxies) {
    const { root, proof } = buildSingleSlotTrie(slot, word);
    const state = { ...emptyAccount, storageHash: root, codeHash: keccak256(code) };
    accounts.set(address.toLowerCase(), { ...state, single: { slot, word, proof } });
  }
  for (const address of others) {
    const { nonce, balance, storageHash, codeHash } = await devnet.request("eth_getProof", [
      address,
      [],
      "latest",
    ]);
    accounts.set(address.toLowerCase(), { nonce, balance, storageHash, codeHash });
  }
  return accounts;
}

function encodeHeader(block) {
  const present = headerFields.filter(({ name }) => block[name] !== undefined && block[name] !== null);
  return toRlp(present.map(({ name, isQuantity }) => (isQuantity ? toShortest(block[name]) : block[name])));
}
