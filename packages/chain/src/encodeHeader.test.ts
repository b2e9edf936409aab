import { encodeHeader, openStateProofs } from "@assay/protocol";
import { fromRlp, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { openFixture } from "./testing/chainFixture.js";

const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const EMPTY_TRIE = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const NO_REQUESTS = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const zeros = (bytes: number) => `0x${"00".repeat(bytes)}`;

/** Public blocks as nodes return them. Each proves itself: its fields hash to the hash that the chain has for it. */
const blocks = {
  "Ethereum's first, of 15 fields": {
    fields: 15,
    hash: "0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
    parentHash: zeros(32),
    sha3Uncles: NO_UNCLES,
    miner: zeros(20),
    stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
    transactionsRoot: EMPTY_TRIE,
    receiptsRoot: EMPTY_TRIE,
    logsBloom: zeros(256),
    difficulty: "0x400000000",
    number: "0x0",
    gasLimit: "0x1388",
    gasUsed: "0x0",
    timestamp: "0x0",
    extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
    mixHash: zeros(32),
    nonce: "0x0000000000000042",
  },
  "Ethereum's 24630100, with blobs": {
    fields: 21,
    hash: "0x6c4c6ea047f0ca4bcb0b0fbbcc2e50061d8dd24ba1ab8a22a6d3583a497c3c82",
    parentHash: "0x63ce16602b2afe4089fa8e0a2c16be1a2dea1c4d30b65bd717d9398ddd5fba23",
    sha3Uncles: NO_UNCLES,
    miner: "0xdadb0d80178819f2319190d340ce9a924f783711",
    stateRoot: "0x41ebb402f36d0ce15799e98d1aca83bbb5d4b08d1b6572e73b388e4ece192916",
    transactionsRoot: "0x3b889eb9fa0713d2e1d9e90725d45fd04ec4a550a7a390639c243c5f3b2c6215",
    receiptsRoot: "0x52fc280ab6b1db61781dae4cc5f81b7ddd484eae78320bdd8161d5b2fe8e7719",
    logsBloom:
      "0xfffffef97ffdf7dfb75fbbfeffffdfffffbeefffffbbffff6ffffdffbffffaf9df7fff7f7fff6ffbffffdfdffbffffff76fffffcbf7ffbfffffeefffffff7df7bffffffdefffff8fdfdf7f7ceffdffff7ff77affe7ef5ff5fbfff57ff7eeadfffffffabfff7bdffbbfbffcfffdefffeffefffffffff5fffefdffdffbffffdfdffbffe7fffffffffdffebf7e37fdfe977f7fbdfefdffddffffffffff5f97ffffdfbffdf7fffffbff9feff77afffefffeef77ffff7fff6fffeffd77ffffeefefdb7bffffff7f7ffdfbff7ffffffffefdffdffddffffffefffffffefdfbf7fdffef7fffff3bdf7fff6cefffdfffdf7ffffeffbfbffffdafffdfbf7efdbeffff7fff",
    difficulty: "0x0",
    number: "0x177d354",
    gasLimit: "0x3938700",
    gasUsed: "0x1a4ed69",
    timestamp: "0x69b09d6b",
    extraData: "0x4275696c6465724e6574202842656176657229",
    mixHash: "0xf824cbc0bffaa4862fffafa96c2cce90898dda8b97fc3eaa6a85ac38075991e5",
    nonce: "0x0000000000000000",
    baseFeePerGas: "0x246edf3",
    withdrawalsRoot: "0x76abcbef0846a5bd065d0207581dacc3cf8df4ec2ba0a8e4d4fbbe97864b82ee",
    blobGasUsed: "0x40000",
    excessBlobGas: "0xa2a720e",
    parentBeaconBlockRoot: "0xd9b957562f8477151f61eddc77bcad7451ef62eab8f4fe470402073a794e8bba",
    requestsHash: NO_REQUESTS,
  },
  "Base's 50542629": {
    fields: 21,
    hash: "0xa6ddd23e91fa9769c5c8861a7c56da5cf19a7c293903f3a8051ce94a0ab3273c",
    parentHash: "0xdb532f637a9064b79994539a2718c9db232abcb9a1440baeae0dac00ac19aa7c",
    sha3Uncles: NO_UNCLES,
    miner: "0x4200000000000000000000000000000000000011",
    stateRoot: "0x546a76cd4e8c703a1504fba55d8952e0f9487b682e84b038b8a8ae20d69d0d01",
    transactionsRoot: "0x7f128f0fa3d19f7331bff145f3825de5683d11c5ab4c8fbd6d81e95758e05b5b",
    receiptsRoot: "0xc547a3899ebea2e5f5b3968570f4721663f464477fa31ecba16dbac29d5d3c05",
    logsBloom:
      "0x606d7d6d614179d188851283ee2eb2b5b41904282e1e5d836ac607c6196221459fe8fd441c50604a1d17015989363605f7997b3ab4676974b71162a7f6be13c1b0489d90f066346d96f5c81e812195fd515d159f3f4c9afaf7ffdc60c75962453ee024a0fa4b3604173da9a02686a99959f41e166f14f438f086c557ac8f624258ee73b93e014728676e2e93c05f10e476d3a68f0a6dc858d086205e95585c793ec0106ef49032bd5f75ac000808fd683a3dcc39a010891be3c7837d56edd3a22b1210becac0e075d155cc9185b415e2162a82fa85348c7e568147e3889beb3a5d7c7ecc0d77a608b976480888a3bfb6e5ffe5f37d132b62fee084453d139f64",
    difficulty: "0x0",
    number: "0x3033825",
    gasLimit: "0x17d78400",
    gasUsed: "0x1e98ca1",
    timestamp: "0x6a90cd2d",
    extraData: "0x01000000640000000500000000004c4b40",
    mixHash: "0x7a42a6f7bcae9cb9a9b632b28aa0a2c46fb617382d9e72dd508ca5a8b124ae84",
    nonce: "0x0000000000000000",
    baseFeePerGas: "0x4c4b40",
    withdrawalsRoot: "0x06c5e4eb5d0f6435617c603bafcf9fc1d52af39cf52ae11fe8d55e124a335103",
    blobGasUsed: "0x4e2b38",
    excessBlobGas: "0x0",
    parentBeaconBlockRoot: "0x5dc1af507624f271d98036521ce3be4a6c168ec51947229aaff15a8af47fe1e1",
    requestsHash: NO_REQUESTS,
  },
};

describe.each(Object.entries(blocks))("%s", (_, { hash, fields, ...block }) => {
  test("is rebuilt from its fields to its hash", () => {
    const header = encodeHeader({ ...block, hash, size: "0x1", transactions: [] }, hash as Hex);
    expect(fromRlp(header as Hex, "hex")).toHaveLength(fields);
    expect(() => openStateProofs({ header: header as Hex, nodes: [] }, hash as Hex)).not.toThrow();
  });

  test.each(Object.keys(block))("is not rebuilt when %s is another or missing", (name) => {
    const value = block[name as keyof typeof block] as string;
    const last = value.endsWith("1") ? "2" : "1";
    expect(encodeHeader({ ...block, [name]: `${value.slice(0, -1)}${last}` }, hash as Hex)).toBeUndefined();
    expect(encodeHeader({ ...block, [name]: undefined }, hash as Hex)).toBeUndefined();
  });

  test("is not rebuilt to another block's hash", () => {
    expect(encodeHeader(block, zeros(32) as Hex)).toBeUndefined();
  });
});

test("every block of the local chain is rebuilt, the first included", async () => {
  const { local } = await openFixture();
  const head = Number(await local.rpc<Hex>("eth_blockNumber"));
  expect(head).toBeGreaterThan(0);
  for (let number = 0; number <= head; number += 1) {
    const block = await local.rpc<{ hash: Hex }>("eth_getBlockByNumber", `0x${number.toString(16)}`, false);
    expect(encodeHeader(block, block.hash)).toMatch(/^0xf9/);
  }
});

test.each<[string, unknown]>([
  ["null", null],
  ["text", "0x"],
  ["numbers instead of hex", { ...blocks["Base's 50542629"], number: 50_542_629 }],
  ["half a byte", { ...blocks["Base's 50542629"], nonce: "0x0" }],
  ["no hex", { ...blocks["Base's 50542629"], extraData: "0xzz" }],
])("an answer of %s is no header and no error", (_, answer) => {
  expect(encodeHeader(answer, blocks["Base's 50542629"].hash as Hex)).toBeUndefined();
});
