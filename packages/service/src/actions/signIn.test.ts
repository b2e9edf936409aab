import { problemSchema, signInOfferSchema, walletSessionSchema } from "@assay/protocol";
import type { PrivateKeyAccount } from "viem/accounts";
import { createSiweMessage, parseSiweMessage, type SiweMessage } from "viem/siwe";
import { expect, test } from "vitest";
import { asPost } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { offerSignIn, verifySession } from "./signIn.js";

const service = useTestService();

const askMessage = async (account: PrivateKeyAccount): Promise<string> =>
  signInOfferSchema.parse(
    await (await fetch(`${service.url}/api/v1/sign-in?wallet=${account.address}`)).json(),
  ).message;

/** The message as the service offers it, with other fields where a test wants them. */
const write = async (account: PrivateKeyAccount, other: Partial<SiweMessage>): Promise<string> =>
  createSiweMessage({ ...(parseSiweMessage(await askMessage(account)) as SiweMessage), ...other });

const enter = (message: string, signature: string) =>
  fetch(`${service.url}/api/v1/sign-in`, asPost({ message, signature }));

async function codeOf(response: Response): Promise<string> {
  const { status, code, detail } = problemSchema.parse(await response.json());
  expect(status, detail).toBe(401);
  return `${code}: ${detail}`;
}

const readRecord = (wallet: string, token?: string) =>
  fetch(
    `${service.url}/api/v1/wallets/${wallet}`,
    token ? { headers: { authorization: `Bearer ${token}` } } : {},
  );

async function signInAs(name: string) {
  const account = service.account(name);
  const message = await askMessage(account);
  const signature = await account.signMessage({ message });
  const response = await enter(message, signature);
  expect(response.status).toBe(200);
  return { account, message, signature, session: walletSessionSchema.parse(await response.json()) };
}

test("the owner's signature opens the owner's record, once, and no cache keeps it", async () => {
  const { account, message, signature, session } = await signInAs("alice");
  const answer = await readRecord(account.address, session.token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toMatchObject({ wallet: account.address.toLowerCase(), calls: 0 });
  // A replay of what somebody overheard.
  expect(await codeOf(await enter(message, signature))).toMatch(/^sign_in_refused: .*nonce was used/);
});

test("nobody reads another wallet's record, and nobody reads one without a session of this service", async () => {
  const { session } = await signInAs("bob");
  const { address } = service.account("carol");
  expect(await codeOf(await readRecord(address, session.token))).toMatch(
    /^sign_in_refused: .*another wallet's/,
  );
  expect(await codeOf(await readRecord(address))).toMatch(/^sign_in_refused/);
  const [, expires, tag] = session.token.split(".");
  const forged = `${address.slice(2).toLowerCase()}.${expires}.${tag}`;
  expect(await codeOf(await readRecord(address, forged))).toMatch(/^sign_in_refused: .*did not give out/);
  // The same deployment under another name is another service.
  const elsewhere = { ...service.context.settings, publicUrl: "https://other.example" };
  const wallet = session.wallet;
  expect(() => verifySession(elsewhere, wallet, `Bearer ${session.token}`)).toThrow("did not give out");
  expect(() => verifySession(service.context.settings, wallet, `Bearer ${session.token}`)).not.toThrow();
  const later = Date.parse(session.expiresAt);
  expect(() => verifySession(service.context.settings, wallet, `Bearer ${session.token}`, later)).toThrow(
    "has ended",
  );
});

test.each([
  [
    "for another domain",
    { domain: "phish.example.com" },
    "it is for http://phish.example.com, and this is http://127",
  ],
  ["for another address of this host", { uri: "http://127.0.0.1:1" }, "it is for http://127.0.0.1:1, and"],
  ["for another chain", { chainId: 1 }, "its chain is 1"],
  ["with another sentence", { statement: "Sign in." }, "its statement"],
  ["that permits more", { resources: ["https://example.com/all"] }, "its statement"],
  ["with a nonce of its author's own", { nonce: "a".repeat(108) }, "did not give out its nonce"],
  ["that says it was made at another time", { issuedAt: new Date(Date.now() + 86_400_000) }, "another time"],
  ["that has expired", { expirationTime: new Date(0) }, "its time is over"],
])("a message %s signs nobody in", async (_, other, words) => {
  const account = service.account("dave");
  const message = await write(account, other);
  const refusal = await codeOf(await enter(message, await account.signMessage({ message })));
  expect(refusal).toContain(words);
});

test("a nonce ends after five minutes, and a message hides nothing between its lines", async () => {
  const account = service.account("dave");
  const { address } = account;
  const { message } = offerSignIn(service.context.settings, address, Date.now() - 300_001);
  const fields = parseSiweMessage(message) as SiweMessage;
  const old = createSiweMessage({ ...fields, expirationTime: undefined });
  expect(await codeOf(await enter(old, await account.signMessage({ message: old })))).toContain("5 minutes");
  const padded = `${await askMessage(account)}\nAlso send everything.`;
  expect(await codeOf(await enter(padded, await account.signMessage({ message: padded })))).toContain(
    "EIP-4361",
  );
});

test("another wallet's signature signs nobody in, and spends no nonce", async () => {
  const owner = service.account("erin");
  const message = await askMessage(owner);
  const foreign = await service.account("frank").signMessage({ message });
  expect(await codeOf(await enter(message, foreign))).toMatch(/^sign_in_refused: .*not 0x/);
  expect((await enter(message, await owner.signMessage({ message }))).status).toBe(200);
});
