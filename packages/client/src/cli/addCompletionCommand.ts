import { Argument, type Command } from "commander";
import { exampleText } from "./exampleText.js";
import type { Terminal } from "./terminal.js";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** `assay completion <shell>` prints a script; the script asks `assay __complete` with the words typed so far. */
export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command("completion")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .description("print a completion script for your shell")
    .addHelpText(
      "after",
      exampleText(
        SHELLS.map((shell) => `completion ${shell}`),
        "Install:\n  bash: source <(assay completion bash)\n  zsh:  source <(assay completion zsh)\n  fish: assay completion fish | source",
      ),
    )
    .action((shell: Shell) => terminal.print(scripts[shell]));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => terminal.print(`${listCompletions(program, words).join("\n")}\n`));
}

/** What may stand where the last word is being typed. */
export function listCompletions(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? "";
  let command = program;
  for (const word of words.slice(0, -1)) {
    if (word.startsWith("-")) continue;
    command = command.commands.find((inner) => inner.name() === word) ?? command;
  }
  const previous = words.at(-2) ?? "";
  const options = [...command.options, ...(command === program ? [] : program.options)];
  const asked = options.find(
    ({ long, short }) => previous !== "" && (long === previous || short === previous),
  );
  // A value follows, of which nothing is known unless it is one of a few.
  if (asked && !asked.isBoolean() && (asked.required || asked.optional))
    return (asked.argChoices ?? []).filter((choice) => choice.startsWith(typed));
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const names = command.commands
    .filter((inner) => !inner.name().startsWith("_"))
    .map((inner) => inner.name());
  const flags = typed.startsWith("-") ? options.flatMap(({ long }) => long ?? []) : [];
  return [...new Set([...names, ...choices, ...flags])].filter((word) => word.startsWith(typed)).sort();
}

const scripts: Record<Shell, string> = {
  bash: `_assay() {
  local IFS=$'\\n'
  COMPREPLY=($(assay __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _assay assay
`,
  zsh: `_assay() {
  local -a found
  found=("\${(@f)$(assay __complete -- "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  compadd -- $found
}
compdef _assay assay
`,
  fish: `complete -c assay -f -a '(assay __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};
