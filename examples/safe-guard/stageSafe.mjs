import { readFileSync } from "node:fs";
import Safe from "@safe-global/protocol-kit";
import { createTestClient, createWalletClient, erc20Abi, http, parseEther, publicActions } from "viem";
import { base } from "viem/chains";

const say = (text) => console.log(`staged: ${text}`);

// Where Safe 1.4.1 is on Base (@safe-global/safe-deployments).
const published = {
  "SafeL2.sol/SafeL2": "0x29fcB43b46531BcA003ddC8FCB67FFE91900C762",
  "proxies/SafeProxyFactory.sol/SafeProxyFactory": "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67",
  "handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler":
    "0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99",
  "libraries/MultiSend.sol/MultiSend": "0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526",
  "libraries/MultiSendCallOnly.sol/MultiSendCallOnly": "0x9641d764fc13c8B624c04430C7356C1C7C8102e2",
};

/** Puts Safe's published contracts on the local chain, and makes a Safe of two owners who both have to sign. */
export async function stageSafe({ rpcUrl, proposer, owner, contracts }) {
  const chain = createTestClient({ chain: base, mode: "hardhat", transport: http(rpcUrl) }).extend(
    publicActions,
  );
  for (const [name, address] of Object.entries(published)) {
    const place = import.meta.resolve(`@safe-global/safe-contracts/build/artifacts/contracts/${name}.json`);
    const { deployedBytecode: bytecode } = JSON.parse(readFileSync(new URL(place), "utf8"));
    await chain.setCode({ address, bytecode });
  }
  const predictedSafe = {
    safeAccountConfig: { owners: [proposer.address, owner.address], threshold: 2 },
    safeDeploymentConfig: { safeVersion: "1.4.1", saltNonce: Date.now().toString() },
  };
  const planned = await Safe.init({ provider: rpcUrl, predictedSafe });
  const wallet = createWalletClient({ account: proposer, chain: base, transport: http(rpcUrl) });
  const wait = async (hash) => chain.waitForTransactionReceipt({ hash: await hash, pollingInterval: 50 });
  const { to, data } = await planned.createSafeDeploymentTransaction();
  await wait(wallet.sendTransaction({ to, data }));
  const address = await planned.getAddress();
  await chain.setBalance({ address, value: parseEther("1") });
  const args = [address, 10_000_000n];
  await wait(
    wallet.writeContract({ address: contracts.stablecoin, abi: erc20Abi, functionName: "transfer", args }),
  );
  say(`${address} is a Safe of ${proposer.address} and ${owner.address}, with 1 ether and 10 dollars`);
  return address;
}
