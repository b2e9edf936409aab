import { highestPrice, type ListedCapability } from "@assay/client";
import { usdFromMicro } from "@assay/protocol";

export interface SameCallTexts {
  readonly curl: string;
  readonly cli: string;
  /** Undefined while the signer of answers is not known. */
  readonly typescript: string | undefined;
}

export interface CallPlace {
  /** Address of the service. */
  readonly origin: string;
  /** The signer of answers that are trusted; undefined until it is known. */
  readonly signer: string | undefined;
  /** The payer; some prices are quoted only to a wallet. */
  readonly wallet: string;
  /** Key of a test wallet, which is no secret; undefined on a real chain. */
  readonly testKey: string | undefined;
}

const KEY_NAME = "ASSAY_PRIVATE_KEY";
const quoteForShell = (text: string) =>
  /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** `--url` is the service's address, so a capability's own field of that name has a longer one. */
const flagOf = (name: string) =>
  name === "url" ? "--input-url" : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** One call in the three forms that people copy; each runs as pasted. */
export function writeSameCall(capability: ListedCapability, input: object, place: CallPlace): SameCallTexts {
  const fields = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const most = usdFromMicro(highestPrice(capability));
  return {
    curl: writeCurl(capability, fields, place),
    cli: writeCommand(capability, fields, most, place),
    typescript: place.signer && writeScript(capability, fields, most, { ...place, signer: place.signer }),
  };
}

type Fields = readonly (readonly [name: string, value: unknown])[];

function writeCurl(
  { id, method, asksForWallet }: ListedCapability,
  fields: Fields,
  { origin, wallet }: CallPlace,
): string {
  const query = new URLSearchParams([
    ...(method === "GET" ? fields.map(([name, value]): [string, string] => [name, String(value)]) : []),
    ...(asksForWallet ? [["wallet", wallet] as [string, string]] : []),
  ]).toString();
  const url = quoteForShell(`${origin}/api/v1/capabilities/${id}/invoke${query && `?${query}`}`);
  const body = quoteForShell(JSON.stringify(Object.fromEntries(fields)));
  return [
    `curl -i ${url}${method === "POST" ? ` \\\n  -H 'content-type: application/json' \\\n  -d ${body}` : ""}`,
    "# pay by sending the same with the header PAYMENT-SIGNATURE",
  ].join("\n");
}

function writeCommand(capability: ListedCapability, fields: Fields, most: number, place: CallPlace): string {
  const flags = fields.map(([name, value]) => ` \\\n  ${flagOf(name)} ${quoteForShell(String(value))}`);
  const key = place.testKey ? `${KEY_NAME}=${place.testKey} ` : "";
  return `${key}npx assay call ${capability.id}${flags.join("")} \\\n  --url ${place.origin} --max-price ${most} --save answer.json`;
}

function writeScript(
  { id }: ListedCapability,
  fields: Fields,
  most: number,
  place: CallPlace & { readonly signer: string },
): string {
  return [
    'import { createClient } from "@assay/client";',
    'import { privateKeyToAccount } from "viem/accounts";',
    "",
    `const key = process.env.${KEY_NAME}; // 0x and 64 hex digits: the wallet that pays`,
    `if (!key) throw new Error("Set ${KEY_NAME}.");`,
    "const client = createClient({",
    `  baseUrl: ${JSON.stringify(place.origin)},`,
    `  account: privateKeyToAccount(\`0x\${key.replace("0x", "")}\`),`,
    `  signer: ${JSON.stringify(place.signer)},`,
    `  maxPriceUsd: ${most},`,
    "});",
    `const input = ${JSON.stringify(Object.fromEntries(fields), null, 2)};`,
    "// Throws unless this signer answered this question and the rule, run again, gives the same verdict.",
    `const { answer } = await client.call(${JSON.stringify(id)}, input);`,
    `if (answer.verdict !== "allow") throw new Error(\`\${answer.verdict}: \${answer.result.summary}\`);`,
    "console.log(answer.verdict, answer.result.summary);",
  ].join("\n");
}
