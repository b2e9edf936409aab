import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Hex } from "@assay/protocol";
import { type Command, Option } from "commander";
import {
  configFile,
  configFolder,
  DEFAULT_MAX_PER_DAY_USD,
  DEFAULT_MAX_PRICE_USD,
  findConfig,
} from "./config.js";
import { describeFileError } from "./describeFileError.js";
import { exampleText } from "./exampleText.js";
import { findLocalChain, isOnThisMachine } from "./findLocalChain.js";
import { parseUpstreamUrl, parseUsd } from "./parseArguments.js";
import { readTestAccounts, testAccountsFile } from "./readTestAccounts.js";
import { type Session, startSession } from "./session.js";
import { signerOption } from "./signerOption.js";
import type { Terminal } from "./terminal.js";
import { alignRows, formatUsd, page } from "./text.js";
import { UsageError } from "./usageError.js";

interface InitFlags {
  readonly signer?: Hex;
  readonly rpc?: string;
  readonly maxPrice: number;
  readonly maxPerDay: number;
  readonly deposit?: number;
  readonly privateKeyFile?: string;
}

export function addInitCommand(program: Command, terminal: Terminal): void {
  program
    .command("init")
    .description("write a key, a policy and a configuration, which all commands then use")
    .addOption(signerOption())
    .addOption(
      new Option("--rpc <url>", "the node that assay proxy stands in front of").argParser(parseUpstreamUrl),
    )
    .addOption(
      new Option("--max-price <usd>", "pay no single answer above this")
        .argParser(parseUsd)
        .default(DEFAULT_MAX_PRICE_USD),
    )
    .addOption(
      new Option("--max-per-day <usd>", "pay no more than this in one day (UTC), all commands together")
        .argParser(parseUsd)
        .default(DEFAULT_MAX_PER_DAY_USD),
    )
    .addOption(
      new Option("--deposit <usd>", "pay from a channel, with deposits of this size").argParser(parseUsd),
    )
    .addHelpText(
      "after",
      exampleText(
        ["init", "init --rpc https://mainnet.base.org --max-per-day 2"],
        `It writes config.json, policy.json and, unless --private-key-file names one, a key that only you can read: a new one, or on the
local chain of npm start and with --wallet that of a test wallet. They are in XDG_CONFIG_HOME/assay or ~/.config/assay;
ASSAY_CONFIG names another config.json. Nothing is overwritten.
The service's signing address is asked at this first visit and kept; --signer gives one that you know.`,
      ),
    )
    .action(async (flags: InitFlags, command: Command) => {
      const { env } = terminal;
      const path = configFile(env);
      if (await exists(path))
        throw new UsageError(`${path} exists already. Edit it, or move it away to begin anew.`);
      const session = await startSession<InitFlags>(terminal, command);
      const signer = flags.signer ?? (await session.open().describe()).signingAddress;
      const folder = configFolder(env);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { url, dataDir, wallet: testWallet, privateKeyFile } = session.options;
      if (privateKeyFile !== undefined && testWallet !== undefined)
        throw new UsageError("Give --private-key-file or --wallet, not both.");
      const localRpc = await findLocalChain(url, dataDir);
      // On the local chain a test wallet pays, as it does for every other command.
      const isTest = privateKeyFile === undefined && (testWallet !== undefined || localRpc !== undefined);
      const test = isTest ? await findTestWallet(dataDir, testWallet) : undefined;
      const keyFile = privateKeyFile ?? join(folder, "key");
      const isNew = await writeKey(keyFile, test?.privateKey);
      const policyFile = join(folder, "policy.json");
      const { examplePolicy } = await import("../proxy/policy.js");
      await writeNew(policyFile, `${JSON.stringify(examplePolicy, null, 2)}\n`);
      const settings = {
        url: session.options.url.replace(/\/+$/, ""),
        signer,
        // Other names are read from the folder of the configuration.
        keyFile: privateKeyFile === undefined ? "key" : resolve(privateKeyFile),
        policyFile: "policy.json",
        ...(flags.rpc !== undefined && { rpc: flags.rpc }),
        maxPriceUsd: flags.maxPrice,
        maxPerDayUsd: flags.maxPerDay,
        ...(flags.deposit !== undefined && { channel: { depositUsd: flags.deposit } }),
      };
      // Last: a run that was interrupted can be repeated.
      await writeNew(path, `${JSON.stringify(settings, null, 2)}\n`);
      // As every later command reads it.
      await findConfig({ ...env, ASSAY_CONFIG: path });
      const { privateKeyToAccount } = await import("viem/accounts");
      const { address } = privateKeyToAccount(await readKey(keyFile));
      const funding =
        isNew && test
          ? "Nothing to fund: it has play money, on the local chain alone. Everybody knows its key, so send it nothing real."
          : await describeFunding(session, address, path);
      session.show({ address, isNewKey: isNew, config: path, policy: policyFile, keyFile, signer }, () =>
        page([
          `Written. ${describeWallet(isNew, test?.name)}, ${address}, pays for answers.`,
          ...alignRows([
            ["service", `${settings.url}, which signs with ${signer}`],
            ["limits", `${formatUsd(flags.maxPrice)} an answer, ${formatUsd(flags.maxPerDay)} a day`],
            ["configuration", path],
            ["policy", policyFile],
            ["key", `${keyFile}, readable by you only`],
          ]),
          "Next:",
          `  1. ${funding}`,
          `  2. assay proxy${flags.rpc ? "" : ` --rpc ${localRpc ?? "https://mainnet.base.org"}`}, and give your program http://127.0.0.1:8545 as its RPC URL.`,
          "  3. Or: assay mcp for an agent that speaks MCP; assay check for anything you want to know now.",
        ]),
      );
    });
}

