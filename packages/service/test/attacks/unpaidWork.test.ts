import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, fetchChallenge, pay, send, signPayment } from "../payer.js";
import { type ServiceBehindNode, startServiceBehindNode } from "../startServiceBehindNode.js";

// Wallets that cannot pay ask for work, at a service whose node counts what it is asked.
let world: ServiceBehindNode;
beforeAll(async () => {
  world = await startServiceBehindNode();
});
afterAll(() => world?.stop());

const guardUrl = (contract: string) =>
  `${world.service.url}/api/v1/capabilities/contract.guard/invoke?address=${contract}`;

/** An address that nobody has asked about. */
const freshAddress = () => privateKeyToAccount(generatePrivateKey()).address;

/** How many calls about this address the node was asked for while `work` ran. */
async function countReads(address: string, work: () => Promise<unknown>): Promise<number> {
  const before = world.node.requests.length;
  await work();
  const calls = world.node.requests.slice(before).flat();
  return calls.filter((call) => JSON.stringify(call).toLowerCase().includes(address.slice(2).toLowerCase()))
    .length;
}

describe("a payer without money", () => {
  test("gets no work done", async () => {
    const address = freshAddress();
    const url = guardUrl(address);
    const challenge = await fetchChallenge(url);
    const payment = await signPayment(privateKeyToAccount(generatePrivateKey()), challenge);
    const reads = await countReads(address, async () => {
      const response = await send(url, payment);
      expect(response.status).toBe(402);
      expect(await response.text()).toContain("insufficient_balance");
    });
    expect(reads).toBe(0);
  });

  test("control: a stranger with money has the same question read", async () => {
    const address = freshAddress();
    const reads = await countReads(address, async () => {
      const { response } = await pay(guardUrl(address), accountOf(world.service, "alice"));
      expect(response.status).toBe(200);
    });
    expect(reads).toBeGreaterThan(0);
  });
});
