import { stat } from "node:fs/promises";
import { type CapabilityId, getCapability } from "@assay/capabilities/capabilities";
import type { Hex } from "@assay/protocol";
import { type Command, Option } from "commander";
import type { CapabilityArguments } from "../capabilityArguments.js";
import type { Question } from "../checkResult.js";
import type { Client } from "../createClient.js";
import type { PossibleQuestion } from "../recognize/recognized.js";
import { exampleText } from "./exampleText.js";
import { failureCodes, OTHER_CODES } from "./exitCodes.js";
import { parseAddress, parseUsd } from "./parseArguments.js";
import { readText } from "./pastedTransaction.js";
import { rpcOption } from "./rpcOption.js";
import { type Session, startSession } from "./session.js";
import { type AnswerFlags, loadVerifier, showAnswer } from "./showAnswer.js";
import { signerOption } from "./signerOption.js";
import type { Terminal } from "./terminal.js";
import { formatUsd, page, printable } from "./text.js";
import { UsageError } from "./usageError.js";
import { verifyWritable } from "./verifyWritable.js";

interface CheckFlags extends AnswerFlags {
  readonly from?: Hex;
  readonly to?: Hex;
  readonly value?: string;
  readonly entryPoint?: Hex;
  readonly origin?: string;
  readonly tx?: string;
  readonly capability?: string;
  readonly rpc?: string;
  readonly maxPrice?: number;
  readonly yes?: true;
  readonly channel: boolean;
}

export function addCheckCommand(program: Command, terminal: Terminal): void {
  program
    .command("check")
    .argument("[anything]", "what to check, in quotation marks; - reads standard input")
    .option("--tx <text|file|->", "the same from a text, a file or standard input (-)")
    .description("find out what something is, ask the capability that judges it, pay and print the verdict")
    .addOption(new Option("--from <address>", "account that would send or sign it").argParser(parseAddress))
    .addOption(new Option("--to <address>", "contract that calldata is for").argParser(parseAddress))
    .option("--value <wei>", "wei that go with calldata, decimal or 0x hex")
    .addOption(
      new Option("--entry-point <address>", "entry point of a user operation").argParser(parseAddress),
    )
    .option("--origin <origin>", "origin of the site that asks for a signature")
    .option("--capability <id>", "ask this capability, where several fit")
    .addOption(rpcOption())
    .addOption(new Option("--max-price <usd>", "sign nothing above this").argParser(parseUsd))
    .option("--no-channel", "pay this call by itself, although there is a channel")
    .addOption(new Option("--save <file>", "write the answer with its receipt, for assay verify"))
    .addOption(signerOption())
    .option("-y, --yes", "pay the price without being asked")
    .addHelpText(
      "after",
      exampleText(
        [
          "check 0x4200000000000000000000000000000000000006 --yes",
          "check USDC --yes",
          `check ${getCapability("web.compile").example.url} --yes`,
        ],
        `It takes an address, the hash of a transaction, a transaction or a request to a wallet as JSON, a signed transaction,
calldata, an EIP-712 document, a text to sign, a user operation, a batch of calls, an authorization, the address of a page,
or the symbol of a known token. What it is, what is asked and the price are shown first; without --yes you are asked
whether to pay, and where nobody can be asked nothing is paid. A node of yours (--rpc) tells tokens from other contracts.
Exit codes: 0 allow, 10 review, or an allow that has ended, 20 block, ${OTHER_CODES}.`,
      ),
    )
    .action(async (given: string | undefined, { tx }: CheckFlags, command: Command) =>
      check(terminal, command, await readGiven(terminal, given, tx)),
    );
}

