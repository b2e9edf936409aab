import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { type Account, createWalletClient, encodeFunctionData, http, parseAbi, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { encodeTransfer } from "../src/payments/settlement/transferCall.js";
import type { PaidCall } from "./paidCalls.js";

const tokenAbi = parseAbi([
  "function transfer(address to, uint256 value) returns (bool)",
  "function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/** What strangers and payers do with the token themselves, past the service. */
export interface ChainActions {
  give(to: string, amount: bigint): Promise<void>;
  /** Anyone who saw an authorization may hand it in. */
  deliver(call: PaidCall): Promise<void>;
  /** The payer takes an authorization back. */
  cancel(call: PaidCall): Promise<void>;
}

export function createChainActions(devnet: Devnet, privateKey: Hex): ChainActions {
  const wallet = createWalletClient({
    account: privateKeyToAccount(privateKey) as Account,
    chain: base,
    pollingInterval: 50,
    transport: http(devnet.rpcUrl),
  }).extend(publicActions);
  const token = devnet.stablecoin.address;
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time: the account's nonce is asked of the chain. */
  function send(data: Hex): Promise<void> {
    const sent = turn.then(async () => {
      const hash = await wallet.sendTransaction({ to: token, data, gas: 300_000n });
      await wallet.waitForTransactionReceipt({ hash });
    });
    turn = sent.catch(() => undefined);
    return sent;
  }

  return {
    give: (to, amount) =>
      send(encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to as Hex, amount] })),
    deliver: (call) => send(encodeTransfer(call.payment.payload)),
    async cancel({ payer, payment }) {
      const { from, nonce } = payment.payload.authorization;
      const signature = await payer.signTypedData({
        domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: token },
        types: {
          CancelAuthorization: [
            { name: "authorizer", type: "address" },
            { name: "nonce", type: "bytes32" },
          ],
        },
        primaryType: "CancelAuthorization",
        message: { authorizer: from as Hex, nonce: nonce as Hex },
      });
      const part = (start: number, end: number): Hex => `0x${signature.slice(2 + 2 * start, 2 + 2 * end)}`;
      await send(
        encodeFunctionData({
          abi: tokenAbi,
          functionName: "cancelAuthorization",
          args: [from as Hex, nonce as Hex, Number(part(64, 65)), part(0, 32), part(32, 64)],
        }),
      );
    },
  };
}
