import type { Fault, NodeCall } from "@assay/chain/testing/faultyNode";
import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema, problemSchema } from "@assay/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, buyAnswer, fetchChallenge, pay, send, signPayment } from "../payer.js";
import { type ServiceBehindNode, startServiceBehindNode } from "../startServiceBehindNode.js";

let world: ServiceBehindNode;
beforeAll(async () => {
  world = await startServiceBehindNode();
}, 60_000);
afterAll(() => world?.stop());
afterEach(async () => {
  world.node.fault = undefined;
  // The service has found its node again.
  await until(() => world.service.context.chain.latestBlock().catch(() => undefined));
});

const urlOf = (capability: string, query: string) =>
  `${world.service.url}/api/v1/capabilities/${capability}/invoke?${query}`;
const tokenAddress = () => world.service.chainOf.contracts.plainToken.toLowerCase();

/** A bought answer of contract.guard that has run out, by its id. */
async function buyEndedArtifact(): Promise<string> {
  // At a block about which no node has lied.
  await world.service.chainOf.mine();
  const url = urlOf("contract.guard", `address=${tokenAddress()}`);
  const { evidenceReference } = await buyAnswer(url, accountOf(world.service, "carol"));
  const { artifactId } = evidenceReference;
  await world.service.db.query({
    text: "UPDATE artifacts SET fresh_until = now() - interval '1 second' WHERE artifact_id = $1",
    values: [artifactId],
  });
  return artifactId;
}

const isPinned = ({ method, params }: NodeCall) =>
  method === "eth_getBlockByHash" || JSON.stringify(params).includes("blockHash");
const editing = (isMet: (call: NodeCall) => boolean, answer: object): Fault => ({
  kind: "edit",
  edit: (call, honest) => (isMet(call) ? answer : honest),
});

describe("an ended artifact whose answer cannot be computed again", () => {
  test.each<[string, Fault, string]>([
    [
      "names its block and fails at every read of it",
      editing(isPinned, { error: { code: -32603, message: "internal error" } }),
      "chain_unavailable",
    ],
    [
      "has forgotten the block it named",
      editing(isPinned, { error: { code: -32000, message: "header not found" } }),
      "chain_unavailable",
    ],
    [
      "contradicts its own proof",
      editing(({ method }) => method === "eth_getCode", { result: "0x60006000fd" }),
      "chain_unavailable",
    ],
    // The payment is verified by the same node, at the same time.
    ["is out of reach", { kind: "status", status: 502 }, "facilitator_unavailable"],
  ])("because the node %s: 503 with Retry-After, and nothing is charged", async (_, fault, code) => {
    const artifactId = await buyEndedArtifact();
    const url = urlOf("evidence.artifact", `artifactId=${artifactId}`);
    const bob = accountOf(world.service, "bob");
    const payment = await signPayment(bob, await fetchChallenge(url));
    const before = await balanceOf(world.service, bob.address);
    // Nothing that was read for the sale may serve the refresh.
    await world.service.chainOf.mine();
    world.node.fault = fault;
    const response = await send(url, payment);
    world.node.fault = undefined;

    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(response.headers.get("payment-response")).toBeNull();
    expect(problemSchema.parse(await response.json()).code).toBe(code);
    expect(await balanceOf(world.service, bob.address)).toBe(before);
    const [invocation] = await world.service.db.query<{ state: string }>({
      text: "SELECT state FROM invocations WHERE authorization_nonce = $1",
      values: [payment.payload.authorization.nonce.toLowerCase()],
    });
    expect(invocation?.state).toBe("void");
  });

  test("is sold and charged once the node is well again", async () => {
    const artifactId = await buyEndedArtifact();
    const url = urlOf("evidence.artifact", `artifactId=${artifactId}`);
    const bob = accountOf(world.service, "bob");
    const before = await balanceOf(world.service, bob.address);
    const { response } = await pay(url, bob);
    expect(response.status).toBe(200);
    expect(capabilityResultSchema.parse(await response.json()).result.refreshed).toBeDefined();
    expect(before - (await balanceOf(world.service, bob.address))).toBe(30_000n);
  });
});
