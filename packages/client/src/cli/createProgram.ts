import { readFile } from "node:fs/promises";
import { addressSchema, type CapabilityId, capabilityCatalog, type Hex, type Verdict } from "@assay/protocol";
import { Command, InvalidArgumentError, Option } from "commander";
import {
  BASE_USDC,
  type CapabilityArguments,
  type Client,
  createClient,
  type PaidAnswer,
} from "../createClient.js";
import { NoAccountError } from "../errors.js";
import type { PreparedPayment } from "../preparedPayment.js";
import { readSaved } from "../readSaved.js";
import { verifyResult } from "../verifyResult.js";
import { findWallet, type Wallet, type WalletOptions } from "./findWallet.js";
import { formatAnswer } from "./formatAnswer.js";
import { formatCatalog, formatHealth, formatQuote, formatReceipt } from "./formatListings.js";
import { formatVerification } from "./formatVerification.js";
import { listInputOptions, readInput } from "./inputOptions.js";
import { saveAnswer } from "./saveAnswer.js";
import { createPaint } from "./text.js";
import { UsageError } from "./usageError.js";
import { verifyWritable } from "./verifyWritable.js";

/** Of the package; every package of the workspace has the same. */
const VERSION = "0.1.0";

interface GlobalOptions extends WalletOptions {
  readonly url: string;
  readonly json?: true;
  readonly asset: Hex;
}

const exitCodes: Record<Verdict, number> = { allow: 0, review: 10, block: 20 };

const paint = createPaint(process.stdout, process.env.NO_COLOR);
const print = (text: string) => process.stdout.write(text);
const printJson = (value: unknown) => print(`${JSON.stringify(value)}\n`);

/** The `assay` command. */
export function createProgram(): Command {
  const program = new Command("assay")
    .version(VERSION, "--version")
    .description("Ask an Assay service for verdicts about Base, pay per call, and check what it answered.")
    .addOption(
      new Option("--url <url>", "address of the service").env("ASSAY_URL").default("http://127.0.0.1:8402"),
    )
    .option("--json", "print the JSON as the service sent it, and nothing else")
    .option(
      "--private-key-file <file>",
      "file with the private key of the paying wallet (else ASSAY_PRIVATE_KEY)",
    )
    .option("--wallet <name>", "test wallet by name, from devnet.json in the data directory")
    .option("--data-dir <dir>", "data directory of a service that runs here", ".data")
    .option("--asset <address>", "stablecoin to pay in", parseAddress, BASE_USDC)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows the options)")
    .addHelpText(
      "after",
      `
Examples:
  assay catalog
  assay call chain.snapshot
  assay quote contract.guard --address 0x4200000000000000000000000000000000000006
  assay call contract.guard --address 0x4200000000000000000000000000000000000006 --save guard.json
  assay verify guard.json

Exit codes: 0 allow (or done), 10 review, 20 block, 1 error.
A wallet is taken from --private-key-file, --wallet, ASSAY_PRIVATE_KEY, or the first test wallet in .data/devnet.json.`,
    );
  addReadCommands(program);
  addQuoteCommand(program);
  addCallCommand(program);
  addResumeCommand(program);
  addVerifyCommand(program);
  return program;
}

function open(options: GlobalOptions, wallet?: Wallet): Client {
  if (!URL.canParse(options.url)) throw new UsageError(`--url ${options.url} is not a URL.`);
  return createClient({
    baseUrl: options.url,
    account: wallet?.account,
    assets: [options.asset],
  });
}

async function getWallet(options: GlobalOptions): Promise<Wallet> {
  const wallet = await findWallet(options, process.env.ASSAY_PRIVATE_KEY);
  if (!wallet) throw new NoAccountError("This");
  return wallet;
}

function addReadCommands(program: Command): void {
  const show = <T>(options: GlobalOptions, value: T, format: (value: T) => string) =>
    options.json ? printJson(value) : print(format(value));
  program
    .command("catalog")
    .description("list what is on sale and what it costs")
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      show(options, await open(options).catalog(), (catalog) => formatCatalog(catalog, paint));
    });
  program
    .command("health")
    .description("whether the service can answer, and what is missing if not")
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const health = await open(options).health();
      show(options, health, (value) => formatHealth(value, paint));
      if (health.status !== "ready") process.exitCode = 1;
    });
  program
    .command("receipt")
    .argument("<invocationId>", "from a result or its receipt URL")
    .description("state, price and transaction of a paid call")
    .action(async (invocationId: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      show(options, await open(options).receipt(invocationId), formatReceipt);
    });
}

/** One subcommand per capability, each with its own input options. */
function addCapabilityCommands(
  parent: Command,
  extend: (command: Command) => void,
  act: (id: CapabilityId, input: CapabilityArguments<CapabilityId>, command: Command) => Promise<void>,
): void {
  for (const { id, summary } of capabilityCatalog) {
    const command = parent.command(id).description(summary);
    for (const { option } of listInputOptions(id)) command.addOption(option);
    extend(command);
    command.configureHelp({ showGlobalOptions: true }).action(async () => {
      // The service checks the input: it knows rules that a newer version may have added.
      const input = readInput(id, command.opts()) as CapabilityArguments<CapabilityId>;
      await act(id, input, command);
    });
  }
}

