import type { CapabilityId } from "@assay/capabilities";
import type { PaymentRequired } from "@assay/protocol";
import { appendPaymentIdentifierToExtensions } from "@x402/extensions/payment-identifier";
import { listLocalInputs } from "../test/examples/listLocalInputs.js";
import { accountOf, signPayment, toHeader } from "../test/payer.js";
import type { TestService } from "../test/startTestService.js";
import type { KnownValues } from "./contractRequests.js";

/**
 * What a caller of this service knows: addresses of the local chain, an obligation, an artifact and the call that made it,
 * its payment and a second one that bears the same identifier.
 */
export async function learnKnownValues(
  service: Pick<TestService, "chainOf" | "context" | "url">,
): Promise<KnownValues> {
  await service.chainOf.mine(4);
  const inputs = await listLocalInputs(service);
  const payer = accountOf(service, "alice");
  const url = `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${service.chainOf.contracts.plainToken}`;
  const sign = async () => {
    const challenge = (await (await fetch(url)).json()) as PaymentRequired;
    const payment = await signPayment(payer, challenge);
    appendPaymentIdentifierToExtensions(payment.extensions ?? {}, "contract-campaign-purchase");
    return toHeader(payment);
  };
  const payment = await sign();
  const paid = await fetch(url, { headers: { "payment-signature": payment } });
  const sameName = await sign();
  const { invocationId, evidenceReference } = (await paid.json()) as {
    invocationId: string;
    evidenceReference: { artifactId: string };
  };
  const of = (id: CapabilityId) => inputs[id] as Record<string, unknown>;
  const { upgradeableProxy, plainToken, uniswapV2Router } = service.chainOf.contracts;
  return {
    address: [upgradeableProxy, plainToken],
    wallet: [payer.address, payer.address.toLowerCase()],
    "x-agent-wallet": [payer.address],
    "x-agent-timestamp": [String(Date.now())],
    from: [payer.address],
    to: [plainToken, uniswapV2Router],
    data: ["0x", of("amm.swap.guard").data],
    url: [of("web.compile").url],
    artifactId: [evidenceReference.artifactId],
    obligationId: [of("obligation.verdict").obligationId],
    claimId: [of("obligation.verdict").obligationId],
    invocationId: [invocationId],
    index: [0, 1],
    size: [1, 2],
    first: [0, 1],
    second: [1, 2],
    "PAYMENT-SIGNATURE": [payment, sameName, Buffer.from("{}").toString("base64"), "x".repeat(9000)],
  };
}
