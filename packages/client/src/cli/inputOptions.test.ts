import { capabilities } from "@assay/capabilities/capabilities";
import { expect, it } from "vitest";
import { createProgram } from "./createProgram.js";
import { listInputOptions } from "./inputOptions.js";
import { openTerminal } from "./terminal.js";

it("describes every option of every capability in words", () => {
  const bare = capabilities.flatMap(({ id }) =>
    listInputOptions(id)
      .filter(({ field, option }) => option.description === field)
      .map(({ field }) => `${id} ${field}`),
  );
  expect(bare).toEqual([]);
});

it("writes the options of the capabilities that a command line names, and of all for help", () => {
  const listOptioned = (words?: readonly string[]) =>
    createProgram(openTerminal(), words)
      .commands.filter((command) => command.name() === "call")
      .flatMap(({ commands }) => commands.filter(({ options }) => options.length > 0))
      .map((command) => command.name());
  expect(listOptioned(["call", "contract.guard", "--address", "0x"])).toEqual(["contract.guard"]);
  expect(listOptioned(["call", "--help"])).toEqual(listOptioned());
  expect(listOptioned().length).toBeGreaterThan(capabilities.length - 1);
});