function addQuoteCommand(program: Command): void {
  const quote = program
    .command("quote")
    .description("the price of a call for your wallet; free, stands for a minute");
  addCapabilityCommands(
    quote,
    () => {},
    async (id, input, command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const wallet = await getWallet(options);
      const answer = await open(options, wallet).quote(id, input);
      if (options.json) printJson(answer);
      else print(formatQuote(answer, wallet.label));
    },
  );
}

interface CallFlags extends GlobalOptions {
  readonly maxPrice?: number;
  readonly quote: boolean;
  readonly save?: string;
}

function addCallCommand(program: Command): void {
  const call = program.command("call").description("ask, pay and print the verdict");
  addCapabilityCommands(
    call,
    (command) =>
      command
        .addOption(
          new Option("--max-price <usd>", "sign nothing above this (default: 1)").argParser(parseUsd),
        )
        .option("--no-quote", "pay the plain challenge instead of a quote")
        .option("--save <file>", "write the answer with its receipt, for assay verify"),
    async (id, input, command) => {
      const options = command.optsWithGlobals<CallFlags>();
      const wallet = await getWallet(options);
      if (options.save !== undefined) await verifyWritable(options.save);
      const paid = await open(options, wallet).call(id, input, {
        useQuote: options.quote ? undefined : false,
        maxPriceUsd: options.maxPrice,
        signal: abortOnInterrupt(),
      });
      await showAnswer(paid, wallet.label, options);
    },
  );
}

function parseAddress(text: string): Hex {
  const parsed = addressSchema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError("Give an address: 0x and 40 hex digits.");
  return parsed.data;
}

function parseLogKey(text: string): string {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32 || key.toString("base64") !== text)
    throw new InvalidArgumentError("Give an Ed25519 key: 32 bytes in base64.");
  return text;
}

function parseUsd(text: string): number {
  const usd = Number(text);
  if (!/^[0-9]+(\.[0-9]{1,6})?$/.test(text) || !(usd > 0))
    throw new InvalidArgumentError("Give an amount in USD, as 0.25.");
  return usd;
}

/** An interrupted call whose payment is out must still say so, and keep the payment. */
function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort(new Error("interrupted")));
  return controller.signal;
}

async function showAnswer(
  paid: PaidAnswer,
  paidBy: string,
  options: GlobalOptions & { readonly save?: string },
): Promise<void> {
  // Printed before saving: an answer that was paid for is not lost to a disk that fills up meanwhile.
  print(options.json ? `${new TextDecoder().decode(paid.rawBody)}\n` : formatAnswer(paid, paidBy, paint));
  if (options.save !== undefined) {
    const why = await saveAnswer(open(options), paid, options.save);
    if (why) process.stderr.write(`assay: ${options.save} holds the answer without its receipt: ${why}\n`);
  }
  process.exitCode = exitCodes[paid.answer.verdict];
}

function addResumeCommand(program: Command): void {
  program
    .command("resume")
    .argument("<file>", "payment kept by an earlier assay call")
    .option("--save <file>", "write the answer with its receipt, for assay verify")
    .description("get the answer of a payment whose outcome was unknown, without paying again")
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { save?: string }>();
      const prepared = (await readJsonFile(file)) as PreparedPayment;
      if (typeof prepared?.paymentSignature !== "string" || !URL.canParse(prepared.request?.url)) {
        throw new UsageError(`${file} holds no payment kept by assay call.`);
      }
      if (options.save !== undefined) await verifyWritable(options.save);
      const paid = await open(options).send(prepared, { signal: abortOnInterrupt() });
      await showAnswer(paid, `wallet ${prepared.payer}`, options);
    });
}

async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
}

function addVerifyCommand(program: Command): void {
  program
    .command("verify")
    .argument("<file>", "answer saved with --save or printed with --json")
    .option(
      "--signer <address>",
      "address the service must have signed with (signingAddress of /.well-known/assay.json)",
      parseAddress,
    )
    .option(
      "--log-key <base64>",
      "key its log must have signed with (log.publicKey of /.well-known/assay.json); no place in that log is a failure",
      parseLogKey,
    )
    .description(
      "check a saved answer offline: hashes, signature, the verdict reached again from its readings, " +
        "those proven to the block's hash, and the receipt's place in the log",
    )
    .action(async (file: string, flags: { signer?: Hex; logKey?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const value = await readJsonFile(file);
      const verification = await verifyResult(value, flags);
      if (options.json) printJson(verification);
      else print(formatVerification(verification, readSaved(value), paint));
      if (!verification.ok) process.exitCode = 1;
    });
}