/**
 * What to do first. A service on a local chain takes no real money; its test wallets are found by the data directory, which is another
 * one where the command runs in another folder than the service.
 */
async function describeFunding({ options, open }: Session<InitFlags>, address: Hex, path: string) {
  const { url } = options;
  const isLocal =
    isOnThisMachine(url) &&
    (await open()
      .findLocalChain()
      .catch(() => undefined));
  return isLocal
    ? `Send nothing real: this service runs on a local chain, where test wallets pay. For one of them, move ${path} and the key beside it away, and run assay init where npm start runs, or with --data-dir.`
    : `Send a few dollars of USDC on Base to ${address}. It needs no ether.`;
}

const describeWallet = (isNew: boolean, testName: string | undefined) =>
  isNew ? (testName === undefined ? "A new wallet" : `The test wallet ${testName}`) : "Your wallet";

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes a file that is not there yet; an existing one stays as it is. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new UsageError(`${path} cannot be written: ${describeFileError(error)}.`);
  }
}

/** The key of --wallet, else of the first test wallet. */
async function findTestWallet(dataDir: string, name: string | undefined) {
  const file = testAccountsFile(dataDir);
  const accounts = (await readTestAccounts(file)) ?? [];
  const found = name === undefined ? accounts[0] : accounts.find((one) => one.name === name);
  if (!found) throw new UsageError(`There is no test wallet ${name ?? ""} in ${file}.`);
  return found;
}

/** This key, else a new one, unless there is one. A key that others can read is closed to them. */
async function writeKey(path: string, key: string | undefined): Promise<boolean> {
  const { generatePrivateKey } = await import("viem/accounts");
  const isNew = await writeNew(path, `${key ?? generatePrivateKey()}\n`);
  if (!isNew && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
  await readKey(path);
  return isNew;
}

async function readKey(path: string): Promise<Hex> {
  const digits = (await readFile(path, "utf8")).trim().replace(/^0x/, "");
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new UsageError(`The key in ${path} must be a private key: 64 hex digits.`);
  return `0x${digits}`;
}
