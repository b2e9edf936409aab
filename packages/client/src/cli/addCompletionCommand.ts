import { Argument, type Command } from "commander";
import { exampleText } from "./exampleText.js";
import { FILES, listCompletions } from "./listCompletions.js";
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
        `Install:
  bash: source <(assay completion bash)
  zsh:  source <(assay completion zsh)    (after autoload -Uz compinit && compinit, which it needs)
  fish: assay completion fish | source
The scripts call assay, so it must be on the PATH; inside a clone, npm link -w packages/client puts it there.`,
      ),
    )
    .action((shell: Shell) => terminal.print(scripts[shell]));
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      const found = await listCompletions(program, words);
      terminal.print(found.map((word) => `${word}\n`).join(""));
    });
}

const scripts: Record<Shell, string> = {
  bash: `_assay() {
  local IFS=$'\\n'
  COMPREPLY=($(assay __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ \${COMPREPLY[0]} == ${FILES} ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -F _assay assay
`,
  zsh: `_assay() {
  local -a found
  found=(\${(f)"$(assay __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ $found[1] == ${FILES} ]]; then _files; else compadd -- $found; fi
}
compdef _assay assay
`,
  fish: `function __assay_complete
  set -l found (assay __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test "$found[1]" = ${FILES}
    __fish_complete_path (commandline -ct)
  else
    string join \\n -- $found
  end
end
complete -c assay -f -a '(__assay_complete)'
`,
};
