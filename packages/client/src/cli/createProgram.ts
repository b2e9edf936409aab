import { type CapabilityId, capabilities, getCapability } from "@assay/capabilities/capabilities";
import type { Hex } from "@assay/protocol";
import { RELEASE_VERSION } from "@assay/protocol/primitives";

import { Command, Option } from "commander";
import type { CapabilityArguments } from "../capabilityArguments.js";
import type { Question } from "../checkResult.js";
import { type AnyPreparedPayment, CLAIM_OPENING } from "../preparedPayment.js";
import { addChannelCommands } from "./addChannelCommands.js";
import { addCheckCommand } from "./addCheckCommand.js";
import { addClaimCommands, showOpenedClaim } from "./addClaimCommands.js";
import { addCompletionCommand } from "./addCompletionCommand.js";
import { addInitCommand } from "./addInitCommand.js";
import { addJournalCommands } from "./addJournalCommands.js";
import { addMarketCommands } from "./addMarketCommands.js";
import { addMcpCommand } from "./addMcpCommand.js";
import { addProxyCommand } from "./addProxyCommand.js";
import { addServiceCommands } from "./addServiceCommands.js";
import { addWatchCommand } from "./addWatchCommand.js";
import { exampleIds, exampleText } from "./exampleText.js";
import { exitCodeRemarks, OTHER_CODES, verifyCodes } from "./exitCodes.js";
import { findExpectedKeys } from "./findExpectedKeys.js";
import { formatQuote } from "./formatListings.js";
import { hideKeys } from "./hideKeys.js";
import { listInputOptions, readInput } from "./inputOptions.js";
import { parseAddress, parseLogKey, parseUsd } from "./parseArguments.js";
import { addTransactionOptions, applyTransaction } from "./pastedTransaction.js";
import { readJsonFile } from "./readJsonFile.js";
import { refuseRepeated } from "./refuseRepeated.js";
import { verifyRequired } from "./requiredOptions.js";
import { startSession } from "./session.js";
import { type AnswerFlags, loadVerifier, showAnswer } from "./showAnswer.js";
import { signerOption } from "./signerOption.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";
import { verifyChecksums } from "./verifyChecksums.js";
import { verifyWritable } from "./verifyWritable.js";

/**
 * The `assay` command. With the words of a command line, a capability that they do not name has no options: to write those of all takes a
 * tenth of the time in which a call starts.
 */
export function createProgram(terminal: Terminal, words?: readonly string[]): Command {
  const program = new Command("assay")
    // Inherited by every command below.
    .exitOverride()
    .configureOutput({
      writeOut: terminal.print,
      writeErr: terminal.warn,
      outputError: (text, write) => write(hideKeys(text)),
    })
    .hook("preAction", async (_program, command) => {
      await applyTransaction(command, terminal);
      await verifyChecksums(command);
      verifyRequired(command);
    })
    .version(RELEASE_VERSION, "--version")
    .description("Ask an Assay service for verdicts about Base, pay per call, and verify its answers.")
    .addOption(
      new Option("--url <url>", "address of the service").env("ASSAY_URL").default("http://127.0.0.1:8402"),
    )
    .option("--audience <origin>", "origin that signatures are good for, if it is not that of --url")
    .option("--full", "print all of an answer: every figure, reason, limit and reading, instead of 25 lines")
    .option("--json", "print the JSON as the service sent it, or one error document, and nothing else")
    .option(
      "--private-key-file <file>",
      "file with the private key of the paying wallet (else ASSAY_PRIVATE_KEY)",
    )
    .option("--wallet <name>", "test wallet by name, from devnet.json in the data directory")
    .option("--data-dir <dir>", "data directory of a service that runs here", ".data")
    .option("--asset <address>", "stablecoin to pay in (default: USDC on Base)", parseAddress)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows the options)")
    .addHelpText(
      "after",
      exampleText(
        [
          "catalog",
          "check 0x4200000000000000000000000000000000000006 --yes",
          "call chain.snapshot",
          "quote contract.guard --address 0x4200000000000000000000000000000000000006",
          "call contract.guard --address 0x4200000000000000000000000000000000000006 --save guard.json",
          "verify guard.json --url http://127.0.0.1:8402",
          "channel open --deposit 0.5",
          "log",
          "bounties",
          "claims list",
          "doctor",
        ],
        `${exitCodeRemarks}
A wallet is taken from --private-key-file, --wallet, ASSAY_PRIVATE_KEY, what assay init wrote, or the first test wallet in
.data/devnet.json.`,
      ),
    );
  addInitCommand(program, terminal);
  addCheckCommand(program, terminal);
  addProxyCommand(program, terminal);
  addJournalCommands(program, terminal);
  addWatchCommand(program, terminal);
  addServiceCommands(program, terminal);
  const isAsked = (name: string) =>
    !words || words.some((word) => /^(-h|--help|help)$/.test(word) || word === name);
  addQuoteCommand(program, terminal, isAsked);
  addCallCommand(program, terminal, isAsked);
  addResumeCommand(program, terminal);
  addVerifyCommand(program, terminal);
  addChannelCommands(program, terminal);
  addMcpCommand(program, terminal);
  addMarketCommands(program, terminal);
  addClaimCommands(program, terminal);
  addCompletionCommand(program, terminal);
  refuseRepeated(program);
  return program;
}