async function readGiven(
  terminal: Terminal,
  given: string | undefined,
  tx: string | undefined,
): Promise<string> {
  if (given !== undefined && tx !== undefined)
    throw new UsageError("Give what to check as an argument or with --tx, not both.");
  if (tx !== undefined) return readText("--tx", tx, terminal);
  if (given === undefined) throw new UsageError("Say what to check, or give --tx with a file or -.");
  // A page may have the same name, and reading it is paid for.
  if (/^[^\s:{["]+\.[^\s:{["]+$/.test(given) && (await stat(given).catch(() => undefined))?.isFile())
    throw new UsageError(
      `${given} is a file here, and may be a page too: give --tx ${given} for what it holds, or https://${given} for the page.`,
    );
  return given === "-" ? terminal.readInput() : given;
}

async function check(terminal: Terminal, command: Command, given: string): Promise<void> {
  const session = await startSession<CheckFlags>(terminal, command);
  const question = await findQuestion(session, given);
  const { options } = session;
  const { capabilityId: id, input } = question;
  const wallet = await session.getWallet();
  if (options.save !== undefined) await verifyWritable(options.save);
  const signal = terminal.abortOnInterrupt();
  const { openCallChannel } = await import("./openCallChannel.js");
  const channel = options.channel ? await openCallChannel(session, wallet) : undefined;
  const client = session.open(wallet, { signer: options.signer, channel });
  const priceUsd = await findPrice(client, id, input as CapabilityArguments<CapabilityId>);
  const isAgreed = options.yes ?? (await agree(session, `Pay ${formatUsd(priceUsd)} from ${wallet.label}?`));
  if (isAgreed !== true) {
    terminal.warn(
      isAgreed === undefined
        ? `assay: It costs ${formatUsd(priceUsd)}. Nothing was paid, because nobody can be asked here: pass --yes.\n`
        : "assay: Nothing was paid.\n",
    );
    terminal.exitCode = failureCodes.notPaid;
    return;
  }
  // What was shown is what is paid, or less.
  const [{ DEFAULT_MAX_PRICE_USD }, { spendWithinDay }] = await Promise.all([
    import("../readLimit.js"),
    import("./spendWithinDay.js"),
  ]);
  const maxPriceUsd = Math.min(
    priceUsd,
    options.maxPrice ?? session.config?.maxPriceUsd ?? DEFAULT_MAX_PRICE_USD,
  );
  const [paid] = await terminal.whileWaiting(`${id}: quote, payment, answer`, () =>
    Promise.all([
      spendWithinDay(session, maxPriceUsd, client.spentUsd, (most) =>
        client.callUnverified(id, input as never, { maxPriceUsd: most, signal }),
      ),
      loadVerifier(),
    ]),
  );
  await showAnswer(session, client, {
    paid,
    question: { capabilityId: id, input } as Question,
    paidBy: wallet.label,
  });
}

/** Says what it is and what will be asked, on standard error: standard output has the answer alone. */
async function findQuestion(session: Session<CheckFlags>, given: string): Promise<PossibleQuestion> {
  const { terminal, options, config } = session;
  const [{ recognize }, { chooseQuestion, NothingToAskError, titleOf }, { listKnownTokens }] =
    await Promise.all([
      import("../recognize/recognize.js"),
      import("../recognize/chooseQuestion.js"),
      import("@assay/capabilities/knownTokens"),
    ]);
  const { from, to, value, entryPoint, origin, capability, rpc: node = config?.rpc } = options;
  if (value !== undefined && !/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value))
    throw new UsageError("--value must be in wei: a decimal integer, or 0x and hex digits.");
  const found = recognize(given, { from, to, value, entryPoint, origin, tokens: listKnownTokens() });
  try {
    const question = await chooseQuestion(found, { capability, node });
    const others = found.questions
      .map(({ capabilityId }) => capabilityId)
      .filter((id) => id !== question.capabilityId);
    terminal.warn(
      page([
        `This is ${printable(found.title)}.`,
        `Asks ${question.capabilityId}: ${titleOf(question.capabilityId)}`,
        ...(others.length > 0 ? [`Others that take it: ${others.join(", ")} (--capability)`] : []),
      ]),
    );
    return question;
  } catch (error) {
    if (error instanceof NothingToAskError) throw new UsageError(describeAsOptions(error.message));
    throw error;
  }
}

/** The words of the command line for what is missing. */
const describeAsOptions = (sentence: string) =>
  sentence.replace(
    /\b(from|to|entryPoint), the/g,
    (_, name) => `${name === "entryPoint" ? "--entry-point" : `--${name}`}, the`,
  );

async function findPrice(
  client: Client,
  id: CapabilityId,
  input: CapabilityArguments<CapabilityId>,
): Promise<number> {
  // A quote travels in the query of a URL, which long calldata does not fit into.
  const isLong = JSON.stringify(input).length > 6_000;
  return isLong ? client.price(id, input as never) : (await client.quote(id, input as never)).priceUsd;
}

/** Undefined where nobody can be asked. */
const agree = ({ terminal, options }: Session<object>, question: string): Promise<boolean | undefined> =>
  options.json ? Promise.resolve(undefined) : terminal.confirm(question);
