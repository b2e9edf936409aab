import {
  type AnyPayment,
  type CapabilityResult,
  capabilityResultSchema,
  type Hex,
  type PaymentPayload,
  type PaymentRequired,
  type PaymentRequirements,
  paymentRequiredSchema,
  transferWithAuthorizationTypes,
} from "@assay/protocol";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { x402Client } from "@x402/fetch";
import { createPublicClient, http, parseAbi } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import type { TestService } from "./startTestService.js";

/** The account of that name on the service's local chain. */
export function accountOf(service: Pick<TestService, "chainOf">, name: string): PrivateKeyAccount {
  const account = service.chainOf.accounts.find((candidate) => candidate.name === name);
  if (!account) throw new Error(`the local chain has no account ${name}`);
  return privateKeyToAccount(account.privateKey as Hex);
}

export async function fetchChallenge(url: string, init: RequestInit = {}): Promise<PaymentRequired> {
  const response = await fetch(url, init);
  if (response.status !== 402)
    throw new Error(`expected 402, got ${response.status}: ${await response.text()}`);
  return paymentRequiredSchema.parse(await response.json());
}

/** A request that carries this body. */
export const asPost = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

/** Signs the first accepted payment with the official client. */
export async function signPayment(
  account: PrivateKeyAccount,
  challenge: PaymentRequired,
): Promise<PaymentPayload> {
  const client = new x402Client().register("eip155:8453", new ExactEvmScheme(account));
  return (await client.createPaymentPayload(challenge as never)) as unknown as PaymentPayload;
}

/** The same payment with another authorization: other terms than the challenge's, signed all the same. */
export async function signTerms(
  account: PrivateKeyAccount,
  payment: PaymentPayload,
  terms: Partial<PaymentPayload["payload"]["authorization"]>,
): Promise<PaymentPayload> {
  const authorization = { ...payment.payload.authorization, ...terms };
  const { asset, extra } = payment.accepted;
  const signature = await account.signTypedData({
    domain: {
      name: String(extra.name),
      version: String(extra.version),
      chainId: 8453,
      verifyingContract: asset as Hex,
    },
    types: transferWithAuthorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as Hex,
    },
  });
  return { ...payment, payload: { authorization, signature } };
}

export function toHeader(payment: AnyPayment): string {
  return Buffer.from(JSON.stringify(payment)).toString("base64");
}

export function send(url: string, payment: AnyPayment, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, "payment-signature": toHeader(payment) } });
}

/** Challenge, signature and paid request, step by step. */
export async function pay(
  url: string,
  account: PrivateKeyAccount,
  init: RequestInit = {},
): Promise<{ payment: PaymentPayload; response: Response }> {
  const payment = await signPayment(account, await fetchChallenge(url, init));
  return { payment, response: await send(url, payment, init) };
}

/** As `pay`. Where the price ended with the answer behind it, the challenge that the refusal carries is paid, as clients do. */
export async function payPriceNow(
  ...purchase: Parameters<typeof pay>
): Promise<{ payment: PaymentPayload; response: Response }> {
  const first = await pay(...purchase);
  if (first.response.status !== 402) return first;
  const required = paymentRequiredSchema.parse(await first.response.clone().json());
  if (required.error !== "ticket_expired") return first;
  const [url, account, init] = purchase;
  const payment = await signPayment(account, required);
  return { payment, response: await send(url, payment, init) };
}

/** The answer that this account pays for. */
export async function buyAnswer(...purchase: Parameters<typeof pay>): Promise<CapabilityResult> {
  const { response } = await payPriceNow(...purchase);
  if (response.status !== 200)
    throw new Error(`expected 200, got ${response.status}: ${await response.text()}`);
  return capabilityResultSchema.parse(await response.json());
}

export const priceOf = (requirements: PaymentRequirements | undefined): bigint =>
  BigInt(requirements?.amount ?? -1);

/** Stablecoin balance, in atomic units, as the chain has it now. */
export async function balanceOf(service: Pick<TestService, "chainOf">, address: string): Promise<bigint> {
  const client = createPublicClient({ transport: http(service.chainOf.rpcUrl), cacheTime: 0 });
  return client.readContract({
    address: service.chainOf.stablecoin.address as Hex,
    abi: parseAbi(["function balanceOf(address) view returns (uint256)"]),
    functionName: "balanceOf",
    args: [address as Hex],
  });
}