/** The names of all capabilities, with the deprecated ones. */
const commandNames: readonly { name: string; id: CapabilityId; summary: string }[] = [
  ...capabilities.map(({ id, summary }) => ({ name: id, id, summary })),
  ...capabilities.flatMap(({ id, deprecatedName }) =>
    deprecatedName ? [{ name: deprecatedName.name, id, summary: `Deprecated: the old name of ${id}.` }] : [],
  ),
];

/** One subcommand per capability, each with its own input options. */
function addCapabilityCommands(
  parent: Command,
  terminal: Terminal,
  isAsked: (name: string) => boolean,
  extend: (command: Command) => void,
  act: (id: CapabilityId, input: CapabilityArguments<CapabilityId>, command: Command) => Promise<void>,
): void {
  for (const { name, id, summary } of commandNames) {
    const command = parent.command(name).description(summary);
    if (!isAsked(name)) continue;
    for (const { option } of listInputOptions(id)) command.addOption(option);
    if (getCapability(id).judgesTransaction) addTransactionOptions(command);
    extend(command);
    command.addHelpText("after", exampleText([`${parent.name()} ${name}${describeExample(id)}`]));
    command.configureHelp({ showGlobalOptions: true }).action(async () => {
      // Not parsed here: the service may be newer and know other rules for the input.
      const input = readInput(id, command.opts()) as CapabilityArguments<CapabilityId>;
      if (name !== id) terminal.warn(`assay: ${name} is deprecated; call it by its new name, ${id}.\n`);
      await act(id, input, command);
    });
  }
}

/** The options of the capability's example on Base. */
const describeExample = (id: CapabilityId) =>
  listInputOptions(id)
    .map(
      ({ field, option }) =>
        [option.long, (getCapability(id).example as Record<string, unknown>)[field]] as const,
    )
    .filter(([, value]) => value !== undefined)
    .map(([flag, value]) => ` ${flag} ${/\s/.test(String(value)) ? JSON.stringify(value) : value}`)
    .join("");

function addQuoteCommand(program: Command, terminal: Terminal, isAsked: (name: string) => boolean): void {
  const quote = program
    .command("quote")
    .description("the price of a call for your wallet; free, valid for one minute")
    .addHelpText("after", exampleText([`quote contract.guard${describeExample("contract.guard")}`]));
  addCapabilityCommands(
    quote,
    terminal,
    isAsked,
    () => {},
    async (id, input, command) => {
      const { open, show, getWallet } = await startSession(terminal, command);
      const wallet = await getWallet();
      show(await open(wallet).quote(id, input), (answer) => formatQuote(answer, wallet.label));
    },
  );
}

const saveOption = () => new Option("--save <file>", "write the answer with its receipt, for assay verify");

const shownOnlyIf =
  "The answer is verified before it is shown, and compared with the chain's head as the service reports it. --signer names the\nkey that must have signed it; without, the steps only show that the answer agrees with itself and with the block it names.";

interface CallFlags extends AnswerFlags {
  readonly maxPrice?: number;
  readonly quote: boolean;
  readonly channel: boolean;
}

function addCallCommand(program: Command, terminal: Terminal, isAsked: (name: string) => boolean): void {
  const call = program
    .command("call")
    .description("ask, pay and print the verdict")
    .addHelpText(
      "after",
      exampleText(
        ["call chain.snapshot", `call contract.guard${describeExample("contract.guard")} --save guard.json`],
        `${shownOnlyIf}
Exit codes: 0 allow, 10 review, or an allow that has ended, 20 block, ${OTHER_CODES}.`,
      ),
    );
  addCapabilityCommands(
    call,
    terminal,
    isAsked,
    (command) =>
      command
        .addOption(
          new Option("--max-price <usd>", "sign nothing above this (default: 1)").argParser(parseUsd),
        )
        .option("--no-quote", "pay the plain challenge instead of a quote")
        .option("--no-channel", "pay this call by itself, although assay channel open was used")
        .addOption(saveOption())
        .addOption(signerOption()),
    async (id, input, command) => {
      const session = await startSession<CallFlags>(terminal, command);
      const { options } = session;
      const wallet = await session.getWallet();
      if (options.save !== undefined) await verifyWritable(options.save);
      const { spendWithinDay } = await import("./spendWithinDay.js");
      const signal = terminal.abortOnInterrupt();
      const { openCallChannel } = await import("./openCallChannel.js");
      const channel = options.channel ? await openCallChannel(session, wallet) : undefined;
      const client = session.open(wallet, { signer: options.signer, channel });
      const [paid] = await terminal.whileWaiting(`${id}: quote, payment, answer`, () =>
        Promise.all([
          // showAnswer verifies it, and keeps what does not verify in a file.
          spendWithinDay(session, options.maxPrice, client.spentUsd, (maxPriceUsd) =>
            client.callUnverified(id, input, {
              useQuote: options.quote ? undefined : false,
              maxPriceUsd,
              signal,
            }),
          ),
          loadVerifier(),
        ]),
      );
      const question = { capabilityId: id, input } as Question;
      await showAnswer(session, client, { paid, question, paidBy: wallet.label });
    },
  );
}

