import { type Hex, paymentRequiredSchema } from "@assay/protocol";
import { createWalletClient, erc20Abi, http } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished, test, vi } from "vitest";
import { fetchChallenge, send, signPayment } from "../payer.js";
import { useTestService } from "../useTestService.js";

// One balance stands behind many payments, or is taken up in another's name: what does not pay burns the settlers' gas.
const service = useTestService({ RATE_LIMITS: "off" });

const snapshotUrl = () => service.invokeUrl("chain.snapshot");
const guardUrl = () => service.invokeUrl("contract.guard", { address: newAddress() });
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address;
const errorOf = async (response: Response) => paymentRequiredSchema.parse(await response.json()).error;
const countCalls = async (payer: string) =>
  (
    await service.db.query({
      text: "SELECT FROM invocations WHERE payer = $1",
      values: [payer.toLowerCase()],
    })
  ).length;

test("calls that were refused before and begin again in the other order count against the balance all the same", async () => {
  const payer = privateKeyToAccount(generatePrivateKey());
  const [first, second] = [guardUrl(), guardUrl()];
  const [early, late] = [
    await signPayment(payer, await fetchChallenge(first)),
    await signPayment(payer, await fetchChallenge(second)),
  ];
  for (const [url, payment] of [
    [first, early],
    [second, late],
  ] as const)
    expect((await send(url, payment)).status).toBe(402);
  await createWalletClient({
    account: service.account("frank"),
    transport: http(service.chainOf.rpcUrl),
  }).writeContract({
    address: service.chainOf.stablecoin.address as Hex,
    abi: erc20Abi,
    functionName: "transfer",
    args: [payer.address, BigInt(early.accepted.amount)],
    chain: null,
  });
  await service.chainOf.mine(1);
  // The call that was made last is verified for a long time, and holds the whole balance meanwhile.
  const { facilitator } = service.context;
  const verify = facilitator.verify.bind(facilitator);
  let letGo = () => {};
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  const spy = vi.spyOn(facilitator, "verify").mockImplementationOnce(async (...given) => {
    await held;
    return verify(...given);
  });
  onTestFinished(() => spy.mockRestore());
  const slow = send(second, late);
  await vi.waitFor(() => expect(spy).toHaveBeenCalledTimes(1));
  expect(await errorOf(await send(first, early))).toMatch(/^payment_refused: .*not settled yet/);
  letGo();
  expect((await slow).status).toBe(200);
});

test("nobody takes up the balance of a contract wallet with payments that it did not sign", async () => {
  const { wallet1271 } = service.chainOf.contracts;
  const as = (name: string) => ({ ...service.account(name), address: wallet1271 }) as PrivateKeyAccount;
  const forged = await signPayment(as("bob"), await fetchChallenge(snapshotUrl()));
  expect(await errorOf(await send(snapshotUrl(), forged))).toBe("signature_invalid");
  expect(await countCalls(wallet1271)).toBe(0);
  // Control: its owner's signature is its own.
  const signed = await signPayment(as("alice"), await fetchChallenge(snapshotUrl()));
  expect((await send(snapshotUrl(), signed)).status).toBe(200);
});
