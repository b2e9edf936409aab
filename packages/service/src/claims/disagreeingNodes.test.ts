import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { Fault, FaultyNode } from "@assay/chain/testing/faultyNode";
import type { LocalAnswer } from "@assay/chain/testing/localChain";
import type { Assertion, ClaimRequest, Hex } from "@assay/protocol";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { asPost } from "../../test/payer.js";
import { type ServiceBehindNode, startServiceBehindNode } from "../../test/startServiceBehindNode.js";
import { insertClaim } from "./testing/insertClaim.js";
import { claimsUrl, describeTrueClaim } from "./testing/paidClaims.js";
import { sendChallenge } from "./testing/sendChallenge.js";

let world: ServiceBehindNode;
let [first, second]: FaultyNode[] = [];
let chain: Chain;
let implementation: Hex;
const other: Hex = `0x${"0b".repeat(20)}`;
const SLOT_METHOD = "eth_getStorageAt";

beforeAll(async () => {
  world = await startServiceBehindNode();
  [first, second] = [await world.openNode(), await world.openNode()];
  implementation = world.service.chainOf.contracts.boxV1.toLowerCase() as Hex;
});
afterAll(() => world.stop());
afterEach(() => chain?.close());

/** The service as it is with these two nodes; each test has its own, because nodes that failed are paused. */
async function connect(requestTimeoutMs = 15_000) {
  const nodes = [first as FaultyNode, second as FaultyNode];
  for (const node of nodes) node.fault = undefined;
  const rpcUrls = nodes.map(({ url }) => url);
  chain = await createChain({ rpcUrls, expectedChainId: 8453, requestTimeoutMs });
  Object.assign(world.service.context, { chain });
}

const lying = (method: string, answer: LocalAnswer): Fault => ({
  kind: "edit",
  edit: (asked, honest) => (asked.method === method ? answer : honest),
});
/** As if the proxy had been upgraded. */
const lie = lying(SLOT_METHOD, { result: `0x${other.slice(2).padStart(64, "0")}` });
const PRUNED = lying(SLOT_METHOD, { error: { code: -32000, message: "missing trie node 0x12 (path )" } });

async function challenge(stated: Hex, claimed: Hex) {
  const { service } = world;
  const { number } = await chain.latestBlock();
  const assertion: Assertion = {
    type: "upgrade_window",
    address: service.chainOf.contracts.upgradeableProxy,
    implementation: claimed,
    fromBlock: number,
    toBlock: number,
  };
  const claimId = await insertClaim(service.db, assertion);
  const wallet = privateKeyToAccount(generatePrivateKey());
  const evidence = { block: number, implementation: stated };
  const { status, body } = await sendChallenge(service.url, wallet, claimId, evidence);
  const [trace] = await service.db.query({
    text: `SELECT status,
             (SELECT count(*)::int FROM challenges WHERE claim_id = $1) AS challenges,
             (SELECT count(*)::int FROM action_nonces WHERE wallet = $2) AS nonces
           FROM claims WHERE claim_id = $1`,
    values: [claimId, wallet.address.toLowerCase()],
  });
  return { status, body, trace };
}
const UNTOUCHED = { status: "open", challenges: 0, nonces: 0 };

test("two nodes that agree give a verdict", async () => {
  await connect();
  expect(await challenge(implementation, implementation)).toMatchObject({
    status: 200,
    body: { resolution: "claim_correct" },
    trace: { status: "open", challenges: 1, nonces: 1 },
  });
});

test.each<[string, Fault | undefined, Fault | undefined]>([
  ["the first lies", lie, undefined],
  ["the second lies", undefined, lie],
  ["the first lies and the second is silent", lie, { kind: "reset" }],
  ["the second lies and the first is silent", { kind: "reset" }, lie],
  ["the second is silent", undefined, { kind: "reset" }],
  ["the second hangs", undefined, { kind: "hang" }],
  ["the second has not that history", undefined, PRUNED],
  ["neither has that history", PRUNED, PRUNED],
])("where %s there is no verdict: 503, and nothing is recorded", async (_, firstFault, secondFault) => {
  await connect(secondFault?.kind === "hang" ? 1_000 : undefined);
  Object.assign(first as FaultyNode, { fault: firstFault });
  Object.assign(second as FaultyNode, { fault: secondFault });
  const answers = [await challenge(other, implementation), await challenge(implementation, implementation)];
  for (const { status, body, trace } of answers) {
    expect([status, body.code]).toEqual([503, "chain_unavailable"]);
    expect(trace).toEqual(UNTOUCHED);
  }
});

test("control: without the agreement, a liar whose contradictor is silent falsifies a true claim", async () => {
  await connect();
  Object.assign(first as FaultyNode, { fault: lie });
  Object.assign(second as FaultyNode, { fault: { kind: "reset" } });
  expect((await challenge(other, implementation)).status).toBe(503);
  vi.spyOn(chain, "readAgreed").mockImplementation(chain.readAt);
  vi.spyOn(chain, "findAgreedBlock").mockImplementation(chain.findBlock);
  expect(await challenge(other, implementation)).toMatchObject({
    status: 201,
    body: { resolution: "counterexample_valid" },
    trace: { status: "falsified" },
  });
});

test.each<[string, Fault | undefined, Fault | undefined, [number, number]]>([
  ["the nodes agree", undefined, undefined, [402, 400]],
  ["the first lies", lie, undefined, [503, 503]],
  ["the second lies", undefined, lie, [503, 503]],
  ["the first lies and the second is silent", lie, { kind: "reset" }, [503, 503]],
  ["the second is silent", undefined, { kind: "reset" }, [503, 503]],
])("where %s, the opening of a true and of a false claim", async (_, firstFault, secondFault, expected) => {
  await connect();
  const claim = await describeTrueClaim(world.service, privateKeyToAccount(generatePrivateKey()));
  Object.assign(first as FaultyNode, { fault: firstFault });
  Object.assign(second as FaultyNode, { fault: secondFault });
  const ask = async (claimed: Hex) =>
    (await fetch(claimsUrl(world.service.url), asPost({ ...claim, implementation: claimed }))).status;
  expect([await ask(implementation), await ask(other)]).toEqual(expected);
});

/** Nodes that no longer have the state of these blocks. Blocks are asked for by their hash (EIP-1898) or their number. */
function forgotten(hashes: ReadonlySet<unknown>): Fault {
  const isOld = (block: unknown) =>
    typeof block === "object" && block !== null && "blockHash" in block && hashes.has(block.blockHash);
  return {
    kind: "edit",
    edit: ({ params }, honest) =>
      params.some(isOld) ? { error: { code: -32000, message: "missing trie node 0x12 (path )" } } : honest,
  };
}

test.each<[string, (claim: ClaimRequest) => number[], number]>([
  ["nothing", () => [], 402],
  ["the state of the window's first block", ({ fromBlock }) => [fromBlock], 503],
  // As old as the window will be at the deadline; the window itself is still there.
  ["the state of older blocks", () => [1], 503],
])("where the nodes forgot %s, the opening of a claim", async (_, listForgotten, expected) => {
  await connect();
  const claim = await describeTrueClaim(world.service, privateKeyToAccount(generatePrivateKey()));
  const blocks = await Promise.all(listForgotten(claim).map((number) => chain.findBlock(number)));
  const fault = forgotten(new Set(blocks.map((block) => block?.hash)));
  for (const node of [first, second]) Object.assign(node as FaultyNode, { fault });
  expect((await fetch(claimsUrl(world.service.url), asPost(claim))).status).toBe(expected);
});
