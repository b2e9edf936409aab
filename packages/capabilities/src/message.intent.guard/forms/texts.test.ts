import { describe, expect, test } from "vitest";
import { messageIntentReasons } from "../reasons.js";
import { readPersonalText } from "./texts.js";

const ALICE = "0x00000000000000000000000000000000000a11ce";
const BOB = "0x0000000000000000000000000000000000000b0b";
const HASH = "9f".repeat(32);

function judge(text: string, origin: string | null = null) {
  const codes = readPersonalText(text, ALICE, origin).notes.map(({ code }) => code);
  const verdicts = codes.map((code) => messageIntentReasons[code].verdict);
  const verdict = (["block", "review"] as const).find((one) => verdicts.includes(one)) ?? "allow";
  return { verdict, codes };
}

const signIn = (over: Record<string, string> = {}) => {
  const {
    head = "a.example wants you to sign in with your Ethereum account:",
    statement = "Sign in to the app.",
    uri = "https://a.example/",
    extra = "",
  } = over;
  return `${head}\n${ALICE}\n\n${statement}\n\nURI: ${uri}\nVersion: 1\nChain ID: 8453\nNonce: 12345678ab\nIssued At: 2026-11-01T00:00:00Z${extra}`;
};

describe("a text", () => {
  test.each<[string, string]>([
    ["zero width", "Please log in\u200b to the site"],
    ["a joiner between letters", "Please log\u200din to the site"],
    ["tags", "Please log in to the site \u{e0041}\u{e0042}"],
    ["variation selectors", "Please log in to the site \ufe0f\ufe01"],
    ["a filler", "Please log in\u3164 to the site"],
    ["an empty pattern", "Please log in \u2800\u2800 to the site"],
    ["a zero byte", "Please log in\u0000 to the site"],
    ["an escape", "Please \u001b[8mhide\u001b[0m log in to the site"],
    ["a return over a line", "I am bound\rPlease log in to the site"],
    ["empty lines", `Please log in to the site.${"\n \n".repeat(12)}The rest.`],
    ["blanks", `Please log in to the site.${" ".repeat(250)}The rest.`],
    ["heaped marks", `Please log in to the si${"\u0301".repeat(6)}te`],
    ["letters that turn around", "Please log in \u202eecnalab ruoy"],
  ])("that hides something is a block: %s", (_, text) => {
    expect(judge(text)).toMatchObject({ verdict: "block", codes: expect.arrayContaining(["TEXT_OBSCURED"]) });
  });

  test.each<[string, string, string]>([
    ["a withdrawal", "Log in. Withdraw 1000 USD from my account.", "TEXT_SPEAKS_OF_ASSETS"],
    ["a sale", "Welcome! I agree to sell my item to bob", "TEXT_SPEAKS_OF_ASSETS"],
    ["another e-mail", "Hello, change the email of my account to b@c.example", "TEXT_SPEAKS_OF_ASSETS"],
    ["a device", "Sign in and link a new device with full control", "TEXT_SPEAKS_OF_ASSETS"],
    ["an administrator", "Hello, add 7f3a as admin", "TEXT_SPEAKS_OF_ASSETS"],
    ["a bearer", "Log in: the bearer acts for me.", "TEXT_SPEAKS_OF_ASSETS"],
    ["half a denial", "You will not regret that you transfer all your tokens", "TEXT_SPEAKS_OF_ASSETS"],
    [
      "a denial with an exception",
      "This will not send funds unless I ask, and I authorize it",
      "TEXT_SPEAKS_OF_ASSETS",
    ],
    ["a seed", "Sign in to access your vault seed", "TEXT_MAKES_KEYS"],
    ["keys", "Sign in to generate your trading key", "TEXT_MAKES_KEYS"],
    ["Russian", "Я отдаю все свои деньги предъявителю", "TEXT_LANGUAGE_UNKNOWN"],
    ["Chinese", "我同意将我的全部代币转给持有此签名的人", "TEXT_LANGUAGE_UNKNOWN"],
    ["Spanish", "Cedo todos mis fondos al portador", "TEXT_LANGUAGE_UNKNOWN"],
    [
      "English, then Spanish",
      "Please log in to the site. Cedo todos mis fondos al portador.",
      "TEXT_LANGUAGE_UNKNOWN",
    ],
    ["letters that imitate", "Please log in to the sitе", "TEXT_LANGUAGE_UNKNOWN"],
    ["Base64", "Please log in: dHJhbnNmZXIgZXZlcnl0aGluZyB0byBtYWxsb3J5", "TEXT_HOLDS_DATA"],
    ["another account", `Hello, I am ${BOB}`, "TEXT_NAMES_ANOTHER"],
    ["no purpose", "The eagle has landed in the garden", "TEXT_WITHOUT_PURPOSE"],
    ["more than anybody reads", "hello and welcome to you ".repeat(1000), "MESSAGE_CUT"],
  ])("is a review: %s", (_, text, code) => {
    expect(judge(text)).toMatchObject({ verdict: "review", codes: expect.arrayContaining([code]) });
  });

  test.each<[string, string]>([
    ["a challenge", `Sign in to Blur\n\nChallenge: ${HASH}`],
    ["a family", "Hello 👨‍👩‍👧 please sign this message to log in to our site"],
    ["flags and a heart", "Welcome 🏴󠁧󠁢󠁥󠁮󠁧󠁿 and 🇩🇪! Sign in to continue ❤️"],
    ["an owner", "Please sign to verify that you own this wallet. Nonce: 12345678"],
    [
      "a market",
      `Welcome to OpenSea!\n\nClick to sign in and accept the OpenSea Terms of Service (https://opensea.io/tos) and Privacy Policy (https://opensea.io/privacy).\n\nThis request will not trigger a blockchain transaction or cost any gas fees.\n\nYour authentication status will reset after 24 hours.\n\nWallet address:\n${ALICE}\n\nNonce:\n5f0c6d1e-aaaa-4bbb-8ccc-123456789abc`,
    ],
    [
      "a denial",
      "Sign in to friend.tech. Signing is a safe, gas-less transaction that does not in any way give friend.tech permission to perform any transactions with your wallet.",
    ],
    [
      "a message's number",
      `Sign this message to prove you have access to this wallet and we'll log you in. This won't cost you any Ether.\n\nTo stop hackers using your wallet, here's a unique message ID they can't guess: ${HASH.slice(32)}`,
    ],
    ["terms", "By signing this message, I accept the Terms of Service and Privacy Policy of Example."],
    ["a vote", "I vote for proposal 12: yes"],
  ])("that people sign to log in is an allow: %s", (_, text) => {
    expect(judge(text)).toEqual({ verdict: "allow", codes: ["TEXT_READABLE"] });
  });

  test("a hash without a word about it is a block", () => {
    for (const text of [HASH, ` 0x${HASH}`, `Verify: 0x${HASH}`, `Confirm ${HASH}`, `Login ${HASH}`])
      expect(judge(text).codes).toContain("HASH_HIDES_CONTENT");
  });

  test("that names a site is compared with the one that asks", () => {
    const text = "Sign in at shop.example to see your profile";
    expect(judge(text, "https://shop.example").verdict).toBe("allow");
    expect(judge(text, "https://www.shop.example").verdict).toBe("allow");
    expect(judge(text, "https://evil.example").codes).toContain("TEXT_NAMES_ANOTHER_SITE");
    expect(judge("Welcome to Harbor! Sign in.", "https://evil.example").codes).toContain(
      "TEXT_NAMES_ANOTHER_SITE",
    );
    expect(judge("Welcome to Harbor! Sign in.", "https://harbor.example").verdict).toBe("allow");
  });

  test("of the greatest size is judged without reading it again and again", () => {
    const parts = [
      "a",
      "a-",
      " ",
      "a.",
      "\n ",
      "change ",
      "generate your ",
      "will not send ",
      "wants you to sign in with your ",
    ];
    for (const part of parts) {
      const from = performance.now();
      judge(part.repeat(262_144 / part.length));
      // A third of a second; rules that go back over the text took minutes. The bound leaves room for a busy machine.
      expect(performance.now() - from, part).toBeLessThan(5_000);
    }
  });
});

