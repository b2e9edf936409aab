import type { Hex } from "@assay/protocol";
import { parseUnits } from "viem";
import { expect, test } from "vitest";
import { asPost } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { openPayer } from "./channels/testing/channelPayer.js";
import { deleteOldOutcomes, getWalletRecord } from "./walletRecord.js";

const service = useTestService();
const walletOf = (name: string) => service.account(name).address.toLowerCase() as Hex;
const recordOf = (wallet: Hex) => getWalletRecord(service.context, wallet);

/** A payment by signature of all that the account holds, to somebody who was never seen. */
function askAboutDrain(name: string): RequestInit {
  const field = (one: string, type: string) => ({ name: one, type });
  const amount = parseUnits("900000", 6).toString();
  const typedData = {
    types: {
      TransferWithAuthorization: [
        ...[field("from", "address"), field("to", "address"), field("value", "uint256")],
        ...[field("validAfter", "uint256"), field("validBefore", "uint256"), field("nonce", "bytes32")],
      ],
    },
    primaryType: "TransferWithAuthorization",
    domain: {
      ...{ name: "USD Coin", version: "2", chainId: 8453 },
      verifyingContract: service.chainOf.stablecoin.address,
    },
    message: {
      ...{ from: walletOf(name), to: "0x00000000000000000000000000000000005caffe", value: amount },
      ...{ validAfter: "0", validBefore: "1893456000", nonce: `0x${"7".repeat(64)}` },
    },
  };
  return asPost({ signer: walletOf(name), typedData });
}

test("adds up what the wallet spent and learned: shared answers, private ones, and what a blocked one would have cost", async () => {
  const address = service.chainOf.contracts.legacyProxy;
  const shared = await service.buy(service.invokeUrl("contract.guard", { address }), "grace");
  const blocked = await service.buy(
    service.invokeUrl("message.intent.guard"),
    "grace",
    askAboutDrain("grace"),
  );
  expect(blocked.verdict).toBe("block");
  const record = await recordOf(walletOf("grace"));
  expect(record).toMatchObject({
    calls: 2,
    spentUsd: 0.15,
    verdicts: { block: 1, none: 0, [shared.verdict]: 1 },
    prevented: { calls: 1, usd: 900_000, isWhole: true },
    days: [{ calls: 2, spentUsd: 0.15, blocked: 1 }],
    channels: [],
    isBlocked: false,
  });
  expect(
    record.recent.map(({ capabilityId, artifactId, loss }) => [capabilityId, artifactId, loss?.usd]),
  ).toEqual([
    ["message.intent.guard", null, 900_000],
    ["contract.guard", shared.evidenceReference.artifactId, undefined],
  ]);
  // Nobody else's record has any of it.
  expect(await recordOf(walletOf("heidi"))).toMatchObject({
    calls: 0,
    recent: [],
    prevented: { calls: 0, usd: 0 },
  });
});

test("keeps the verdict of a private answer sealed, and for thirty days", async () => {
  await service.buy(service.invokeUrl("message.intent.guard"), "ivan", askAboutDrain("ivan"));
  const wallet = walletOf("ivan");
  const readStored = () =>
    service.db.query<{ sealed_outcome: Buffer | null }>({
      text: "SELECT sealed_outcome FROM invocations WHERE payer = $1",
      values: [wallet],
    });
  const [stored] = await readStored();
  expect(stored?.sealed_outcome?.length).toBeGreaterThan(28);
  expect(stored?.sealed_outcome?.includes("block")).toBe(false);
  // Somebody who can write to the database cannot put one wallet's verdict into another's record.
  await service.db.query({
    text: `UPDATE invocations SET sealed_outcome = (SELECT sealed_outcome FROM invocations WHERE payer = $1 AND sealed_outcome IS NOT NULL)
           WHERE payer = $2`,
    values: [walletOf("grace"), wallet],
  });
  expect((await recordOf(wallet)).verdicts).toEqual({ allow: 0, review: 0, block: 0, none: 1 });
  await service.db.query({
    text: "UPDATE invocations SET created_at = now() - interval '31 days' WHERE payer = $1",
    values: [wallet],
  });
  await deleteOldOutcomes(service.db);
  expect((await readStored())[0]?.sealed_outcome).toBeNull();
  expect((await recordOf(walletOf("grace"))).verdicts.block).toBe(1);
});

test("lists the wallet's channels with what is left, and counts calls paid by voucher", async () => {
  const payer = await openPayer(service, { depositUsd: 1 });
  const wallet = payer.account.address.toLowerCase() as Hex;
  const address = service.chainOf.contracts.plainToken;
  const { status } = await payer.buy(service.invokeUrl("token.metadata", { address }));
  expect(status).toBe(200);
  const { channels, spentUsd, calls } = await recordOf(wallet);
  expect({ calls, spentUsd }).toEqual({ calls: 1, spentUsd: 0.03 });
  expect(channels).toMatchObject([{ depositedUsd: 1, chargedUsd: 0.03, leftUsd: 0.97, isClosing: false }]);
});
