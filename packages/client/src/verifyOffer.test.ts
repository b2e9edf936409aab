import type { Hex } from "@assay/protocol";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import type { HttpRequest } from "./httpRequest.js";
import type { AnyRequirements, Challenge } from "./readChallenge.js";
import { verifyOffer } from "./verifyOffer.js";

const service = privateKeyToAccount(generatePrivateKey());
const url = "http://127.0.0.1:8402/api/v1/capabilities/contract.guard/invoke";
const terms = {
  scheme: "exact",
  network: "eip155:8453",
  asset: `0x${"aa".repeat(20)}`,
  payTo: `0x${"bb".repeat(20)}`,
  amount: "20000",
} as const;

/** A challenge with the service's signed offer; what is asked for may be something else. */
async function challenge(validUntil: number, asked: Partial<typeof terms> = {}) {
  const message = { version: 1n, resourceUrl: url, ...terms, validUntil: BigInt(validUntil) };
  const signature: Hex = await service.signTypedData({
    domain: { name: "x402 offer", version: "1", chainId: 1 },
    types: {
      Offer: [
        { name: "version", type: "uint256" },
        { name: "resourceUrl", type: "string" },
        { name: "scheme", type: "string" },
        { name: "network", type: "string" },
        { name: "asset", type: "string" },
        { name: "payTo", type: "string" },
        { name: "amount", type: "string" },
        { name: "validUntil", type: "uint256" },
      ],
    },
    primaryType: "Offer",
    message,
  });
  const offers = [{ payload: { version: 1, resourceUrl: url, scheme: "exact", validUntil }, signature }];
  return {
    paymentRequired: { extensions: { "offer-receipt": { info: { offers } } } },
    requirements: { ...terms, ...asked },
  } as unknown as Challenge<AnyRequirements>;
}
const verify = (given: Challenge<AnyRequirements>) =>
  verifyOffer(given, { url } as HttpRequest, service.address);
const nowSeconds = () => Math.floor(Date.now() / 1_000);

test("a price that the service signed is paid, and one for another payee is not", async () => {
  await verify(await challenge(nowSeconds() + 60));
  const astray = await challenge(nowSeconds() + 60, { payTo: `0x${"cc".repeat(20)}` as never });
  await expect(verify(astray)).rejects.toMatchObject({ code: "unacceptable_challenge", retryable: false });
});

test("a signed price that has ended is not paid, and is worth asking for again", async () => {
  await expect(verify(await challenge(nowSeconds() - 1))).rejects.toMatchObject({
    code: "unacceptable_challenge",
    retryable: true,
  });
});
