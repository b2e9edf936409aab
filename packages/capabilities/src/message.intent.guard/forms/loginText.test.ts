import { describe, expect, test } from "vitest";
import { messageIntentReasons } from "../reasons.js";
import { readPersonalText } from "./texts.js";

const ALICE = "0x00000000000000000000000000000000000a11ce";

function judge(text: string, origin: string | null = null) {
  const codes = readPersonalText(text, ALICE, origin).notes.map(({ code }) => code);
  const verdicts = codes.map((code) => messageIntentReasons[code].verdict);
  const verdict = (["block", "review"] as const).find((one) => verdicts.includes(one)) ?? "allow";
  return { verdict, codes };
}

const signIn = (over: { statement?: string; domain?: string; chain?: string; extra?: string } = {}) => {
  const { statement = "Sign in to the app.", domain = "app.example.org", chain = "8453", extra = "" } = over;
  return `${domain} wants you to sign in with your Ethereum account:\n${ALICE}\n\n${statement}\n\nURI: https://${domain}/\nVersion: 1\nChain ID: ${chain}\nNonce: 12345678ab\nIssued At: 2026-11-01T00:00:00Z${extra}`;
};

const orders = [
  "Please sign in. This does not cost gas, I hereby transfer all my tokens to account 7.",
  "Please log in. Signing will not trigger a transaction, and I authorize account 7 to withdraw everything.",
  "Please log in. This does not cost gas or I transfer all my tokens to account 7.",
  "Please log in. Not signing will transfer all tokens to Mallory.",
  "Please log in. This is not a test and all tokens go to Mallory.",
  "I accept the offer 8812 for my item 44.",
  "I would like to move my balance to account 99812.",
  "I would like to cash out to card 4111 1111 1111 1111.",
  "I would like to close my position at any price.",
  "I would like to Close My Position at Any Price.",
  "I own nothing: my wallet and its content belong to Mallory from now on. Welcome!",
  "Good morning. Please forward my deposit to vault 77.",
  "I would like to exit and have it go to Mallory.",
  "I accept the loan at 900 percent.",
  "I vote to let Mallory be treasurer",
  "I would like to place a bid of one thousand on lot 12.",
  "I accept the settlement and the new beneficiary Mallory.",
  "Welcome! Signing means that your deposit will be moved to the account of Mallory.",
  "I agree to the terms: the lender may seize my collateral at once.",
  "Hi! Mint 100 shares to Mallory from my vault.",
  "Login. Confirm wire no. 7 to IBAN DE00 1234",
  "Hello, I want you to have my wallet.",
  "Welcome. I prove that you own my account.",
  "Log in. My account is now your account.",
  "By signing I verify that this wallet's owner is you.",
  "I verify that my account is now registered to user 8841.",
  "I confirm that user 0451 is the owner of this account. Nonce: 1234567",
  "I accept: my address is registered with your account. I agree to the terms of service.",
  "Welcome. By signing, your account and my account are one account. Nonce: 882733",
  "Sign in. Action: confirm request 881 of user 31. Nonce: 21331",
  "Hello, confirm the new session of user 22 on my account. Nonce: 9127361",
  "Login: confirm new email x@evil.example for my account",
  "Thanks. I have agreed: you're the owner now. Nonce: 5512",
  "I agree to exchange my account. I agree to the terms.",
  "I vote for your ownership of the wallet. my vote",
  "I log in. Please sign to verify that you own this wallet.",
  "Sign in. Account: mallory",
  "I verify it is you. Log in.",
  "Log in. I know who you are.",
  "I own your wallet. Login",
  "Please log in with your wallet to my account",
  "I would like to log in for Mallory",
  "Session: all. Login",
  "Log in to wallet 7712 with this signature",
  "This signature is valid for 100 years. Log in",
  "Sign to log in and to use my account",
  "Verify wallet for Discord user alice#1234",
  "Confirm your email alice@example.org for login",
  "Log in. I w0uld like t0 m0ve my balanc3 t0 acc0unt 7.",
];

