import type { Hex } from "@assay/protocol";
import { type Command, Option } from "commander";
import { exampleText } from "./exampleText.js";
import { parseAddress, parseCount, parseUsd } from "./parseArguments.js";
import { startSession } from "./session.js";
import { signerOption } from "./signerOption.js";
import type { Terminal } from "./terminal.js";
import { printable } from "./text.js";
import { UsageError } from "./usageError.js";
import type { WatchFlags } from "./watchAddress.js";

const DEFAULT_MAX_TOTAL_USD = 1;

export function addWatchCommand(program: Command, terminal: Terminal): void {
  program
    .command("watch")
    .argument("<address>", "the contract to watch")
    .description("ask contract.guard again before each answer ends, and report what changes")
    .addOption(
      new Option("--every <seconds>", "ask so often, instead of before each window ends").argParser(
        parseCount,
      ),
    )
    .addOption(new Option("--count <n>", "ask at most so often").argParser(parseCount))
    .addOption(
      new Option("--max-total-usd <usd>", "stop before more than this is paid")
        .argParser(parseUsd)
        .default(DEFAULT_MAX_TOTAL_USD),
    )
    .option("--webhook <url>", "POST each change there, as JSON")
    .option("--until-change", "end at the first change")
    .addOption(signerOption())
    .addHelpText(
      "after",
      exampleText(
        [
          "watch 0x4200000000000000000000000000000000000006",
          "watch 0x4200000000000000000000000000000000000006 --every 600 --max-total-usd 2 --until-change",
        ],
        `A window lasts ten seconds, so watching every window costs about $0.02 each eight seconds; --every asks less often. With --json each
observation is one line. A service that does not answer is asked again; the first time, it is an error.
Exit codes: 0 nothing has changed until the limit, --count or an interrupt, 7 something has changed, 1 to 5 an error (assay --help).`,
      ),
    )
    .action(async (text: string, flags: WatchFlags, command: Command) => {
      const address = readAddress(text);
      if (flags.webhook !== undefined && !/^https?:\/\//.test(flags.webhook))
        throw new UsageError("--webhook takes an http(s) address.");
      const session = await startSession<WatchFlags>(terminal, command);
      const { watchAddress } = await import("./watchAddress.js");
      await watchAddress(session, address);
    });
}

function readAddress(text: string): Hex {
  try {
    return parseAddress(text);
  } catch {
    throw new UsageError(`${printable(text).slice(0, 60)} is not an address: give 0x and 40 hex digits.`);
  }
}
