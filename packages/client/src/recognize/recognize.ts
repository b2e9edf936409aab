import type { Hex } from "@assay/protocol";
import { askMessage } from "./askMessageGuard.js";
import { nothing, type PasteContext, type Recognized, unknown } from "./recognized.js";
import { recognizeAddress, recognizeHex } from "./recognizeHex.js";
import { recognizeJson } from "./recognizeJson.js";

/** As much as the service takes of a message or of calldata, and the JSON around it. */
const MAX_CHARACTERS = 300_000;
const NAMES_OF_BASE = new Set(["eip155:8453", "base", "8453"]);

/**
 * Says what a pasted text is and which capability takes it. Pure: asks nobody, and never guesses where a text can mean two
 * things. What is refused has a `problem`, which a caller shows instead of asking.
 */
export function recognize(pasted: string, context: PasteContext = {}): Recognized {
  return read(pasted, context, 0);
}

function read(pasted: string, context: PasteContext, depth: number): Recognized {
  const text = pasted.trim();
  if (text === "") return unknown("There is nothing to check.");
  if (text.length > MAX_CHARACTERS) return unknown(`It is over ${MAX_CHARACTERS} characters.`);
  if (depth > 3) return unknown("It is a text inside a text inside a text.");
  const again = (inner: string) => read(inner, context, depth + 1);
  if (/^0x[0-9a-fA-F]*$/i.test(text)) return recognizeHex(`0x${text.slice(2)}` as Hex, context);
  if (/^[[{"]/.test(text)) return recognizeJson(text, context, again);
  if (/^sha256:[0-9a-f]{64}$/i.test(text))
    return {
      kind: "artifactId",
      title: "the id of an earlier answer",
      questions: [
        { capabilityId: "evidence.artifact", input: { artifactId: text.toLowerCase() }, missing: [] },
      ],
    };
  if (/^[0-9a-fA-F]{64}$/.test(text))
    return unknown(
      "64 hex digits without 0x may be a private key: show it to nobody. The hash of a transaction begins with 0x.",
    );
  if (/^[0-9a-fA-F]{40}$/.test(text)) return unknown("If it is an address, write 0x before it.");
  if (isSeedPhrase(text)) return unknown("It may be the seed phrase of a wallet: show it to nobody.");
  if (/^https?:\/\//i.test(text)) return recognizeUrl(text, again);
  return (
    recognizeNamed(text, again) ??
    recognizeWord(text, context) ??
    askMessage(pasted, context, "a text to sign")
  );
}

/** An address with the name of its chain: CAIP-10, ERC-3770 or EIP-681. */
function recognizeNamed(text: string, again: (inner: string) => Recognized): Recognized | undefined {
  const payment = /^ethereum:(?:pay-)?(0x[0-9a-fA-F]{40})(?:@(0x[0-9a-fA-F]+|[0-9]+))?(.*)$/s.exec(text);
  if (payment) {
    const [, address = "", chainId = "1", rest = ""] = payment;
    if (!NAMES_OF_BASE.has(String(Number(chainId))))
      return nothing(
        "address",
        "a payment request (EIP-681)",
        `It is for chain ${Number(chainId)}; only Base (8453) is judged.`,
      );
    return rest === ""
      ? recognizeAddress(address)
      : unknown("It is a payment request (EIP-681). Check the transaction that your wallet makes of it.");
  }
  const named = /^([a-z0-9-]{2,32}(?::[a-zA-Z0-9-]{1,32})?):(0x[0-9a-fA-F]{40,64})$/.exec(text);
  if (!named) return undefined;
  const [, chain = "", inner = ""] = named;
  if (NAMES_OF_BASE.has(chain)) return again(inner);
  return nothing("address", "an address of another chain", `It is for ${chain}; only Base is judged.`);
}

/** Pages of an explorer of Base are about what is in their address. */
function recognizeUrl(text: string, again: (inner: string) => Recognized): Recognized {
  if (/\s/.test(text) || !URL.canParse(text))
    return unknown("It begins like an address of a page and is none.");
  const { hostname, pathname } = new URL(text);
  const isOfBase = /^(www\.)?(basescan\.org|base\.blockscout\.com)$/.test(hostname);
  const subject = /^\/(?:address|token|tx|contract)\/(0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40}))(?:\/|$)/.exec(
    pathname,
  )?.[1];
  if (isOfBase && subject) return again(subject);
  if (text.length > 2048) return nothing("url", "an address of a page", "It is over 2,048 characters.");
  return {
    kind: "url",
    title: "an address of a page",
    questions: [{ capabilityId: "web.compile", input: { url: text }, missing: [] }],
  };
}

/** One word: a token's symbol, a host name, or nothing that can be checked. */
function recognizeWord(text: string, { tokens = [] }: PasteContext): Recognized | undefined {
  if (/\s/.test(text)) return undefined;
  const symbol = text.replace(/^\$/, "");
  const found = tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase());
  if (found.length > 0) return recognizeSymbol(symbol, found);
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.(eth|base)$/i.test(text))
    return unknown("Names of ENS and Basenames are not resolved: give the address that your wallet shows.");
  if (/^([a-z0-9-]+\.)+[a-z]{2,24}([/?#]\S*)?$/i.test(text))
    return {
      kind: "url",
      title: "an address of a page",
      questions: [{ capabilityId: "web.compile", input: { url: `https://${text}` }, missing: [] }],
    };
  if (text.startsWith("$") || /^[A-Za-z0-9.₮]{1,12}$/.test(text))
    return unknown(
      `No known token has the symbol ${symbol.slice(0, 32)}: give its address. Anybody can use any symbol.`,
    );
  return undefined;
}

function recognizeSymbol(symbol: string, tokens: NonNullable<PasteContext["tokens"]>): Recognized {
  const title = `the symbol ${symbol}`;
  const [token] = tokens;
  if (tokens.length > 1)
    return {
      ...nothing(
        "tokenSymbol",
        title,
        "Several known tokens have this symbol: give the address of the one you mean.",
      ),
      tokens,
    };
  const address = token?.address;
  if (!token || address === null || address === undefined)
    return {
      ...nothing("tokenSymbol", title, "It is the chain's own currency, which has no contract."),
      tokens,
    };
  return {
    kind: "tokenSymbol",
    title: `${token.name} (${token.symbol}) at ${address}`,
    tokens,
    questions: (["contract.guard", "token.launch.guard", "token.metadata"] as const).map((capabilityId) => ({
      capabilityId,
      input: { address },
      missing: [],
    })),
  };
}

/** Twelve to twenty-four short lower-case words and nothing else (BIP-39). No sentence is written so. */
function isSeedPhrase(text: string): boolean {
  const words = text.split(/\s+/);
  return [12, 15, 18, 21, 24].includes(words.length) && words.every((word) => /^[a-z]{3,8}$/.test(word));
}
