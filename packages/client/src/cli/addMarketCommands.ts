import type { Hex, OutcomeName } from "@assay/protocol";
import { EXAMPLE_WALLET } from "@assay/protocol/exampleClaim";
import { outcomeNames } from "@assay/protocol/primitives";
import { Argument, type Command, Option } from "commander";
import { exampleIds, exampleText } from "./exampleText.js";
import {
  formatBounties,
  formatOpportunities,
  formatOutcome,
  formatPledge,
  formatPublished,
  formatPublisher,
  formatStats,
} from "./formatMarket.js";
import { parseAddress, parseCount } from "./parseArguments.js";
import { makeRequired } from "./requiredOptions.js";
import { rpcOption } from "./rpcOption.js";
import { startSession } from "./session.js";
import type { Terminal } from "./terminal.js";

const limitOption = () =>
  new Option("--limit <count>", "how many, 1 to 100 (default: 20)").argParser(parseCount);

/** Shared work: what is wanted, who did it, what it earned; and the free, signed ways to take part. */
export function addMarketCommands(program: Command, terminal: Terminal): void {
  addListings(program, terminal);
  addPublish(program, terminal);
  addPromises(program, terminal);
}

function addListings(program: Command, terminal: Terminal): void {
  program
    .command("bounties")
    .addOption(limitOption())
    .option("--passport", "as your wallet: attested publishers see bounties earlier")
    .description("work that was asked for and that nobody has shared")
    .addHelpText("after", exampleText(["bounties --limit 5", "bounties --passport"]))
    .action(async (flags: { limit?: number; passport?: true }, command: Command) => {
      const { open, show, getWallet } = await startSession(terminal, command);
      const wallet = flags.passport ? await getWallet() : undefined;
      const bounties = await open(wallet).bounties({ limit: flags.limit, passport: flags.passport });
      show(bounties, (value) => formatBounties(value, terminal.paint));
    });
  program
    .command("opportunities")
    .addOption(limitOption())
    .description("capabilities that were asked for, built or not")
    .addHelpText("after", exampleText(["opportunities --limit 5"]))
    .action(async (flags: { limit?: number }, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      show(await open().opportunities(flags), (value) => formatOpportunities(value, terminal.paint));
    });
  program
    .command("publisher")
    .argument("<wallet>", "address of the publisher", parseAddress)
    .description("audits and earnings of a wallet that publishes")
    .addHelpText("after", exampleText([`publisher ${EXAMPLE_WALLET}`]))
    .action(async (wallet: Hex, _flags, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      show(await open().publisher(wallet), (value) => formatPublisher(value, terminal.paint));
    });
  program
    .command("stats")
    .description("thirty days of the service, without anyone's name")
    .addHelpText("after", exampleText(["stats", "stats --json"]))
    .action(async (_flags, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      show(await open().stats(), (value) => formatStats(value, terminal.paint));
    });
}

function addPublish(program: Command, terminal: Terminal): void {
  program
    .command("publish")
    .argument("<address>", "contract whose fingerprint to publish", parseAddress)
    .addOption(makeRequired(rpcOption()))
    .addOption(
      new Option("--block <number>", "block to compute it at (default: the newest)").argParser(parseCount),
    )
    .description("compute a contract's fingerprint with your own node and publish it; free, signed")
    .addHelpText(
      "after",
      exampleText(
        [`publish 0x4200000000000000000000000000000000000006 --rpc ${exampleIds.node}`],
        "The service computes it again. A fingerprint that the chain contradicts is burned, and your public record shows it.",
      ),
    )
    .action(async (address: Hex, flags: { rpc: string; block?: number }, command: Command) => {
      const { open, show, getWallet } = await startSession(terminal, command);
      const wallet = await getWallet();
      const { computeFingerprint } = await import("../computeFingerprint.js");
      const fingerprint = await computeFingerprint(flags.rpc, address, flags.block);
      show(await open(wallet).publish(fingerprint), (value) => formatPublished(value, terminal.paint));
    });
}

function addPromises(program: Command, terminal: Terminal): void {
  program
    .command("pledge")
    .argument("<capability>", "name of a capability, built or not")
    .description("state that your wallet would pay for a capability; free, signed, not binding")
    .addHelpText("after", exampleText(["pledge amm.pool.state"]))
    .action(async (capability: string, _flags, command: Command) => {
      const { open, show, getWallet } = await startSession(terminal, command);
      show(await open(await getWallet()).pledge(capability), formatPledge);
    });
  program
    .command("outcome")
    .argument("<invocationId>", "of a call your wallet paid for")
    .addArgument(new Argument("<outcome>", "how it turned out").choices(outcomeNames))
    .option("--note <text>", "a note, at most 500 characters")
    .description("report how a paid call turned out, for a small credit; free, signed")
    .addHelpText(
      "after",
      exampleText([`outcome ${exampleIds.invocation} avoided --note "the token could not be sold"`]),
    )
    .action(async (id: string, outcome: OutcomeName, flags: { note?: string }, command: Command) => {
      const { open, show, getWallet } = await startSession(terminal, command);
      show(await open(await getWallet()).reportOutcome(id, outcome, flags.note), formatOutcome);
    });
}