function addResumeCommand(program: Command, terminal: Terminal): void {
  program
    .command("resume")
    .argument("<file>", "payment kept by an earlier assay call or assay claims open")
    .addOption(saveOption())
    .addOption(signerOption())
    .description("get the answer of a payment whose outcome was unknown, without paying again")
    .addHelpText(
      "after",
      exampleText(
        [`resume ${exampleIds.payment}`, `resume ${exampleIds.payment} --save guard.json`],
        `assay call names the file when it gives up. It may be resumed any number of times.
The service that was paid is asked; --url gives its address if it has moved.
${shownOnlyIf}
Exit codes: 0 allow, 10 review, or an allow that has ended, 20 block, ${OTHER_CODES}.`,
      ),
    )
    .action(async (file: string, _options, command: Command) => {
      const session = await startSession<AnswerFlags>(terminal, command);
      const { save } = session.options;
      const kept = (await readJsonFile(file, terminal)) as AnyPreparedPayment;
      if (typeof kept?.paymentSignature !== "string" || !URL.canParse(kept.request?.url)) {
        throw new UsageError(`${file} holds no payment kept by assay call.`);
      }
      const paidAt = kept.request.url.replace(/\/api\/v1\/.*$/s, "");
      // The service that was paid, unless the command line says where it is now.
      const isMoved = command.getOptionValueSourceWithGlobals("url") === "cli";
      const baseUrl = isMoved ? session.options.url.replace(/\/+$/, "") : paidAt;
      const prepared = {
        ...kept,
        request: { ...kept.request, url: baseUrl + kept.request.url.slice(paidAt.length) },
      };
      const paidBy = `wallet ${prepared.payer}`;
      // It was sent before: only a refusal of that very payment shows that it was not charged then.
      const sending = { signal: terminal.abortOnInterrupt(), wasSent: true };
      if (prepared.capabilityId === CLAIM_OPENING) {
        if (save !== undefined)
          throw new UsageError("--save is for answers; assay claims show prints a claim at any time.");
        const client = session.open(undefined, { baseUrl });
        return showOpenedClaim(session, await client.sendClaim(prepared, sending), paidBy);
      }
      if (save !== undefined) await verifyWritable(save);
      const { readQuestion } = await import("../invokeRequest.js");
      const client = session.open(undefined, { baseUrl });
      const [paid] = await Promise.all([client.send(prepared, sending), loadVerifier()]);
      const question = {
        capabilityId: prepared.capabilityId,
        input: readQuestion(prepared.request),
      } as Question;
      await showAnswer(session, client, { paid, question, paidBy });
    });
}

function addVerifyCommand(program: Command, terminal: Terminal): void {
  program
    .command("verify")
    .argument("<file>", "answer saved with --save or printed with --json; - reads standard input")
    .addOption(signerOption())
    .option(
      "--log-key <base64>",
      "key of the log that the receipt must be in (log.publicKey of /.well-known/assay.json)",
      parseLogKey,
    )
    .description(
      "check a saved answer offline: hashes, signature, the verdict computed again from its readings, " +
        "the proofs of the readings, and the receipt's place in the log",
    )
    .addHelpText(
      "after",
      exampleText(
        [
          "verify guard.json --url http://127.0.0.1:8402",
          "verify guard.json --signer 0xdA9996Deee54FDaa447169f4112938e00341589D --log-key DlstooFYtez+/5VSGXMGXjR5CAvULBhzEpcAirQxgQ8=",
        ],
        "Without --signer the file can only be found self-consistent: anybody may have written it. With --url, the keys that the service at that address states now are expected, or those that a --signer leads to by the service's statements; without it nothing is asked of anybody.\nExit codes: 0 verified, 1 a step failed, 2 there is no such file or it is not JSON, 6 self-consistent only.",
      ),
    )
    .action(async (file: string, flags: { signer?: Hex; logKey?: string }, command: Command) => {
      const value = await readJsonFile(file, terminal);
      const [{ checkResult }, { readSaved }, { formatVerification }] = await Promise.all([
        import("../checkResult.js"),
        import("../readSaved.js"),
        import("./formatVerification.js"),
      ]);
      const session = await startSession(terminal, command);
      const isServiceNamed = ["cli", "env"].includes(command.getOptionValueSourceWithGlobals("url") ?? "");
      const describe = isServiceNamed ? () => session.open().describe() : undefined;
      const saved = readSaved(value);
      const keys = await findExpectedKeys(typeof saved === "string" ? undefined : saved, flags, describe);
      const verification = await checkResult(value, keys);
      session.show(verification, (shown) => formatVerification(shown, saved, terminal.paint));
      terminal.exitCode = verifyCodes[verification.conclusion];
    });
}
