import {
  ACTION_WINDOW_MS,
  actionHeaders,
  agentActionDomain,
  agentActionTypes,
  type Hex,
  problemSchema,
} from "@assay/protocol";
import {
  compactSignatureToHex,
  keccak256,
  parseSignature,
  signatureToCompactSignature,
  stringToHex,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { accountOf } from "../../test/payer.js";
import { newNonce, post, signAction } from "../../test/signAction.js";
import { useTestService } from "../../test/useTestService.js";
import { deleteOldNonces } from "./signedAction.js";

const service = useTestService({ RATE_LIMITS: "off" });
let alice: PrivateKeyAccount;
beforeAll(() => {
  alice = accountOf(service, "alice");
});

const ACTION = "demand_pledge";
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
type Headers = Record<string, string>;

let count = 0;
/** Pledges for a name of its own, so that only the signature decides. */
const newCapability = () => `test.capability.${++count}`;

async function pledge(headers: Headers, capability: string, wallet: string) {
  const response = await post(service.url, "/api/v1/demand-pledges", headers, { wallet, capability });
  const body = await response.json();
  if (response.status < 300)
    return { status: response.status, code: "", detail: "", headers: response.headers };
  return { ...problemSchema.parse(body), headers: response.headers };
}

/** One whole, valid set of headers, changed before it is sent. */
async function pledgeWith(change: (headers: Headers) => Headers, account = alice) {
  const capability = newCapability();
  const headers = await signAction(service.url, account, { action: ACTION, resource: capability });
  return pledge(change(headers), capability, account.address);
}

const withSignature = (change: (signature: Hex) => string) => (headers: Headers) => ({
  ...headers,
  [actionHeaders.signature]: change(headers[actionHeaders.signature] as Hex),
});

/** The same signature with s mirrored and v flipped: it recovers to the same key. */
function mirror(signature: Hex): Hex {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith("1b") ? "1c" : "1b";
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}${v}` as Hex;
}

type TypedData = Parameters<PrivateKeyAccount["signTypedData"]>[0];

/** Signs something else than what the route asks for; everything about the request itself is right. */
async function pledgeSigning(
  change: (data: {
    domain: ReturnType<typeof agentActionDomain>;
    types: typeof agentActionTypes;
    message: { action: string; resource: string; timestamp: bigint; nonce: string };
  }) => object,
) {
  const capability = newCapability();
  const timestamp = Date.now();
  const nonce = newNonce();
  const data = change({
    domain: agentActionDomain(service.url),
    types: agentActionTypes,
    message: { action: ACTION, resource: capability, timestamp: BigInt(timestamp), nonce },
  });
  const signature = await alice.signTypedData({ primaryType: "AgentAction", ...data } as TypedData);
  const headers = {
    [actionHeaders.wallet]: alice.address,
    [actionHeaders.signature]: signature,
    [actionHeaders.timestamp]: String(timestamp),
    [actionHeaders.nonce]: nonce,
  };
  return pledge(headers, capability, alice.address);
}

describe("accepted", () => {
  test("a signature by viem, whatever the casing of the wallet", async () => {
    expect((await pledgeWith((headers) => headers)).status).toBe(201);
    const lower = (headers: Headers) => ({
      ...headers,
      [actionHeaders.wallet]: alice.address.toLowerCase(),
    });
    expect((await pledgeWith(lower)).status).toBe(201);
  });

  test("control: the signer of these tests signs what the route asks for", async () => {
    expect((await pledgeSigning((data) => data)).status).toBe(201);
  });

  test("an answer that nobody else may keep", async () => {
    expect((await pledgeWith((headers) => headers)).headers.get("cache-control")).toBe("no-store");
  });
});

describe("spellings of a true signature", () => {
  test.each<[string, (signature: Hex) => string]>([
    ["high s", mirror],
    ["v of 0 or 1", (s) => s.slice(0, -2) + (s.endsWith("1b") ? "00" : "01")],
    ["v of 29", (s) => `${s.slice(0, -2)}1d`],
    ["the other v", (s) => s.slice(0, -2) + (s.endsWith("1b") ? "1c" : "1b")],
    ["upper case", (s) => `0x${s.slice(2).toUpperCase()}`],
    ["an upper case prefix", (s) => `0X${s.slice(2)}`],
    ["no prefix", (s) => s.slice(2)],
    ["trailing bytes", (s) => `${s}00`],
    ["half a trailing byte", (s) => `${s}0`],
    ["a missing byte", (s) => s.slice(0, -2)],
    ["a leading byte", (s) => `0x00${s.slice(2)}`],
    ["EIP-2098 compact", (s) => compactSignatureToHex(signatureToCompactSignature(parseSignature(s)))],
    ["two signatures", (s) => `${s}, ${s}`],
    ["nothing but the prefix", () => "0x"],
    ["zeros", () => `0x${"0".repeat(128)}1b`],
    ["no hex at all", () => "signed, alice"],
  ])("%s is refused", async (_name, change) => {
    const refused = await pledgeWith(withSignature(change));
    expect([refused.status, refused.code]).toEqual([401, "action_signature_invalid"]);
    expect(refused.detail).toMatch(/server time is \d{13}/);
  });
});

describe("signatures over something else", () => {
  test.each<[string, Parameters<typeof pledgeSigning>[0]]>([
    [
      "the salt of another server",
      (data) => ({ ...data, domain: agentActionDomain("https://elsewhere.example") }),
    ],
    [
      "the salt of the origin with a slash",
      (data) => ({ ...data, domain: { ...data.domain, salt: keccak256(stringToHex(`${service.url}/`)) } }),
    ],
    ["no salt", ({ domain: { salt: _, ...domain }, ...data }) => ({ ...data, domain })],
    ["another chain", (data) => ({ ...data, domain: { ...data.domain, chainId: 1 } })],
    ["another name", (data) => ({ ...data, domain: { ...data.domain, name: "Agent API" } })],
    ["another version", (data) => ({ ...data, domain: { ...data.domain, version: "2" } })],
    [
      "fields in another order",
      (data) => ({ ...data, types: { AgentAction: [...agentActionTypes.AgentAction].reverse() } }),
    ],
    [
      "action and resource swapped",
      (data) => ({
        ...data,
        message: { ...data.message, action: data.message.resource, resource: data.message.action },
      }),
    ],
    ["another action", (data) => ({ ...data, message: { ...data.message, action: "artifact_publish" } })],
    ["another resource", (data) => ({ ...data, message: { ...data.message, resource: "chain.snapshot" } })],
    [
      "another time",
      (data) => ({ ...data, message: { ...data.message, timestamp: data.message.timestamp + 1n } }),
    ],
    ["another nonce", (data) => ({ ...data, message: { ...data.message, nonce: newNonce() } })],
  ])("%s is refused", async (_name, change) => {
    const refused = await pledgeSigning(change);
    expect([refused.status, refused.code]).toEqual([401, "action_signature_invalid"]);
    expect(refused.detail).toContain(service.url);
  });

  test("another wallet's signature is refused", async () => {
    const capability = newCapability();
    const headers = await signAction(service.url, accountOf(service, "bob"), {
      action: ACTION,
      resource: capability,
    });
    const claimed = { ...headers, [actionHeaders.wallet]: alice.address };
    expect(await pledge(claimed, capability, alice.address)).toMatchObject({
      status: 401,
      code: "action_signature_invalid",
    });
    expect(await pledge(headers, capability, alice.address)).toMatchObject({
      status: 401,
      code: "action_wallet_mismatch",
    });
  });

  test("an outcome's signature does not pledge", async () => {
    const capability = newCapability();
    const headers = await signAction(service.url, alice, {
      action: "capability_outcome",
      resource: capability,
    });
    expect(await pledge(headers, capability, alice.address)).toMatchObject({
      status: 401,
      code: "action_signature_invalid",
    });
  });
});

describe("headers", () => {
  test.each(Object.values(actionHeaders))("without %s the answer names what is missing", async (name) => {
    const refused = await pledgeWith(({ [name]: _, ...headers }) => headers);
    expect([refused.status, refused.code]).toEqual([401, "action_unsigned"]);
    expect(refused.detail).toContain(name);
  });

  const signedAt = async (distanceMs: number) => {
    const capability = newCapability();
    const timestamp = Date.now() + distanceMs;
    const headers = await signAction(service.url, alice, {
      action: ACTION,
      resource: capability,
      timestamp,
    });
    return pledge(headers, capability, alice.address);
  };

  test.each([
    ["almost five minutes old", 2_000 - ACTION_WINDOW_MS, 201, ""],
    ["over five minutes old", -ACTION_WINDOW_MS - 1, 401, "action_out_of_time"],
    ["almost five minutes ahead", ACTION_WINDOW_MS - 1, 201, ""],
    ["over five minutes ahead", ACTION_WINDOW_MS + 2_000, 401, "action_out_of_time"],
    ["in seconds", Math.floor(Date.now() / 1000) - Date.now(), 401, "action_out_of_time"],
  ])("a signature %s", async (_name, distanceMs, status, code) => {
    const answer = await signedAt(distanceMs);
    expect([answer.status, answer.code]).toEqual([status, code]);
    if (status === 401) expect(answer.detail).toMatch(/server time is \d{13}/);
  });

  test.each<[string, string]>([
    ["too short", "seven77"],
    ["too long", "n".repeat(129)],
    ["a space", "nonce nonce"],
    ["a dot", "nonce.nonce"],
    ["beyond ASCII", "noncé-nonce"],
  ])("a nonce with %s names its rule", async (_name, nonce) => {
    const refused = await pledgeWith((headers) => ({ ...headers, [actionHeaders.nonce]: nonce }));
    expect(refused).toMatchObject({
      status: 400,
      code: "invalid_input",
      errors: [{ field: "x-agent-nonce", rule: "must be 8 to 128 letters, digits, _ or -" }],
    });
  });

  test.each(["n".repeat(8), "N_-9".repeat(32)])(
    "a nonce of the longest and shortest form is taken",
    async (nonce) => {
      const capability = newCapability();
      const headers = await signAction(service.url, alice, { action: ACTION, resource: capability, nonce });
      expect((await pledge(headers, capability, alice.address)).status).toBe(201);
    },
  );

  test.each([
    [actionHeaders.timestamp, "yesterday"],
    [actionHeaders.timestamp, "-1"],
    [actionHeaders.timestamp, `0${Date.now()}`],
    [actionHeaders.timestamp, "1e12"],
    [actionHeaders.timestamp, "9".repeat(80)],
    [actionHeaders.wallet, "alice.eth"],
  ])("%s of %s is no value", async (name, value) => {
    const refused = await pledgeWith((headers) => ({ ...headers, [name]: value }));
    expect(refused).toMatchObject({ status: 400, code: "invalid_input", errors: [{ field: name }] });
  });
});

describe("nonces", () => {
  test("one nonce serves one action of one wallet once, and says so", async () => {
    const nonce = newNonce();
    const again = newCapability();
    const sign = (account: PrivateKeyAccount, resource: string) =>
      signAction(service.url, account, { action: ACTION, resource, nonce });
    const first = await sign(alice, again);
    expect((await pledge(first, again, alice.address)).status).toBe(201);
    // The very same request, and a new signature over the same nonce.
    for (const headers of [first, await sign(alice, again)]) {
      const refused = await pledge(headers, again, alice.address);
      expect([refused.status, refused.code]).toEqual([401, "action_nonce_used"]);
      expect(refused.detail).toMatch(/server time is \d{13}/);
    }
    const bob = accountOf(service, "bob");
    expect((await pledge(await sign(bob, again), again, bob.address)).status).toBe(201);
  });

  test("a refused action spends no nonce", async () => {
    const nonce = newNonce();
    const invocationId = "inv_unknown";
    const headers = await signAction(service.url, alice, {
      action: "capability_outcome",
      resource: invocationId,
      nonce,
    });
    const body = { invocationId, wallet: alice.address, outcome: "success" };
    for (const _ of [1, 2])
      expect((await post(service.url, "/api/v1/outcomes", headers, body)).status).toBe(404);
  });

  test("after ten minutes a nonce is free for a new signature, never for the old one", async () => {
    const nonce = newNonce();
    const capability = newCapability();
    const sign = () => signAction(service.url, alice, { action: ACTION, resource: capability, nonce });
    const first = await sign();
    expect((await pledge(first, capability, alice.address)).status).toBe(201);
    const age = (minutes: number) =>
      service.db.query({
        text: "UPDATE action_nonces SET used_at = now() - $2 * interval '1 minute' WHERE nonce = $1",
        values: [nonce, minutes],
      });
    await age(9.9);
    expect(await pledge(await sign(), capability, alice.address)).toMatchObject({
      code: "action_nonce_used",
    });
    await age(10.1);
    expect(await pledge(first, capability, alice.address)).toMatchObject({ code: "action_nonce_used" });
    expect((await pledge(await sign(), capability, alice.address)).status).toBe(200);
  });

  test("the job forgets nonces that bar nothing any more, and only those", async () => {
    const listNonces = () =>
      service.db.query({ text: "SELECT nonce FROM action_nonces WHERE wallet = 'old'" });
    await service.db.query({
      text: `INSERT INTO action_nonces (wallet, action, nonce, signed_at_ms, used_at) VALUES
               ('old', 'a', 'kept', 0, now() - interval '19 minutes'), ('old', 'a', 'gone', 0, now() - interval '21 minutes')`,
    });
    await deleteOldNonces(service.db);
    expect(await listNonces()).toEqual([{ nonce: "kept" }]);
  });
});

describe("accounts with code", () => {
  const sendAs = async (wallet: Hex, account: PrivateKeyAccount, change = (headers: Headers) => headers) => {
    const capability = newCapability();
    const headers = await signAction(service.url, account, { action: ACTION, resource: capability });
    return pledge(change({ ...headers, [actionHeaders.wallet]: wallet }), capability, wallet);
  };
  const setCode = async (code: Hex) => {
    const { address } = privateKeyToAccount(generatePrivateKey());
    await service.chainOf.request("hardhat_setCode", [address, code]);
    await mineSeen();
    return address;
  };
  /** The service pins to the head it has seen. */
  const mineSeen = async () => {
    await service.chainOf.mine();
    await service.context.chain.latestBlock();
  };

  test("a contract wallet's owner signs for it (ERC-1271); nobody else does", async () => {
    const wallet = service.chainOf.contracts.wallet1271;
    expect((await sendAs(wallet, alice)).status).toBe(201);
    expect(await sendAs(wallet, accountOf(service, "bob"))).toMatchObject({
      status: 401,
      code: "action_signature_invalid",
    });
    expect(
      await sendAs(
        wallet,
        alice,
        withSignature((s) => `${s}00`),
      ),
    ).toMatchObject({
      code: "action_signature_invalid",
    });
  });

  test.each<[string, Hex]>([
    // JUMPDEST, PUSH1 0, JUMP: until the gas ends.
    ["burns all gas", "0x5b600056"],
    ["reverts", "0x60006000fd"],
    ["stops without an answer", "0x00"],
    ["answers the magic value in four bytes", "0x631626ba7e60e01b60005260046000f3"],
    ["answers the magic value at the wrong end", "0x631626ba7e60005260206000f3"],
    ["answers the magic value and something behind it", "0x631626ba7e60e01b60011760005260206000f3"],
    ["answers true", "0x600160005260206000f3"],
    ["answers two words", "0x631626ba7e60e01b60005260406000f3"],
  ])("a wallet that %s signs nothing", async (_name, code) => {
    expect(await sendAs(await setCode(code), alice)).toMatchObject({
      status: 401,
      code: "action_signature_invalid",
    });
  });

  test("control: a wallet that answers the magic value in one word says yes", async () => {
    expect((await sendAs(await setCode("0x631626ba7e60e01b60005260206000f3"), alice)).status).toBe(201);
  });

  test("a delegated account (EIP-7702) still signs with its own key", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const delegate = service.chainOf.contracts.boxV1.slice(2).toLowerCase();
    await service.chainOf.request("hardhat_setCode", [account.address, `0xef0100${delegate}`]);
    await mineSeen();
    expect((await sendAs(account.address, account)).status).toBe(201);
    expect(await sendAs(account.address, alice)).toMatchObject({ code: "action_signature_invalid" });
  });

  test("a delegated account whose delegate judges signatures may let that sign", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const delegate = service.chainOf.contracts.wallet1271.slice(2).toLowerCase();
    await service.chainOf.request("hardhat_setCode", [account.address, `0xef0100${delegate}`]);
    await mineSeen();
    expect((await sendAs(account.address, alice)).status).toBe(201);
    expect(await sendAs(account.address, accountOf(service, "bob"))).toMatchObject({
      code: "action_signature_invalid",
    });
  });
});
