import {
  type Assertion,
  addressSightSchema,
  type LogEntries,
  logEntriesSchema,
  resolvedClaimsSchema,
  verdictMixSchema,
} from "@assay/protocol";
import { expect, test } from "vitest";
import { asPost } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { markSurvivedClaims } from "../../claims/markSurvivedClaims.js";
import { insertClaim } from "../../claims/testing/insertClaim.js";
import { createRouter } from "../router.js";
import { addRecordPages } from "./addRecordPages.js";

const service = useTestService();

async function ask(path: string): Promise<Response> {
  const app = createRouter(service.context);
  addRecordPages(app, service.context);
  return app.request(path);
}
const search = async (text: string): Promise<LogEntries> =>
  logEntriesSchema.parse(await (await ask(`/log/entries.json?search=${encodeURIComponent(text)}`)).json());

test("the log is searched by number, receipt, claim and address, and no buyer's address leads to a purchase", async () => {
  const address = service.chainOf.contracts.legacyProxy;
  const answer = await service.buy(service.invokeUrl("contract.guard", { address }));
  const { entries } = await search(answer.invocationId);
  expect(entries).toMatchObject([{ kind: "receipt", leaf: null }]);
  const [receipt] = entries;
  expect(await search(String(receipt?.index))).toMatchObject({ entries: [receipt] });
  const { address: wallet } = service.account("alice");
  for (const text of [wallet, wallet.toLowerCase(), address, "999999", "nothing", "0x"])
    expect([text, (await search(text)).entries]).toEqual([text, []]);
  const everything = await (await ask("/log/entries.json?limit=100")).text();
  expect(everything).not.toContain(wallet.toLowerCase());
  expect(everything).not.toContain(answer.invocationId);
});

test("what a query asks for must make sense", async () => {
  for (const query of ["limit=0", "limit=101", "before=-1", "kind=A", "search=", `search=${"x".repeat(129)}`])
    expect([query, (await ask(`/log/entries.json?${query}`)).status]).toEqual([query, 400]);
  expect((await ask("/claims/resolved.json?limit=x")).status).toBe(400);
});

test("what stands at an address is read, before anybody asks a question about it", async () => {
  const { contracts } = service.chainOf;
  const lookAt = async (address: string | undefined) =>
    addressSightSchema.parse(await (await ask(`/addresses/sight.json?address=${address}`)).json());
  const fresh = await lookAt(contracts.freshToken);
  expect(fresh).toMatchObject({ kind: "token", name: null });
  expect(fresh.pools).toBeGreaterThan(0);
  expect(await lookAt(contracts.bytes32Token)).toMatchObject({ kind: "token", name: null, pools: 0 });
  expect(await lookAt(contracts.stablecoin)).toMatchObject({ kind: "token", name: "USD Coin (USDC)" });
  expect(await lookAt(contracts.transparentProxy)).toMatchObject({
    kind: "contract",
    name: null,
    pools: null,
  });
  expect(await lookAt(service.account("alice").address)).toMatchObject({ kind: "account", pools: null });
  expect((await ask("/addresses/sight.json?address=0x12")).status).toBe(400);
  expect((await ask("/addresses/sight.json")).status).toBe(400);
});

test("decided claims are listed, the newest decision first, and open ones are not", async () => {
  const about = (byte: string): Assertion => ({
    type: "upgrade_window",
    address: `0x${byte.repeat(20)}`,
    implementation: null,
    fromBlock: 1,
    toBlock: 2,
  });
  await insertClaim(service.db, about("0a"));
  const first = await insertClaim(service.db, about("0b"), { hoursLeft: -1 });
  await markSurvivedClaims(service.context, 10);
  const second = await insertClaim(service.db, about("0c"), { hoursLeft: -1 });
  await markSurvivedClaims(service.context, 10);
  const { claims } = resolvedClaimsSchema.parse(await (await ask("/claims/resolved.json")).json());
  expect(claims.map(({ claimId, status }) => [claimId, status])).toEqual([
    [second, "survived"],
    [first, "survived"],
  ]);
  expect((await search(`0x${"0c".repeat(20)}`)).entries).toEqual([]);
});

test("verdicts of shared answers are counted once each time they are sold; those of private ones never", async () => {
  const address = service.chainOf.contracts.uupsProxy;
  // Whose calls count as simulated is the service's setting.
  const read = async () => {
    const { agents, simulated } = verdictMixSchema.parse(await (await ask("/stats/verdicts.json")).json());
    return {
      allow: agents.allow + simulated.allow,
      review: agents.review + simulated.review,
      block: agents.block + simulated.block,
    };
  };
  const before = await read();
  const answer = await service.buy(service.invokeUrl("contract.guard", { address }));
  await service.buy(service.invokeUrl("contract.guard", { address }), "bob");
  const signer = service.account("bob").address;
  const message = asPost({ signer, personalMessage: "Good morning" });
  await service.buy(service.invokeUrl("message.intent.guard"), "bob", message);
  const after = await read();
  expect(after).toEqual({ ...before, [answer.verdict]: before[answer.verdict] + 2 });
});
