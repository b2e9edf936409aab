import { parseArgs } from "node:util";
import type { Config } from "../config.js";
import { ConfigError } from "../configError.js";
import type { Command, Output } from "./command.js";
import { backup, migrate, recover, restore, verify } from "./keepCommands.js";
import { limits, obligations, wallets } from "./listCommands.js";
import { payments, refunds } from "./paymentCommands.js";
import { prices, revenue } from "./salesCommands.js";

/** In the order in which help lists them. */
export const commands: readonly Command[] = [
  backup,
  restore,
  verify,
  recover,
  migrate,
  payments,
  refunds,
  revenue,
  prices,
  obligations,
  wallets,
  limits,
];

/** The command that these words begin with. */
export const findCommand = (args: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(" ").every((word, i) => args[i] === word));

export const helpOf = ({ name, usage, summary, help, examples }: Command): string =>
  [
    `Usage: assay-admin ${name} ${usage} [--json]`,
    "",
    `assay-admin ${name} ${summary}.`,
    "",
    help,
    "",
    "  --json   one JSON value instead of text",
    "",
    "Examples:",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");

/** One line each, for the help of the whole program. */
export const listCommands = (): string => {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join("\n");
};

export async function runCommand(
  command: Command,
  args: readonly string[],
  getConfig: () => Config,
  output: Output,
): Promise<number> {
  const { values, positionals } = readGiven(command, args);
  if (values.help === true) {
    output.write(helpOf(command));
    return 0;
  }
  const { text, json, isFault } = await command.run({ positionals, values, config: getConfig() });
  output.write(
    values.json === true
      ? `${JSON.stringify(json, (_, value) => (typeof value === "bigint" ? String(value) : value))}\n`
      : `${text.join("\n")}\n`,
  );
  return isFault ? 1 : 0;
}

function readGiven({ name, options }: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: args.slice(name.split(" ").length),
      allowPositionals: true,
      options: { ...options, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
  } catch (error) {
    const what = (error as Error).message.split("\n")[0]?.split(". To specify")[0]?.replace(/\.$/, "");
    throw new ConfigError(`${what}; assay-admin ${name} --help shows the options.`);
  }
}
