import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import type { Devnet } from "@assay/devnet";
import { CHAIN_ID, type Hex, NETWORK, type PaymentPayload } from "@assay/protocol";
import { pino } from "pino";
import { encodeFunctionData, hashTypedData, parseAbi } from "viem";
import { signDigest, toSignatureHex } from "../src/base/secp256k1.js";
import { createLocalSigner } from "../src/base/signers/digestSigner.js";
import { createInProcessFacilitator } from "../src/payments/settlement/inProcessFacilitator.js";
import { createSettlerAccount } from "../src/payments/settlement/settlerAccount.js";
import { encodeTransfer } from "../src/payments/settlement/transferCall.js";

/** Everyone who acts on the chain past the service: the remote facilitator's account, a stranger, the payer. */
export interface HostileOutsiders {
  verify(payment: PaymentPayload): Promise<unknown>;
  /** Really moves the money; answers as a facilitator does. */
  settle(payment: PaymentPayload): Promise<unknown>;
  /** A stranger hands the authorization in. */
  preempt(payment: PaymentPayload): Promise<void>;
  /** The payer takes the authorization back. */
  cancel(payment: PaymentPayload): Promise<void>;
  /** A transaction about this payment that reverts; returns its hash. */
  sendReverting(payment: PaymentPayload): Promise<Hex>;
  /** A transaction that settled some payment. */
  lastTransaction(): Hex | undefined;
  close(): Promise<void>;
}

const cancelAbi = parseAbi([
  "function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
]);

export async function createHostileOutsiders(devnet: Devnet): Promise<HostileOutsiders> {
  const chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: CHAIN_ID });
  const keyOf = (name: string) => devnet.accounts.find((account) => account.name === name)?.privateKey as Hex;
  const logger = pino({ level: "silent" });
  const facilitator = createInProcessFacilitator({
    chain,
    signers: [createLocalSigner(keyOf("heidi"))],
    logger,
  });
  const stranger = createInProcessFacilitator({ chain, signers: [createLocalSigner(keyOf("ivan"))], logger });
  const sender = createSender(devnet, chain, keyOf("judy"));
  let lastTransaction: Hex | undefined;

  return {
    async verify(payment) {
      const verdict = await facilitator.verify(payment, payment.accepted);
      const payer = payment.payload.authorization.from;
      if (verdict.status === "valid") return { isValid: true, payer };
      return { isValid: false, invalidReason: verdict.reason, payer };
    },
    async settle(payment) {
      const outcome = await facilitator.settle(payment, payment.accepted);
      const shared = { network: NETWORK, payer: payment.payload.authorization.from };
      if (outcome.status === "settled") {
        lastTransaction = outcome.transaction as Hex;
        return { success: true, transaction: outcome.transaction, ...shared };
      }
      const used = outcome.reason === "authorization already used";
      const errorReason = used
        ? "invalid_exact_evm_nonce_already_used"
        : "invalid_exact_evm_transaction_failed";
      return { success: false, errorReason, transaction: "", ...shared };
    },
    preempt: async (payment) => void (await stranger.settle(payment, payment.accepted)),
    async cancel({ payload, accepted }) {
      const { from, nonce } = payload.authorization;
      const account = devnet.accounts.find(({ address }) => address.toLowerCase() === from.toLowerCase());
      const digest = hashTypedData({
        domain: { name: "USD Coin", version: "2", chainId: CHAIN_ID, verifyingContract: accepted.asset },
        types: {
          CancelAuthorization: [
            { name: "authorizer", type: "address" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "CancelAuthorization",
        message: { authorizer: from, nonce: nonce as Hex },
      });
      const signature = toSignatureHex(signDigest(account?.privateKey as Hex, digest));
      const args = [from, nonce as Hex, signature] as const;
      await sender.send(
        accepted.asset,
        encodeFunctionData({ abi: cancelAbi, functionName: "cancelAuthorization", args }),
      );
    },
    sendReverting: ({ payload, accepted }) =>
      sender.send(accepted.asset, encodeTransfer({ ...payload, signature: `0x${"11".repeat(65)}` })),
    lastTransaction: () => lastTransaction,
    async close() {
      await Promise.all([facilitator.close(), stranger.close()]);
      await chain.close();
    },
  };
}

/** Sends single transactions straight to the devnet, which mines each as it comes. */
function createSender(devnet: Devnet, chain: Chain, key: Hex) {
  const account = createSettlerAccount(chain, createLocalSigner(key));
  return {
    async send(to: Hex, data: Hex): Promise<Hex> {
      const nonce = await account.takeNonce();
      const { raw, hash } = await account.sign({
        nonce,
        to,
        data,
        gas: 300_000n,
        fees: account.currentFees(),
      });
      await devnet.request("eth_sendRawTransaction", [raw]);
      return hash;
    },
  };
}
