import type { Hex } from "@assay/protocol";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";

/** The official `exact` scheme on viem, as its makers intend it: what ours is measured against. */
export function createOfficialScheme(rpcUrl: string, privateKey: Hex): ExactEvmScheme {
  const account = privateKeyToAccount(privateKey);
  const wallet = createWalletClient({
    account,
    chain: base,
    pollingInterval: 50,
    transport: http(rpcUrl),
  }).extend(publicActions);
  return new ExactEvmScheme(
    toFacilitatorEvmSigner({
      address: account.address,
      getCode: (request) => wallet.getCode(request),
      readContract: (request) => wallet.readContract({ ...request, args: request.args ?? [] }),
      verifyTypedData: (request) =>
        wallet.verifyTypedData(request as Parameters<typeof wallet.verifyTypedData>[0]),
      writeContract: (request) => wallet.writeContract({ ...request, args: request.args ?? [] }),
      sendTransaction: (request) => wallet.sendTransaction(request),
      waitForTransactionReceipt: (request) => wallet.waitForTransactionReceipt(request),
    }),
  );
}
