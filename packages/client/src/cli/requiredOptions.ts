import type { Command, Option } from "commander";

const required = new WeakSet<Option>();

/** Instead of commander's own mark, which complains of `--address` missing before it sees that `--adress` is there. */
export function makeRequired(option: Option): Option {
  required.add(option);
  return option;
}

/** To be called once the options are known to be ones that there are. */
export function checkRequired(command: Command): void {
  for (const option of command.options)
    if (required.has(option) && command.getOptionValue(option.attributeName()) === undefined)
      command.error(`error: required option '${option.flags}' not specified`);
}
