import type { Command } from "commander";

/** Refuses an option that is given twice, of which commander would take the last: two values are two questions. */
export function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    // A flag said twice says the same.
    if (option.variadic || !(option.required || option.optional)) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven) command.error(`error: option '${option.flags}' given more than once`);
      isGiven = true;
    });
  }
  for (const inner of command.commands) refuseRepeated(inner);
}
