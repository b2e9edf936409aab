import { randomBytes } from "node:crypto";
import type { Hex } from "@assay/protocol";
import { createTestClient, createWalletClient, http, parseAbi, parseEther, publicActions } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import type { ConnectedService } from "./connectToService.js";

const abi = parseAbi([
  "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
]);
const fields = ["from address", "to address", "value uint256", "validAfter uint256", "validBefore uint256"];
const types = {
  TransferWithAuthorization: [...fields, "nonce bytes32"].map((field) => {
    const [name = "", type = ""] = field.split(" ");
    return { name, type };
  }),
};

export interface FundedWallet {
  readonly account: PrivateKeyAccount;
  readonly privateKey: Hex;
}

/**
 * A wallet that no other test pays, spends from or sends with: one ether and five dollars of bob's, whose authorization it brings
 * to the chain itself, so that nobody else's nonce is used.
 */
export async function createFundedWallet(service: ConnectedService): Promise<FundedWallet> {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  const transport = http(service.rpcUrl);
  const chain = createTestClient({ mode: "hardhat", chain: base, transport }).extend(publicActions);
  await chain.setBalance({ address: account.address, value: parseEther("1") });
  const payer = service.wallet("bob");
  const token = service.contract("stablecoin");
  const nonce: Hex = `0x${randomBytes(32).toString("hex")}`;
  const message = {
    from: payer.address,
    to: account.address,
    value: 5_000_000n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce,
  };
  const signature = await payer.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: base.id, verifyingContract: token },
    types,
    primaryType: "TransferWithAuthorization",
    message,
  });
  const hash = await createWalletClient({ account, chain: base, transport }).writeContract({
    address: token,
    abi,
    functionName: "transferWithAuthorization",
    args: [
      message.from,
      message.to,
      message.value,
      message.validAfter,
      message.validBefore,
      nonce,
      signature,
    ],
  });
  const { status } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
  if (status !== "success") throw new Error("the wallet was not funded");
  return { account, privateKey };
}
