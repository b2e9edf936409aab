import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";

const TX = "--tx <json|file|->";

/** Lets a command take its transaction in one piece: as JSON, as the name of a file, from standard input, or as an argument. */
export function addTransactionOptions(command: Command): void {
  command
    .argument(
      "[transaction]",
      "the transaction as JSON, as a request to a wallet, or signed, instead of the options",
    )
    .addOption(new Option(TX, "the same, from a text, a file or standard input (-)"));
}

/** Fills the options of the transaction's fields from a pasted transaction. To be called before required options are. */
export async function applyTransaction(command: Command, terminal: Terminal): Promise<void> {
  if (!command.options.some(({ flags }) => flags === TX)) return;
  const named = command.getOptionValue("tx") as string | undefined;
  const [argument] = command.args;
  if (named === undefined && argument === undefined) return;
  if (named !== undefined && argument !== undefined)
    throw new UsageError("Give the transaction as an argument or with --tx, not both.");
  const text = argument ?? (await readText("--tx", named as string, terminal));
  const { recognize } = await import("../recognize/recognize.js");
  const { kind, title, questions, problem } = recognize(text);
  const input = questions[0]?.input;
  if (problem !== undefined || !input || !["transaction", "signedTransaction"].includes(kind))
    throw new UsageError(
      `This is ${title}, and not a transaction to check. ${problem ?? "assay check takes it."}`,
    );
  for (const [name, value] of Object.entries(input)) {
    const given = command.getOptionValue(name) as string | undefined;
    if (given !== undefined && given.toLowerCase() !== String(value).toLowerCase())
      throw new UsageError(
        `--${name} differs from the transaction, which says ${String(value).slice(0, 80)}.`,
      );
    command.setOptionValueWithSource(name, String(value), "transaction");
  }
}

/** The text itself, what a file of that name holds, or standard input for -. */
export async function readText(flag: string, named: string, terminal: Terminal): Promise<string> {
  if (named === "-") return terminal.readInput();
  if (/^\s*([{[]|0x)/.test(named)) return named;
  return readFile(named, "utf8").catch(() => {
    throw new UsageError(
      `${flag} ${named} cannot be read. Give JSON, the name of a file, or - for standard input.`,
    );
  });
}
