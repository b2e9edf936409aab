import type { Command, Option } from "commander";

const required = new WeakSet<Option>();

/** In place of commander's own flag, which reports a missing `--address` before it reports an unknown `--adress`. */
export function makeRequired(option: Option): Option {
  required.add(option);
  return option;
}

/** Ends the command when a required option is missing. To be called after unknown options were refused. */
export function verifyRequired(command: Command): void {
  for (const option of command.options)
    if (required.has(option) && command.getOptionValue(option.attributeName()) === undefined)
      command.error(`error: required option '${option.flags}' not specified`);
}
