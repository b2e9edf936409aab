import { type Bounties, bountiesSchema, publisherSchema } from "@assay/protocol";
import { keccak256 } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { fetchChallenge } from "../payer.js";
import { post, signAction } from "../signAction.js";
import { useTestService } from "../useTestService.js";

// Somebody watches the list of bounties for what others are about to do, floods it, or claims to be who it is not.
const service = useTestService({ TRUSTED_PROXIES: "127.0.0.1" });

const newAccount = () => privateKeyToAccount(generatePrivateKey());
const newAddress = () => newAccount().address.toLowerCase();
const probe = (address: string, caller: string) =>
  fetchChallenge(service.invokeUrl("contract.guard", { address }), {
    headers: { "x-forwarded-for": caller },
  });

async function fetchBounties(headers: Record<string, string> = {}): Promise<Bounties> {
  await service.context.demand.flush();
  const response = await fetch(`${service.url}/api/v1/bounties?limit=100`, { headers });
  expect(response.status).toBe(200);
  return bountiesSchema.parse(await response.json());
}
const shows = ({ bounties }: Bounties, address: string) =>
  bounties.some(({ input }) => input.address === address);
/** As if everything counted so far had been counted that long ago. */
async function letPass(seconds: number): Promise<void> {
  await service.context.demand.flush();
  await service.db.query({
    text: `UPDATE demand SET last_miss_at = last_miss_at - $1 * interval '1 second',
             listed_at = listed_at - $1 * interval '1 second'`,
    values: [seconds],
  });
}

async function publish(account: PrivateKeyAccount, address: string) {
  const { header } = service.context.chain.getFreshHead();
  const [code] = await service.context.chain.readAt(header, [
    { kind: "code", address: address as `0x${string}` },
  ]);
  const bytecode = code?.status === "value" ? code.value : undefined;
  const headers = await signAction(service.url, account, { action: "artifact_publish", resource: address });
  return post(service.url, "/api/v1/artifacts/publish", headers, {
    capabilityId: "contract.guard",
    wallet: account.address,
    address,
    bytecodeHash: bytecode ? keccak256(bytecode) : null,
    bytecodeBytes: bytecode ? (bytecode.length - 2) / 2 : 0,
    computedAtBlock: header.number,
  });
}
const passportOf = (account: PrivateKeyAccount) =>
  signAction(service.url, account, { action: "bounty_list", resource: account.address.toLowerCase() });
async function isAttested({ address }: PrivateKeyAccount): Promise<boolean> {
  const response = await fetch(`${service.url}/api/v1/publishers/${address}`);
  return publisherSchema.parse(await response.json()).attested;
}

test("what one caller asks a price for is not listed while it may still act on it, however it asks", async () => {
  const [alone, shared] = [newAddress(), newAddress()];
  const own = { headers: { "x-forwarded-for": "203.0.113.1" } };
  await probe(alone, "203.0.113.1");
  // The same caller with two wallets is one caller.
  for (const wallet of [newAddress(), newAddress()])
    await fetch(service.quoteUrl("contract.guard", wallet, { address: alone }), own);
  for (const caller of ["203.0.113.1", "203.0.113.2"]) await probe(shared, caller);
  await letPass(3600);
  const early = await fetchBounties();
  expect(shows(early, alone)).toBe(false);
  // Control: a question of two callers is listed.
  expect(shows(early, shared)).toBe(true);
  await letPass(3700);
  expect(shows(await fetchBounties(), alone)).toBe(true);
});

test("a flood of price probes from one address, or from two, leaves the list to others", async () => {
  const wanted = newAddress();
  for (const caller of ["203.0.113.31", "203.0.113.32", "203.0.113.33"]) await probe(wanted, caller);
  for (let index = 0; index < 120; index += 1) {
    const made = newAddress();
    await probe(made, "203.0.113.21");
    await probe(made, "203.0.113.22");
  }
  await letPass(8000);
  const { bounties } = await fetchBounties();
  expect(bounties.length).toBeLessThan(30);
  expect(bounties[0]?.input.address).toBe(wanted);
});

test("no publication about an empty address attests its wallet", async () => {
  const [idle, worker] = [newAccount(), newAccount()];
  expect((await publish(idle, newAddress())).status).toBe(201);
  expect(await isAttested(idle)).toBe(false);
  // Control: work about code does.
  expect((await publish(worker, service.chainOf.contracts.taxedToken)).status).toBe(201);
  expect(await isAttested(worker)).toBe(true);
});

test("who only names an attested wallet has no head start", async () => {
  const worker = newAccount();
  expect((await publish(worker, service.chainOf.contracts.plainToken)).status).toBe(201);
  const address = newAddress();
  for (const caller of ["203.0.113.41", "203.0.113.42"]) await probe(address, caller);
  const named = await fetchBounties({ "x-agent-wallet": worker.address });
  expect([shows(named, address), named.passport?.attestedPublisher]).toEqual([false, false]);
  // Neither does a signature of another wallet, or one over another action.
  const [foreign, other] = await Promise.all([
    passportOf(newAccount()),
    signAction(service.url, worker, { action: "demand_pledge", resource: worker.address.toLowerCase() }),
  ]);
  for (const headers of [{ ...foreign, "x-agent-wallet": worker.address }, other]) {
    const refused = await fetch(`${service.url}/api/v1/bounties`, { headers });
    expect([refused.status, await refused.json()]).toMatchObject([401, { code: "action_signature_invalid" }]);
  }
  // Control: the wallet itself sees it at once.
  const proven = await fetchBounties(await passportOf(worker));
  expect([shows(proven, address), proven.passport?.attestedPublisher]).toEqual([true, true]);
});
