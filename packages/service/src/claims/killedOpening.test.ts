import { until } from "@assay/chain/testing/until";
import { type ClaimOpened, claimOpenedSchema, type Hex } from "@assay/protocol";
import { generatePrivateKey, type PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { auditBooks } from "../../campaigns/auditBooks.js";
import {
  type CampaignWorld,
  createCampaignWorld,
  type ServiceProcess,
} from "../../campaigns/campaignWorld.js";
import { type ChainActions, createChainActions } from "../../campaigns/chainActions.js";
import { createPayer, type PaidCall, signCall } from "../../campaigns/paidCalls.js";
import { endLeases } from "../../campaigns/runKill.js";
import { asPost, fetchChallenge, send } from "../../test/payer.js";
import { type Failpoint, paidCallFailpoints } from "../base/failpoints.js";
import { claimsUrl, hoursAhead } from "./testing/paidClaims.js";

let world: CampaignWorld;
let survivor: ServiceProcess;
let actions: ChainActions;
beforeAll(async () => {
  world = await createCampaignWorld({ postgresUrl: inject("postgresUrl") });
  await world.devnet.mine(4);
  actions = createChainActions(world.devnet, keyOf("ivan"));
  survivor = await world.start();
}, 60_000);
afterAll(() => world.close());

const keyOf = (name: string): Hex =>
  world.devnet.accounts.find((account) => account.name === name)?.privateKey ?? "0x";

interface Opening extends PaidCall {
  readonly body: RequestInit;
}

async function prepare(url: string, payer: PrivateKeyAccount): Promise<Opening> {
  const toBlock = Number(await world.devnet.request<Hex>("eth_blockNumber"));
  const { upgradeableProxy: address, boxV1: implementation } = world.devnet.contracts;
  const terms = { rewardUsd: 1, deadline: hoursAhead(48) };
  const body = asPost({
    wallet: payer.address,
    address,
    implementation,
    fromBlock: toBlock - 1,
    toBlock,
    ...terms,
  });
  const challenge = await fetchChallenge(claimsUrl(url), body);
  return { ...(await signCall(payer, "/api/v1/claims", challenge)), body };
}

const attempt = async (url: string, { payment, body }: Opening) => {
  const response = await send(claimsUrl(url), payment, body);
  const text = await response.text();
  return { status: response.status, text };
};
const countClaims = async (claimId: string) => {
  const [row] = await world.db.query<{ n: bigint }>({
    text: "SELECT count(*) AS n FROM claims WHERE claim_id = $1",
    values: [claimId],
  });
  return Number(row?.n);
};
const listFaults = async (mayBeUnfinished: boolean) =>
  (await auditBooks(world.db, world.devnet, { mayBeUnfinished })).violations;

/** Starts a process that dies at this moment, and makes it. Nothing may be half done then. */
async function killAt(failpoint: Failpoint, payer: PrivateKeyAccount): Promise<Opening> {
  const doomed = await world.start({ FAILPOINT: failpoint });
  const opening = await prepare(doomed.url, payer);
  await expect(attempt(doomed.url, opening)).rejects.toThrow();
  await until(async () => (doomed.isDead() ? true : undefined));
  expect(await listFaults(true)).toEqual([]);
  await endLeases(world);
  return opening;
}

/** The same payment again, until it is answered. */
const finish = (opening: Opening) =>
  until(async () => {
    const sight = await attempt(survivor.url, opening);
    return sight.status === 201 || sight.status === 402 ? sight : undefined;
  });

async function expectOpened(opening: Opening): Promise<ClaimOpened> {
  const first = await finish(opening);
  expect([first.status, first.text]).toEqual([201, expect.any(String)]);
  expect(await attempt(survivor.url, opening)).toEqual(first);
  const claim = claimOpenedSchema.parse(JSON.parse(first.text));
  expect(await countClaims(claim.claimId)).toBe(1);
  expect(await listFaults(false)).toEqual([]);
  return claim;
}

const survived = [
  "after_reserve",
  "after_verify_and_answer",
  "after_settle",
  "inside_settled",
  "after_settled",
] as const;

describe("killed while a claim is opened", () => {
  test.each(survived)(
    "%s: the same payment opens it once, and is paid once",
    async (failpoint) => {
      await expectOpened(await killAt(failpoint, createPayer(keyOf("alice"))));
    },
    60_000,
  );

  test("after_settling: a payment that is submitted later opens it, one that is cancelled does not", async () => {
    const [delivered, cancelled] = [
      await killAt("after_settling", createPayer(keyOf("bob"))),
      await killAt("after_settling", createPayer(keyOf("carol"))),
    ];
    await actions.deliver(delivered);
    await actions.cancel(cancelled);
    const refused = await finish(cancelled);
    expect(refused.status).toBe(402);
    const claim = await expectOpened(delivered);
    expect(claim.opener).toBe(delivered.payer.address.toLowerCase());
    const [row] = await world.db.query<{ n: bigint }>({
      text: "SELECT count(*) AS n FROM claims WHERE opener = $1",
      values: [cancelled.payer.address.toLowerCase()],
    });
    expect(row?.n).toBe(0n);
  }, 90_000);

  test("inside_void: who cannot pay gets no claim", async () => {
    const opening = await killAt("inside_void", createPayer(generatePrivateKey()));
    expect((await finish(opening)).status).toBe(402);
    expect(await listFaults(false)).toEqual([]);
  }, 60_000);

  test("the other moments come only after a settlement that failed or stayed silent", () => {
    const tried: string[] = [...survived, "after_settling", "inside_void"];
    expect(paidCallFailpoints.filter((name) => !tried.includes(name))).toEqual([
      "inside_failed",
      "after_unknown",
    ]);
  });
});
