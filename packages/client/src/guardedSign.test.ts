import { type Hex, transferWithAuthorizationTypes } from "@assay/protocol";
import { recoverMessageAddress, recoverTypedDataAddress } from "viem";
import { beforeAll, expect, it } from "vitest";
import { createClient } from "./createClient.js";
import { guardedSign, type SignPolicy } from "./guardedSign.js";
import { GuardRefusedError } from "./guardRefusedError.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { getSharedService } from "./testing/getSharedService.js";

let service: ConnectedService;
let policy: SignPolicy;
beforeAll(async () => {
  service = await getSharedService();
  const assay = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  policy = { assay, signer: (await assay.describe()).signingAddress, node: service.rpcUrl };
});

const STRANGER: Hex = "0x00000000000000000000000000000000005caffe";

const payment = (value: bigint) =>
  ({
    types: transferWithAuthorizationTypes,
    primaryType: "TransferWithAuthorization",
    domain: {
      name: "USD Coin",
      version: "2",
      chainId: 8453,
      verifyingContract: service.contract("stablecoin"),
    },
    message: {
      from: service.wallet("bob").address,
      to: STRANGER,
      value,
      validAfter: 0n,
      validBefore: 1_893_456_000n,
      nonce: `0x${"01".repeat(32)}`,
    },
  }) as const;

const refusalOf = async (act: Promise<unknown>) => {
  const failure = await act.catch((error: unknown) => error);
  if (!(failure instanceof GuardRefusedError)) throw new Error("not refused", { cause: failure });
  return failure;
};

it("signs a message that is allowed, on an answer it has verified, and returns the receipt with it", async () => {
  const bob = service.wallet("bob");
  const typedData = payment(20_000n);
  const { signature, guard, verification } = await guardedSign(bob, { typedData }, policy);
  expect(guard.answer).toMatchObject({ verdict: "allow", capabilityId: "message.intent.guard" });
  expect(guard.answer.receiptUrl).toContain("/receipts/");
  expect(verification.ok).toBe(true);
  expect(await recoverTypedDataAddress({ ...typedData, signature } as never)).toBe(bob.address);
});

it("does not sign what is blocked, whatever the policy says of reviews", async () => {
  const greedy = { ...policy, acceptReview: () => true };
  const bob = { ...service.wallet("bob"), signTypedData: () => expect.fail("it was signed") } as never;
  const everything = payment(900_000_000_000n);
  expect((await refusalOf(guardedSign(bob, { typedData: everything }, greedy))).refusal).toBe("block");
  const hash = `0x${"9f".repeat(32)}`;
  const refusal = await refusalOf(guardedSign(service.wallet("bob"), { personalMessage: hash }, greedy));
  expect(refusal.answer.result.reasonCodes).toContain("HASH_HIDES_CONTENT");
  expect(refusal.message).toContain("The guard blocks this message");
});

it("asks a provider for exactly the judged text, and refuses another's signature", async () => {
  const bob = service.wallet("bob");
  const asked: unknown[] = [];
  const provider = (sign: (text: string) => Promise<unknown>) => ({
    address: bob.address,
    request: async ({ method, params }: { method: string; params: unknown[] }) => {
      asked.push(method);
      return sign(Buffer.from(String(params[0]).slice(2), "hex").toString("utf8"));
    },
  });
  const personalMessage = "Please sign this message to log in.";
  const honest = provider((message) => bob.signMessage({ message }));
  const { signature } = await guardedSign(honest, { personalMessage }, policy);
  expect(await recoverMessageAddress({ message: personalMessage, signature })).toBe(bob.address);
  const other = provider(() => bob.signMessage({ message: "I give everything away." }));
  expect((await refusalOf(guardedSign(other, { personalMessage }, policy))).refusal).toBe("altered");
  expect(asked).toEqual(["personal_sign", "personal_sign"]);
});

it("names what it cannot sign before anybody pays", async () => {
  const bob = service.wallet("bob");
  const broken = { ...payment(1n), primaryType: "Nothing" };
  await expect(guardedSign(bob, { typedData: broken }, policy)).rejects.toThrow("typedData.primaryType");
  const provider = { address: bob.address, request: async () => "0x" };
  const authorization = { chainId: 8453, address: STRANGER, nonce: 0 };
  await expect(guardedSign(provider, { authorization }, policy)).rejects.toThrow("give a local account");
  for (const given of [
    { calls: [{ to: STRANGER }] },
    { message: "Hello" },
    {},
    { authorization, personalMessage: "Hello" },
  ])
    await expect(guardedSign(bob, given as never, policy)).rejects.toThrow(
      "signs exactly one of typedData, personalMessage, authorization",
    );
});