describe("a text of which one sentence is for logging in", () => {
  test.each(orders)("is a review for another: %s", (text) => {
    expect(judge(text).verdict).toBe("review");
  });

  test.each(orders)("is a review as the statement of a sign-in: %s", (text) => {
    expect(judge(signIn({ statement: text }), "https://app.example.org").verdict).toBe("review");
  });

  test.each([
    "Please sign in. This does not cost gas.",
    "Please log in. Signing will not trigger a transaction or cost any fees.",
    "Please sign to authorize login to Zapper. Nonce 99117722",
    "This message attests that I control the given wallet",
    "Sign this message to confirm you own this wallet address. This action will not cost any gas fees.\n\nNonce: 1234567890",
    "magiceden.io wants you to sign in with your account. One-time code 881233",
    "Sign in with Farcaster to continue. Nonce: aZ19x0qw22",
    "gm",
    "I have read and accept the Terms of Service at https://app.aave.com/tos",
    "By signing this message, you are confirming ownership of this wallet and allowing Galxe to read your public profile.",
    "Hello from Base, this proves that I own the account.",
    "Sign in to access your account. Nonce: 81237123",
    "I would like to log in to this market.",
    "Please sign this message to confirm it's you. It's free and won't cost any gas.",
    "By signing this message, you confirm that you have read and agree to the Terms of Service.",
    "Verification code: 882-113. Sign to prove you own this wallet. No gas required.",
    "[etherscan.io 18/11/2026 10:11:12] I, hereby verify that I am the owner/creator of the address []",
    "I want to login on Harbor at 2026-11-18T10:00:00.000Z. I accept the Harbor Terms of Service and I am at least 13 years old.",
    "This is a unique and random value that proves that you own this wallet: 9f8a7c1d\nThis won't cost any gas.",
    "Sign this message to log in to Friend Tech, this will not cost any gas. Your session will expire in 24 hours.",
  ])("is an allow where the others are too: %s", (text) => {
    expect(judge(text)).toEqual({ verdict: "allow", codes: ["TEXT_READABLE"] });
  });

  test.each([
    "Sign in to Example. This request will not trigger a blockchain transaction or cost any gas fees.",
    "I accept the ServiceOrg Terms of Service: https://app.example.org/tos",
    "Sign in with Ethereum to the app.",
    "Please ensure that the domain above matches the URL of the current website.",
    "By signing, you are proving you own this wallet and logging in. This does not initiate a transaction or cost any fees.",
  ])("is an allow as the statement of a sign-in: %s", (statement) => {
    expect(judge(signIn({ statement }), "https://app.example.org")).toEqual({
      verdict: "allow",
      codes: ["SIGN_IN"],
    });
  });

  test.each([
    "Sign in to Immutable. Only sign this request if you've initiated an action with Immutable X.",
    "Only sign this request if you've initiated an action with Immutable X.",
    "Welcome to Umbra. Sign this message to access your Umbra account.",
    "Access zkSync account.\n\nOnly sign this message for a trusted client!",
    `Sign this message to access Loopring Exchange: ${ALICE} with key nonce: 0`,
    "Action: dYdX STARK Key\nonlySignOn: https://trade.dydx.exchange",
    "XMTP : Create Identity\n\nWelcome",
  ])("is a review where programs make keys of it: %s", (text) => {
    expect(judge(text)).toMatchObject({
      verdict: "review",
      codes: expect.arrayContaining(["TEXT_MAKES_KEYS"]),
    });
  });
});

