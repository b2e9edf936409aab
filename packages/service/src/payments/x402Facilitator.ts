import { type Hex, NETWORK, type PaymentPayload, type PaymentRequirements } from "@assay/protocol";
import { x402Facilitator } from "@x402/core/facilitator";
import { HTTPFacilitatorClient } from "@x402/core/http";
import type {
  SettleResponse,
  VerifyResponse,
  PaymentPayload as X402Payload,
  PaymentRequirements as X402Requirements,
} from "@x402/core/types";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, fallback, http, publicActions } from "viem";
import { nonceManager, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import type { Facilitator, SettleOutcome, VerifyOutcome } from "./facilitator.js";

/** The calls shared by the official in-process facilitator and its HTTP client. */
interface Backend {
  verify(payload: X402Payload, requirements: X402Requirements): Promise<VerifyResponse>;
  settle(payload: X402Payload, requirements: X402Requirements): Promise<SettleResponse>;
}

const VERIFY_TIMEOUT_MS = 10_000;
const SETTLE_TIMEOUT_MS = 30_000;

const USED = /nonce_already_used|authorization_(is_)?used|nonce_used|duplicate_settlement/;
/**
 * Settle reasons that are decided before a transaction is sent, from the x402 packages and from the
 * specification's own list. A reason outside this list may hide a transaction, so it counts as unknown.
 */
const CERTAIN_FAILURE =
  /^(insufficient_funds|invalid_exact_evm_(insufficient_balance|signature|failed_to_parse_signature|scheme|network_mismatch|missing_eip712_domain|recipient_mismatch|authorization_value|payload_authorization_value(_mismatch)?|payload_authorization_valid_after|payload_authorization_valid_before|payload_signature|payload_recipient_mismatch|transaction_simulation_failed|token_name_mismatch|token_version_mismatch|eip3009_not_supported)|invalid_(scheme|network|payload|payment_requirements|x402_version)|unsupported_scheme)$/;

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

function fromBackend(backend: Backend, description: string, check: () => Promise<string>): Facilitator {
  return {
    description,
    check,
    async verify(payload, requirements): Promise<VerifyOutcome> {
      try {
        const answer = await within(VERIFY_TIMEOUT_MS, backend.verify(...asX402(payload, requirements)));
        if (answer.isValid === true) return { status: "valid" };
        const reason = answer.invalidReason ?? "no reason given";
        return { status: "refused", reason, authorizationUsed: USED.test(reason) };
      } catch (error) {
        return { status: "unavailable", reason: messageOf(error) };
      }
    },
    async settle(payload, requirements): Promise<SettleOutcome> {
      try {
        const answer = await within(SETTLE_TIMEOUT_MS, backend.settle(...asX402(payload, requirements)));
        if (answer.success === true && /^0x[0-9a-fA-F]{64}$/.test(answer.transaction)) {
          return { status: "settled", transaction: answer.transaction.toLowerCase() };
        }
        const reason = answer.errorReason ?? "no reason given";
        const certain = answer.success === false && !answer.transaction && CERTAIN_FAILURE.test(reason);
        return { status: certain ? "failed" : "unknown", reason };
      } catch (error) {
        return { status: "unknown", reason: messageOf(error) };
      }
    },
  };
}

const messageOf = (error: unknown) =>
  error instanceof Error ? (error.message.split("\n")[0] ?? error.name) : String(error);

/** Our schema is the stricter one; the official types differ from it only in template-literal strings. */
function asX402(payload: PaymentPayload, requirements: PaymentRequirements): [X402Payload, X402Requirements] {
  return [payload as unknown as X402Payload, requirements as unknown as X402Requirements];
}

/** The official `exact` scheme run in this process, with a key of ours paying the gas. */
export function createInProcessFacilitator(rpcUrls: readonly string[], privateKey: Hex): Facilitator {
  const account = privateKeyToAccount(privateKey, { nonceManager });
  const wallet = createWalletClient({
    account,
    chain: base,
    pollingInterval: 100,
    transport: fallback(rpcUrls.map((url) => http(url, { batch: true, retryCount: 1, timeout: 10_000 }))),
  }).extend(publicActions);
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    getCode: (request) => wallet.getCode(request),
    readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
    verifyTypedData: (request) =>
      wallet.verifyTypedData(request as Parameters<typeof wallet.verifyTypedData>[0]),
    writeContract: (request) => wallet.writeContract({ ...request, args: request.args ?? [] }),
    sendTransaction: (request) => wallet.sendTransaction(request),
    waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
  });
  const facilitator = new x402Facilitator().register(NETWORK, new ExactEvmScheme(signer));
  return fromBackend(
    {
      verify: (payload, requirements) => facilitator.verify(payload, requirements),
      settle: (payload, requirements) => facilitator.settle(payload, requirements),
    },
    `in process, gas paid by ${account.address}`,
    async () => {
      const balance = await within(VERIFY_TIMEOUT_MS, wallet.getBalance({ address: account.address }));
      if (balance === 0n) throw new Error(`settler ${account.address} has no ETH for gas`);
      return "settles in process";
    },
  );
}

/** A facilitator elsewhere, spoken to with the official HTTP client. */
export function createRemoteFacilitator(url: string): Facilitator {
  const client = new HTTPFacilitatorClient({ url });
  return fromBackend(client, new URL(url).host, async () => {
    const { kinds } = await within(VERIFY_TIMEOUT_MS, client.getSupported());
    if (!kinds.some((kind) => kind.scheme === "exact" && kind.network === NETWORK)) {
      throw new Error(`the facilitator does not settle exact payments on ${NETWORK}`);
    }
    return "facilitator answers";
  });
}
