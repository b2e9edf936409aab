import type { Command } from "commander";

/** Refuses an option that is given twice: commander would silently take the last value. */
export function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    // A flag without a value may be repeated.
    if (option.variadic || !(option.required || option.optional)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' given more than once`);
      isGiven = true;
    });
  }
  for (const inner of command.commands) refuseRepeated(inner);
}
