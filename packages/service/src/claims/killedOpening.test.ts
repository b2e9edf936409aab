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
/** The openings that were under way when the process died at this moment. */
let openings: ReadonlyMap<Failpoint, readonly Opening[]>;
beforeAll(async () => {
  world = await createCampaignWorld({ postgresUrl: inject("postgresUrl") });
  await world.devnet.mine(4);
  actions = createChainActions(world.devnet, keyOf("ivan"));
  [survivor, openings] = await Promise.all([world.start(), killAll()]);
}, 120_000);
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

const survivable = [
  "after_reserve",
  "after_verify_and_answer",
  "after_settle",
  "inside_settled",
  "after_settled",
] as const;
/**
 * `npm run campaign:kill` tries them all. Here are the one inside the transaction that writes the claim, and the one after which
 * another process has to send the payment; at the others nothing is done for a claim that is not done for an answer, and
 * `runKill.test.ts` kills at each of them.
 */
const isEveryMoment = process.env.ASSAY_EVERY_MOMENT === "1";
const survived = survivable.filter((name) => isEveryMoment || name === "inside_settled");

/** Starts a process for each of these moments, all at the same time, and makes one after another die there. */
async function killAll(): Promise<Map<Failpoint, Opening[]>> {
  const alice = createPayer(keyOf("alice"));
  const deaths: [Failpoint, PrivateKeyAccount][] = [
    ...survived.map((failpoint): [Failpoint, PrivateKeyAccount] => [failpoint, alice]),
    ["after_settling", createPayer(keyOf("bob"))],
  ];
  if (isEveryMoment)
    deaths.push(
      ["after_settling", createPayer(keyOf("carol"))],
      ["inside_void", createPayer(generatePrivateKey())],
    );
  const doomed = await Promise.all(
    deaths.map(async ([failpoint, payer]) => ({
      failpoint,
      payer,
      process: await world.start({ FAILPOINT: failpoint }),
    })),
  );
  const killed = new Map<Failpoint, Opening[]>();
  for (const { failpoint, payer, process } of doomed)
    killed.set(failpoint, [...(killed.get(failpoint) ?? []), await killWith(process, payer)]);
  await endLeases(world);
  return killed;
}

/** Has the process die over this payer's claim. Nothing may be half done then. */
async function killWith(doomed: ServiceProcess, payer: PrivateKeyAccount): Promise<Opening> {
  const opening = await prepare(doomed.url, payer);
  await expect(attempt(doomed.url, opening)).rejects.toThrow();
  await until(async () => (doomed.isDead() ? true : undefined));
  expect(await listFaults(true)).toEqual([]);
  return opening;
}

const openingsAt = (failpoint: Failpoint) => openings.get(failpoint) as readonly [Opening, ...Opening[]];

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
  expect(await listFaults(true)).toEqual([]);
  return claim;
}

describe("killed while a claim is opened", () => {
  test.each(survived)(
    "%s: the same payment opens it once, and is paid once",
    async (failpoint) => {
      await expectOpened(openingsAt(failpoint)[0]);
    },
    60_000,
  );

  test("after_settling: a payment opens it, whether the next process delivers it or somebody else does", async () => {
    const [left, delivered] = openingsAt("after_settling");
    if (delivered) await actions.deliver(delivered);
    for (const opening of delivered ? [delivered, left] : [left]) {
      const claim = await expectOpened(opening);
      expect(claim.opener).toBe(opening.payer.address.toLowerCase());
    }
  }, 90_000);

  test.runIf(isEveryMoment)(
    "inside_void: who cannot pay gets no claim",
    async () => {
      expect((await finish(openingsAt("inside_void")[0])).status).toBe(402);
    },
    60_000,
  );

  test("in the end every payment is decided and the books agree with the chain", async () => {
    await until(async () => ((await listFaults(false)).length === 0 ? true : undefined));
  }, 60_000);

  test("the other moments come only after a settlement that failed or stayed silent", () => {
    const tried: string[] = [...survivable, "after_settling", "inside_void"];
    expect(paidCallFailpoints.filter((name) => !tried.includes(name))).toEqual([
      "inside_failed",
      "after_unknown",
    ]);
  });
});
