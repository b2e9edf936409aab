import { verifyFacts } from "@assay/capabilities";
import { listContractGuardFacts } from "@assay/capabilities/contract.guard/facts";
import { contractGuardReadingsSchema } from "@assay/capabilities/contract.guard/readings";
import type { NodeCall } from "@assay/chain/testing/faultyNode";
import { capabilityResultSchema, type Hex, openStateProofs, stateProofsSchema } from "@assay/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { accountOf, balanceOf, pay } from "../../test/payer.js";
import { type ServiceBehindNode, startServiceBehindNode } from "../../test/startServiceBehindNode.js";

let world: ServiceBehindNode;
beforeAll(async () => {
  world = await startServiceBehindNode();
}, 60_000);
afterAll(() => world?.stop());
afterEach(() => {
  world.node.fault = undefined;
});

const devnet = () => world.service.chainOf;
const isAbout = (address: string, { method, params }: NodeCall, wanted: string) =>
  method === wanted && params[0] === address.toLowerCase();

async function buy(address: string): Promise<Response> {
  const { service } = world;
  const url = `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${address}`;
  return (await pay(url, accountOf(service, "alice"))).response;
}
const readResult = async (response: Response) => {
  expect(response.status).toBe(200);
  return capabilityResultSchema.parse(await response.json()).result;
};
const balance = () => balanceOf(world.service, accountOf(world.service, "alice").address);

test("what limits an answer stands before its long parts", async () => {
  const text = await (await buy(devnet().contracts.pausableToken)).text();
  const order = ["limitations", "validUntilBlock", "evidence", "findings", "readings", "proofs"];
  const places = order.map((name) => text.indexOf(`"${name}":`));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
});

test("an answer carries proofs of the state it was made of", async () => {
  const { transparentProxy } = devnet().contracts;
  const { evidence, limitations } = await readResult(await buy(transparentProxy));
  const readings = contractGuardReadingsSchema.parse(evidence.readings);
  const facts = listContractGuardFacts({ address: transparentProxy.toLowerCase() as Hex }, readings);
  expect(facts.length).toBeGreaterThan(2);
  const { hash } = evidence.block as { hash: Hex };
  verifyFacts(openStateProofs(stateProofsSchema.parse(evidence.proofs), hash), facts);
  expect(limitations.join(" ")).not.toContain("PROOF_UNAVAILABLE");
});

test("a node that refuses proofs from now on is believed after some answers, and then the answer is sold without", async () => {
  world.node.fault = {
    kind: "edit",
    edit: ({ method }, honest) =>
      method === "eth_getProof" ? { error: { code: -32601, message: "no such method" } } : honest,
  };
  const before = await balance();
  let response = await buy(devnet().contracts.plainToken);
  // It has given proofs before, and one of several backends may lack them: nothing is sold yet.
  expect(response.status).toBe(503);
  expect(await balance()).toBe(before);
  for (let again = 0; response.status === 503 && again < 3; again++)
    response = await buy(devnet().contracts.plainToken);
  const { evidence, limitations, summary } = await readResult(response);
  expect(evidence.proofs).toBeNull();
  expect(limitations.join(" ")).toContain("PROOF_UNAVAILABLE");
  expect(summary).toMatch(/Not proven: [^.]*\.$/);
  // What the node refused is asked for again once it was probed.
  world.node.fault = undefined;
  await world.service.context.chain.probeNodes();
});

describe("a node that contradicts its own proof", () => {
  test.each<[string, (call: NodeCall) => boolean]>([
    ["about the subject's code", (call) => isAbout(devnet().contracts.taxedToken, call, "eth_getCode")],
    ["about its owner's code", (call) => isAbout(devnet().deployer.address, call, "eth_getCode")],
  ])("%s makes no verdict and costs nothing", async (_, isLie) => {
    const before = await balance();
    world.node.fault = {
      kind: "edit",
      edit: (call, honest) => (isLie(call) ? { result: "0x60006000fd" } : honest),
    };
    const response = await buy(devnet().contracts.taxedToken);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await response.json()).toMatchObject({
      code: "chain_unavailable",
      detail: expect.stringContaining("contradicts its own proof"),
    });
    expect(await balance()).toBe(before);
  });

  test("is asked again, and believed, once it does not", async () => {
    const before = await balance();
    await devnet().mine();
    expect((await readResult(await buy(devnet().contracts.taxedToken))).evidence.proofs).not.toBeNull();
    expect(before - (await balance())).toBe(100_000n);
  });
});
