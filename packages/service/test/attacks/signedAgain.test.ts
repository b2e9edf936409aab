import { randomBytes } from "node:crypto";
import type { Hex, PaymentPayload, PaymentRequired, Receipt } from "@assay/protocol";
import { createWalletClient, http, parseAbi } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { balanceOf, fetchChallenge, pay, priceOf, send, signPayment, signTerms } from "../payer.js";
import { useTestService } from "../useTestService.js";

// A payer signs several payments under one nonce, of which the chain takes one.
const service = useTestService({ RATE_LIMITS: "off" });

const guardUrl = (address: string) => service.invokeUrl("contract.guard", { address });
async function deploy(): Promise<Hex> {
  const { address } = privateKeyToAccount(generatePrivateKey());
  await service.chainOf.request("hardhat_setCode", [
    address,
    `0x6002600255${randomBytes(8).toString("hex")}`,
  ]);
  await service.chainOf.mine(1);
  await service.context.chain.latestBlock();
  return address;
}

/** A payment of this challenge under a nonce that was signed before. */
const signUnder = async (account: PrivateKeyAccount, challenge: PaymentRequired, nonce: Hex) =>
  signTerms(account, await signPayment(account, challenge), { nonce });

/** A payment that was refused because its payer held nothing. */
async function refuseOnce(payer: PrivateKeyAccount, url: string): Promise<PaymentPayload> {
  const payment = await signPayment(payer, await fetchChallenge(url));
  expect((await send(url, payment)).status).toBe(402);
  return payment;
}
const fund = (to: Hex, amount: bigint) =>
  createWalletClient({
    account: service.account("frank"),
    transport: http(service.chainOf.rpcUrl),
  }).writeContract({
    address: service.chainOf.stablecoin.address as Hex,
    abi: parseAbi(["function transfer(address, uint256) returns (bool)"]),
    functionName: "transfer",
    args: [to, amount],
    chain: null,
  });

test("a receipt names the amount that was paid, and not one that was signed before under the same nonce", async () => {
  const payer = privateKeyToAccount(generatePrivateKey());
  const url = guardUrl(await deploy());
  const dear = await refuseOnce(payer, url);
  expect((await pay(url, service.account("alice"))).response.status).toBe(200);
  await fund(payer.address, 1_000_000n);
  await service.chainOf.mine(1);
  const challenge = await fetchChallenge(url);
  expect(priceOf(challenge.accepts[0])).toBeLessThan(BigInt(dear.payload.authorization.value));
  const cheap = await signUnder(payer, challenge, dear.payload.authorization.nonce as Hex);
  const before = await balanceOf(service, payer.address);
  const response = await send(url, cheap);
  expect(response.status).toBe(200);
  const { receiptUrl } = (await response.json()) as { receiptUrl: string };
  const receipt = (await (await fetch(receiptUrl)).json()) as Receipt;
  const paid = before - (await balanceOf(service, payer.address));
  expect(receipt.payment.amount).toBe(paid.toString());
  expect(receipt.log?.leaf).toContain(`"amount":"${paid}"`);
});