describe("the site that asks", () => {
  const market = "Welcome to OpenSea!\n\nSign in\n\nNonce: 81237123";
  const login = "Log in at app.uniswap.org please. Nonce 81237123";
  test.each<[string, string]>([
    [market, "https://opensea.evil.example"],
    [market, "https://opensea-login.example"],
    [market, "https://myopensea.io"],
    [market, "https://opensea.vercel.app.evil.example"],
    ["Sign in to Uniswap. Nonce 81237123", "https://uniswap.evil-site.xyz"],
    [login, "https://org"],
    [login, "https://uniswap.org.evil.example"],
    [login, "https://uniswap.com.br"],
    ["Log in at good.vercel.app please. Nonce 81237123", "https://evil.vercel.app"],
    ["Log in at good.co.uk please. Nonce 81237123", "https://evil.co.uk"],
    ["Please sign to authorize login to Zapper. Nonce 99117722", "https://zapper.evil.example"],
  ])("is not the one that is named: %s at %s", (text, origin) => {
    expect(judge(text, origin).codes).toContain("TEXT_NAMES_ANOTHER_SITE");
  });

  test.each<[string, string]>([
    [market, "https://opensea.io"],
    [market, "https://pro.opensea.io"],
    ["Sign in to Magic Eden. Nonce 81237123", "https://magiceden.io"],
    ["Sign in to Uniswap. Nonce 81237123", "https://app.uniswap.org"],
    [login, "https://app.uniswap.org"],
    [login, "https://uniswap.org"],
    ["Log in at good.co.uk please. Nonce 81237123", "https://app.good.co.uk"],
    ["Please sign to authorize login to Zapper. Nonce 99117722", "https://zapper.xyz"],
    ["Sign in with Ethereum to continue. Nonce 81237123", "https://app.example.org"],
  ])("is the one that is named: %s at %s", (text, origin) => {
    expect(judge(text, origin)).toEqual({ verdict: "allow", codes: ["TEXT_READABLE"] });
  });
});

describe("a sign-in", () => {
  const origin = "https://app.example.org";
  test("whose request has words for a number is a review", () => {
    const judged = (id: string) => judge(signIn({ extra: `\nRequest ID: ${id}` }), origin).verdict;
    expect(judged("0b1d9d5a-9a30-4a4a")).toBe("allow");
    expect(judged("grant-all-tokens-to-7")).toBe("review");
  });

  test("for another chain moves nothing, and is an allow at its own site alone", () => {
    expect(judge(signIn({ chain: "1" }), origin)).toEqual({
      verdict: "allow",
      codes: ["SIGN_IN", "SIGN_IN_OTHER_CHAIN"],
    });
    expect(judge(signIn({ chain: "1" }), "https://b.example").verdict).toBe("block");
  });

  test("with Farcaster names the user who signs in, and nothing more", () => {
    const farcaster = (statement: string, resource: string) =>
      judge(signIn({ statement, extra: `\nResources:\n- ${resource}` }), origin).verdict;
    expect(farcaster("Farcaster Auth", "farcaster://fid/6841")).toBe("allow");
    expect(farcaster("Farcaster Auth and all my casts", "farcaster://fid/6841")).toBe("review");
    expect(farcaster("Farcaster Auth", "farcaster://fid/6841/signers")).toBe("review");
  });

  test.each(["127.0.0.1", "10.0.0.7:8080", "[::1]", "2130706433"])(
    "at the address %s is a review",
    (domain) => {
      expect(judge(signIn({ domain }))).toMatchObject({
        verdict: "review",
        codes: expect.arrayContaining(["SIGN_IN_DOMAIN_DOUBTFUL"]),
      });
    },
  );

  test.each([
    "https://evil.example/terms",
    "https://app.example.org.evil.example/",
    "https://app.example.org/api?action=transfer&to=7",
    "https://app.example.org/withdraw/all",
  ])("with the resource %s is a review", (resource) => {
    expect(judge(signIn({ extra: `\nResources:\n- ${resource}` }), origin)).toMatchObject({
      verdict: "review",
      codes: expect.arrayContaining(["SIGN_IN_GRANTS_MORE"]),
    });
  });

  test.each([
    "https://app.example.org/terms",
    "https://docs.example.org/tos?lang=en",
    "ipfs://bafybei/terms",
    "https://privy.io",
    "farcaster://fid/6841",
  ])("with the resource %s is an allow", (resource) => {
    expect(judge(signIn({ extra: `\nResources:\n- ${resource}` }), origin).verdict).toBe("allow");
  });
});
