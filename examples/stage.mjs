import { setTimeout } from "node:timers/promises";
import { computeFingerprint, createClient, ProblemError } from "@assay/client";
import { createTestClient, http, parseAbi, publicActions, walletActions } from "viem";

// On a new local chain there is no demand and no false claim. These functions play the other parties, with test wallets,
// so that an example has something to find. None of it happens on Base.

const say = (text) => console.log(`staged: ${text}`);

/** Asks the price for a contract that nobody has published: that makes a bounty. */
export async function stageBounty({ baseUrl, rpcUrl, account, contracts, testWallet }) {
  const publisher = createClient({ baseUrl, account });
  // A wallet whose fingerprint passed an audit sees bounties at once, others a minute later.
  await publishUnlessKnown(publisher, await computeFingerprint(rpcUrl, contracts.plainToken));
  say(`${account.address} has published a first fingerprint, and is attested by it`);
  const { address: wallet } = testWallet("frank");
  const asking = createClient({ baseUrl });
  for (const address of [contracts.erc721, contracts.erc1155, contracts.beacon, contracts.boxV1]) {
    const { cacheStatus } = await asking.quote("contract.guard", { address }, { wallet });
    if (cacheStatus !== "miss") continue;
    say(`${wallet} asks what contract.guard costs for ${address}, which nobody has shared`);
    // Demand is written down about once a second.
    for (let attempt = 0; attempt < 50; attempt++) {
      const { bounties } = await publisher.bounties({ limit: 100, passport: true });
      if (bounties.some(({ input }) => input.address === address.toLowerCase())) return;
      await setTimeout(200);
    }
  }
  say("every contract of the local chain has been shared already");
}

async function publishUnlessKnown(publisher, fingerprint) {
  try {
    await publisher.publish(fingerprint);
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === "fingerprint_fresh")) throw error;
  }
}

const HOUR_MS = 3_600_000;
const proxyAbi = parseAbi([
  "function owner() view returns (address)",
  "function upgradeToAndCall(address, bytes)",
]);

/** Claims that a proxy ran the same code throughout a window in which it was upgraded and set back. */
export async function stageFalseClaim({ baseUrl, rpcUrl, contracts, testWallet }) {
  const chain = createTestClient({ mode: "hardhat", transport: http(rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);
  const { uupsProxy: address, uupsBoxV1: claimed, uupsBoxV2: other } = contracts;
  const call = { address, abi: proxyAbi };
  const owner = await chain.readContract({ ...call, functionName: "owner" });
  await chain.impersonateAccount({ address: owner });
  const upgradeTo = async (implementation) => {
    const act = {
      functionName: "upgradeToAndCall",
      args: [implementation, "0x"],
      account: owner,
      chain: null,
    };
    const hash = await chain.writeContract({ ...call, ...act });
    const { blockNumber } = await chain.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    return Number(blockNumber);
  };
  const falseAt = await upgradeTo(other);
  const toBlock = await upgradeTo(claimed);
  say(`${address} is upgraded in block ${falseAt} and set back in block ${toBlock}`);
  const account = testWallet("erin");
  const { record } = await createClient({ baseUrl, account }).openClaim({
    ...{ address, implementation: claimed, fromBlock: falseAt - 1, toBlock, rewardUsd: 5 },
    deadline: new Date(Date.now() + 2 * HOUR_MS),
  });
  say(
    `${account.address} claims that it never was, and owes 5 USD to the wallet that proves it wrong: ${record.claimId}`,
  );
}
