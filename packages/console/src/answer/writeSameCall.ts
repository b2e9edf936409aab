import type { CapabilitySpec } from "@assay/protocol";

export interface SameCallTexts {
  readonly curl: string;
  readonly cli: string;
  readonly typescript: string;
}

const quoteForShell = (text: string) =>
  /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** `--url` is the service's address, so a capability's own field of that name has a longer one. */
const flagOf = (name: string) =>
  name === "url" ? "--input-url" : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** One call in the three ways people copy it. */
export function writeSameCall({ id, method }: CapabilitySpec, input: object, origin: string): SameCallTexts {
  const fields = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const texts = fields.map(([name, value]) => [name, String(value)] as [string, string]);
  const url = `${origin}/api/v1/capabilities/${id}/invoke`;
  const query = new URLSearchParams(texts).toString();
  const curl =
    method === "POST"
      ? `curl -i ${url} \\\n  -H 'content-type: application/json' \\\n  -d ${quoteForShell(JSON.stringify(input))}`
      : `curl -i ${quoteForShell(query ? `${url}?${query}` : url)}`;
  const flags = texts.map(([name, value]) => ` \\\n  ${flagOf(name)} ${quoteForShell(value)}`).join("");
  return {
    curl: `${curl}\n# pay by sending the same with the header PAYMENT-SIGNATURE`,
    cli: `npx assay call ${id}${flags} \\\n  --url ${origin} --save answer.json`,
    typescript: [
      'import { createClient } from "@assay/client";',
      'import { privateKeyToAccount } from "viem/accounts";',
      "",
      `const client = createClient({ baseUrl: "${origin}", account: privateKeyToAccount(key) });`,
      `const { answer } = await client.call("${id}", ${JSON.stringify(Object.fromEntries(fields), null, 2)});`,
      'if (answer.verdict === "block") throw new Error(answer.result.summary);',
    ].join("\n"),
  };
}
