import type { Command, Option } from "commander";
import { readTestAccounts, testAccountsFile } from "./readTestAccounts.js";

/** Returned in place of words: the shell completes names of files. */
export const FILES = ":files";

/** The completions of the last word. */
export async function listCompletions(program: Command, words: readonly string[]): Promise<string[]> {
  const typed = words.at(-1) ?? "";
  const { command, asked, operands, dataDir } = readWords(program, words.slice(0, -1));
  const beginning = (found: readonly string[]) =>
    [...new Set(found)].filter((word) => word.startsWith(typed)).sort();
  if (asked) {
    if (/<(file|dir)>/.test(asked.flags)) return [FILES];
    if (asked.long === "--wallet") return beginning(await listWallets(dataDir));
    // Any other value can be completed only if it has fixed choices.
    return beginning(asked.argChoices ?? []);
  }
  if (typed.startsWith("-")) return beginning(optionsOf(program, command).flatMap(({ long }) => long ?? []));
  const argument = command.registeredArguments[operands];
  if (argument?.name() === "file") return [FILES];
  const names = command.commands.map((inner) => inner.name()).filter((name) => !name.startsWith("_"));
  return beginning([...names, ...(argument?.argChoices ?? [])]);
}

const optionsOf = (program: Command, command: Command): readonly Option[] =>
  command === program ? program.options : [...command.options, ...program.options];

const takesValue = ({ required, optional }: Option) => required || optional;

interface Reading {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly asked: Option | undefined;
  /** Arguments that the command already has. */
  readonly operands: number;
  readonly dataDir: string;
}

/** Reads the words before the one that is being typed. */
function readWords(program: Command, words: readonly string[]): Reading {
  let command = program;
  let asked: Option | undefined;
  let operands = 0;
  let dataDir = String(program.opts<{ dataDir: string }>().dataDir);
  for (const word of words) {
    if (asked) {
      if (asked.long === "--data-dir") dataDir = word;
      asked = undefined;
    } else if (word.startsWith("-")) {
      const option = optionsOf(program, command).find(({ long, short }) => word === long || word === short);
      asked = option && takesValue(option) ? option : undefined;
    } else {
      const inner = command.commands.find((candidate) => candidate.name() === word);
      if (!inner) operands++;
      command = inner ?? command;
    }
  }
  return { command, asked, operands, dataDir };
}

/** Names that a shell takes as they are. */
const PLAIN = /^[\w.-]+$/;

async function listWallets(dataDir: string): Promise<string[]> {
  const accounts = await readTestAccounts(testAccountsFile(dataDir)).catch(() => undefined);
  return (accounts ?? []).map(({ name }) => name).filter((name) => PLAIN.test(name));
}