describe("a sign-in", () => {
  const origin = "https://a.example";
  test("as the standard writes it is an allow", () => {
    expect(judge(signIn(), origin)).toEqual({ verdict: "allow", codes: ["SIGN_IN"] });
    const extra = "\nResources:\n- https://a.example/terms";
    expect(judge(signIn({ extra }), origin).verdict).toBe("allow");
  });

  test.each<[string, string, string]>([
    [
      "a statement that orders",
      signIn({ statement: "I authorize transfer of all my USDC." }),
      "TEXT_SPEAKS_OF_ASSETS",
    ],
    [
      "a statement in another language",
      signIn({ statement: "Cedo todos mis fondos al portador" }),
      "TEXT_LANGUAGE_UNKNOWN",
    ],
    [
      "other letters",
      signIn({ head: "a.example wants you to sign in with your ethereum Account:" }),
      "SIGN_IN_MALFORMED",
    ],
    [
      "two blanks",
      signIn({ head: "a.example wants  you to sign in with your Ethereum account:" }),
      "SIGN_IN_MALFORMED",
    ],
    ["other ends of lines", signIn().replaceAll("\n", "\r\n"), "SIGN_IN_MALFORMED"],
    [
      "a second head",
      `${signIn()}\n\nb.example wants you to sign in with your Ethereum account:\n${ALICE}`,
      "SIGN_IN_MALFORMED",
    ],
    ["a field twice", signIn({ extra: "\nNonce: 87654321" }), "SIGN_IN_MALFORMED"],
    ["lines behind the fields", signIn({ extra: "\nHello to you" }), "SIGN_IN_MALFORMED"],
    ["everything as a resource", signIn({ extra: "\nResources:\n- ceramic://*" }), "SIGN_IN_GRANTS_MORE"],
    ["no protection", signIn({ uri: "http://a.example/" }), "SIGN_IN_UNPROTECTED"],
  ])("is a review with %s", (_, text, code) => {
    expect(judge(text, origin)).toMatchObject({ verdict: "review", codes: expect.arrayContaining([code]) });
  });

  test("nearly as the standard writes it, for another site, is a block", () => {
    const text = signIn({ head: "a.example wants you to Sign In with your Ethereum account:" });
    expect(judge(text, "https://b.example")).toMatchObject({
      verdict: "block",
      codes: expect.arrayContaining(["SIGN_IN_FOR_ANOTHER_SITE"]),
    });
  });

  test("asked for without https is a review", () => {
    expect(judge(signIn(), "http://a.example").codes).toContain("SIGN_IN_UNPROTECTED");
  });

  test("with hidden characters is a block", () => {
    expect(judge(signIn({ statement: "Sign\u200b in." }), origin).codes).toContain("TEXT_OBSCURED");
  });
});
