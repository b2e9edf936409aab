import type { Hex } from "@assay/protocol";
import { isAddressEqual, isHex, recoverTypedDataAddress } from "viem";
import { UnacceptableChallengeError } from "./errors.js";
import type { FollowSigner } from "./followKeys.js";
import type { HttpRequest } from "./httpRequest.js";
import type { AnyRequirements, Challenge } from "./readChallenge.js";

/** The offer of x402's extension offer-receipt. Its EIP-712 domain is the same for every chain. */
const domain = { name: "x402 offer", version: "1", chainId: 1 } as const;
const types = {
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
} as const;

/**
 * Throws UnacceptableChallengeError unless the service's own key offers exactly this payment for this route: a proxy can put
 * another payee into a challenge, but cannot sign an offer for it. The offer does not name the question.
 */
export async function verifyOffer(
  { paymentRequired, requirements }: Challenge<AnyRequirements>,
  request: HttpRequest,
  signer: Hex,
  follow: FollowSigner = async (pinned) => pinned,
): Promise<void> {
  const { extensions } = paymentRequired;
  const { info } = Object(extensions?.["offer-receipt"]) as { info?: unknown };
  const { offers } = Object(info) as { offers?: unknown };
  let other = "nobody";
  let hasEnded = false;
  for (const offer of Array.isArray(offers) ? offers : []) {
    const { payload, signature } = Object(offer) as { payload?: unknown; signature?: unknown };
    const { version, validUntil, resourceUrl, scheme: offered } = Object(payload) as Record<string, unknown>;
    // Each way to pay has an offer of its own.
    if (offered !== requirements.scheme) continue;
    if (!isHex(signature) || typeof resourceUrl !== "string" || routeOf(resourceUrl) !== routeOf(request.url))
      continue;
    if (!Number.isSafeInteger(version) || !Number.isSafeInteger(validUntil)) continue;
    if (Number(validUntil) * 1000 < Date.now()) {
      hasEnded = true;
      continue;
    }
    // The requirements of the challenge, not those of the offer: the signature is valid only if both are the same.
    const { scheme, network, asset, payTo, amount } = requirements;
    const message = {
      ...{ version: BigInt(Number(version)), validUntil: BigInt(Number(validUntil)), resourceUrl },
      ...{ scheme, network, asset, payTo, amount },
    };
    const typedData = { domain, types, primaryType: "Offer", message, signature } as const;
    const recovered = await recoverTypedDataAddress(typedData).catch(() => undefined);
    if (recovered && isAddressEqual(recovered, await follow(signer, recovered))) return;
    other = recovered ?? other;
  }
  if (hasEnded && other === "nobody")
    throw new UnacceptableChallengeError("The price that the service signed has ended.", { retryable: true });
  throw new UnacceptableChallengeError(
    `${signer}, the expected key of the service, offers no payment of ${requirements.amount} units of ${requirements.asset} to ${requirements.payTo} here; ${other} signed the offer.`,
  );
}

/** Without the host: the service's public host may be another than the one in the request. */
const routeOf = (url: string) =>
  URL.canParse(url) ? /\/api\/v1\/.*$/.exec(new URL(url).pathname)?.[0] : undefined;
