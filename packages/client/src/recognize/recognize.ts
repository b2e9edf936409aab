import type { Hex } from "@assay/protocol";
import { askMessage } from "./askMessageGuard.js";
import { findSecret } from "./findSecret.js";
import { nothing, type PasteContext, type Recognized, unknown } from "./recognized.js";
import { recognizeAddress, recognizeHex } from "./recognizeHex.js";
import { recognizeJson } from "./recognizeJson.js";
import { recognizeUrl } from "./recognizeUrl.js";

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
  const danger = findSecret(text);
  if (danger !== undefined) return unknown(danger);
  const bare = stripAround(text);
  if (bare !== undefined) return again(bare);
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
  if (/^[0-9a-fA-F]{40}$/.test(text)) return unknown("If it is an address, write 0x before it.");
  // Hex of programs, too long for a hash, an id or a commit.
  if (/^[0-9a-fA-F]{66,}$/.test(text)) return again(`0x${text}`);
  if (/^https?:\/\//i.test(text)) return recognizeUrl(text, again);
  return (
    recognizeNamed(text, again) ?? recognizeWord(text, context, again) ?? recognizeSentence(pasted, context)
  );
}

/** What copying leaves around an address, a hash or bytes: blanks that nobody sees, brackets, marks, line ends inside. */
function stripAround(text: string): string | undefined {
  const bare = text
    .replace(/[\s\u00ad\u200b-\u200f\u2060\ufeff]+/g, "")
    .replace(/^[<([`'"]+|[>)\]`'".,;:!?]+$/g, "");
  return bare !== text && /^0x[0-9a-fA-F]+$/.test(bare) ? bare : undefined;
}

/** A text to sign; one that names an address may also be a question about it. */
function recognizeSentence(pasted: string, context: PasteContext): Recognized {
  const named = new Set(pasted.match(/(?<![0-9a-zA-Z])0x[0-9a-fA-F]{40}(?![0-9a-zA-Z])/g));
  if (named.size > 1 && /^(0x[0-9a-fA-F]{40}[\s,;]*)+$/.test(pasted.trim()))
    return unknown("These are several addresses: check them one by one.");
  const message = askMessage(pasted, context, "a text to sign");
  const [address] = named;
  if (address === undefined || named.size > 1 || pasted.trim().includes("\n")) return message;
  const { questions, problem } = recognizeAddress(address);
  return problem === undefined
    ? {
        ...message,
        title: "a text to sign, or a question about the address in it",
        questions: [...message.questions, ...questions],
      }
    : message;
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

/** One word: a token's symbol, a host name, or nothing that can be checked. */
function recognizeWord(
  text: string,
  { tokens = [] }: PasteContext,
  again: (inner: string) => Recognized,
): Recognized | undefined {
  if (/\s/.test(text)) return undefined;
  if (/^[0-9][0-9_.,]*$/.test(text)) return unknown("A number alone is nothing to check.");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^(javascript|data|file|mailto):/i.test(text))
    return unknown("Of web addresses, those that begin with http or https are read.");
  if (/^(bc1[0-9a-z]{25,87}|[1-9A-HJ-NP-Za-km-z]{32,44})$/.test(text) && /\d/.test(text))
    return unknown(
      "It looks like an address of another chain, such as Bitcoin or Solana: only Base is judged.",
    );
  const symbol = text.replace(/^\$/, "");
  const found = tokens.filter((token) => token.symbol.toLowerCase() === symbol.toLowerCase());
  if (found.length > 0) return recognizeSymbol(symbol, found);
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.(eth|base)$/i.test(text))
    return unknown("Names of ENS and Basenames are not resolved: give the address that your wallet shows.");
  if (/^([a-z0-9-]+\.)+[a-z]{2,24}(:\d{1,5})?([/?#]\S*)?$/i.test(text)) return again(`https://${text}`);
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
