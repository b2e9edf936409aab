import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { JournalEntry } from "../proxy/journal.js";
import { DEFAULT_MAX_PER_DAY_USD, DEFAULT_MAX_PRICE_USD } from "./config.js";
import { exampleText } from "./exampleText.js";
import { formatEntry } from "./formatJournal.js";
import { parseCount, parseUpstreamUrl, parseUsd } from "./parseArguments.js";
import { type Session, startSession } from "./session.js";
import { signerOption } from "./signerOption.js";
import { stateFolder } from "./stateFolder.js";
import type { Terminal } from "./terminal.js";
import { alignRows, formatUsd, jsonLine, page, printable } from "./text.js";
import { UsageError } from "./usageError.js";

interface ProxyFlags {
  readonly rpc?: string;
  readonly port: number;
  readonly host: string;
  readonly policy?: string;
  readonly journal?: string;
  readonly origin: readonly string[];
  readonly signer?: Hex;
  readonly maxPrice?: number;
  readonly maxPerDay?: number;
}

/** The file of the journal, unless another one is named. */
export const journalFile = (terminal: Terminal, named?: string): string =>
  named ?? join(stateFolder(terminal.env), "journal.jsonl");

const remarks = `Give your program this address as its RPC URL and change nothing else. Reads pass byte for byte. What signs or sends is judged
first: eth_sendTransaction, eth_sendRawTransaction (decoded), eth_signTransaction, eth_signTypedData_v4, personal_sign,
wallet_sendCalls, eth_sendUserOperation and their like. An allow is forwarded, a review is asked about at this terminal (and refused
where there is none), a block is refused, and so is what could not be judged. --policy changes that; docs/proxy.md explains it.
A refusal is a JSON-RPC error (4001) whose data holds verdict, reasons, receipt and the journal's id.
Each verdict costs money: --max-price limits one, --max-per-day all of a day (UTC), also across restarts.`;

export function addProxyCommand(program: Command, terminal: Terminal): void {
  program
    .command("proxy")
    .description("a JSON-RPC endpoint in front of a node or wallet that judges what signs or sends")
    .addOption(
      new Option("--rpc <url>", "the node or wallet, by http(s) or ws(s)")
        .env("ASSAY_RPC")
        .argParser(parseUpstreamUrl),
    )
    .addOption(new Option("--port <number>", "port to listen on").argParser(parseCount).default(8545))
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--policy <file>", "what to forward, ask about and refuse; read again when it changes")
    .option(
      "--journal <file>",
      "where every decision is written (default: journal.jsonl in the state folder)",
    )
    .addOption(
      new Option("--origin <origins...>", "sites whose pages may ask")
        .argParser((text: string, before: string[]) => [...before, parseOrigin(text)])
        .default([], "none"),
    )
    .addOption(signerOption())
    .addOption(
      new Option(
        "--max-price <usd>",
        `pay no verdict above this (default: ${DEFAULT_MAX_PRICE_USD})`,
      ).argParser(parseUsd),
    )
    .addOption(
      new Option(
        "--max-per-day <usd>",
        `pay no more in one day (default: ${DEFAULT_MAX_PER_DAY_USD})`,
      ).argParser(parseUsd),
    )
    .addHelpText(
      "after",
      exampleText(
        [
          "proxy --rpc https://mainnet.base.org",
          "proxy --rpc https://mainnet.base.org --port 8546 --max-per-day 2",
        ],
        remarks,
      ),
    )
    .action(async (_flags, command: Command) => {
      const session = await startSession<ProxyFlags>(terminal, command);
      const signal = terminal.abortOnInterrupt();
      const proxy = await open(session);
      const onHangUp = () => void proxy.reload();
      process.on("SIGHUP", onHangUp);
      try {
        if (!signal.aborted)
          await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
      } finally {
        process.off("SIGHUP", onHangUp);
        await proxy.stop();
      }
    });
}

function parseOrigin(text: string): string {
  if (text !== "*" && !/^https?:\/\/[^\s/?#@]+$/.test(text))
    throw new InvalidArgumentError("Give an origin such as https://app.example, or *.");
  return text;
}

async function open(session: Session<ProxyFlags>) {
  const { options, terminal, config } = session;
  const rpc = options.rpc ?? config?.rpc;
  if (rpc === undefined)
    throw new UsageError("assay proxy needs the node that it stands in front of: give --rpc.");
  const [wallet, { openProxy }, { spendingFolder }] = await Promise.all([
    session.getWallet(),
    import("../proxy/openProxy.js"),
    import("./spendWithinDay.js"),
  ]);
  const signer = await findSigner(session);
  const policyFile = options.policy ?? config?.policyFile;
  const file = journalFile(terminal, options.journal);
  const maxPriceUsd = options.maxPrice ?? config?.maxPriceUsd ?? DEFAULT_MAX_PRICE_USD;
  const maxPerDayUsd = options.maxPerDay ?? config?.maxPerDayUsd ?? DEFAULT_MAX_PER_DAY_USD;
  const baseUrl = options.url.replace(/\/+$/, "");
  const proxy = await openProxy({
    rpc,
    host: options.host,
    port: options.port,
    origins: options.origin,
    client: {
      baseUrl,
      account: wallet.account,
      signer,
      maxPriceUsd,
      ...(options.asset && { assets: [options.asset] }),
      ...(config?.channel && { channel: await findChannel(session, baseUrl, wallet.account.address) }),
    },
    policyFile,
    journalFile: file,
    ledgerFolder: spendingFolder(session),
    maxPerDayUsd,
    askPerson: createPrompt(terminal),
    report(entry) {
      // The prompt shows it.
      const isShown = entry.event === "asked" && terminal.ask !== undefined && !options.json;
      if (!isShown) terminal.print(options.json ? jsonLine(entry) : formatEntry(entry));
    },
    onPolicy: (outcome) =>
      terminal.warn(
        outcome instanceof Error
          ? `assay: the policy stays as it was. ${outcome.message}\n`
          : "assay: the policy was read again.\n",
      ),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE")
      throw new UsageError(`Port ${options.port} is in use. Give another one with --port.`);
    if (error.code === "ENOENT") throw new UsageError(`${policyFile} cannot be read.`);
    throw error;
  });
  session.show(
    { url: proxy.url, policy: policyFile ?? null, journal: file, payer: wallet.account.address, signer },
    () =>
      page([
        `assay proxy listens at ${proxy.url}, in front of ${new URL(rpc).host}.`,
        ...alignRows([
          ["policy", policyFile ?? "allow passes, review is asked about, block is refused"],
          ["journal", file],
          [
            "pays",
            `${wallet.label}, ${formatUsd(maxPriceUsd)} a verdict and ${formatUsd(maxPerDayUsd)} a day at most`,
          ],
          ["service", `${baseUrl}, which must sign with ${signer}`],
        ]),
      ]),
  );
  return proxy;
}

async function findSigner(session: Session<ProxyFlags>): Promise<Hex> {
  const known = session.options.signer ?? session.config?.signer;
  if (known !== undefined) return known;
  const { signingAddress } = await session.open().describe();
  session.terminal.warn(
    `assay: the service says that it signs with ${signingAddress}, and is believed for this run. Keep it with assay init or --signer.\n`,
  );
  return signingAddress;
}

async function findChannel({ terminal, config }: Session<ProxyFlags>, url: string, payer: string) {
  const { openChannelFile } = await import("./channelFile.js");
  return {
    depositUsd: config?.channel?.depositUsd ?? 0,
    store: openChannelFile(terminal.env, url, payer).store,
  };
}

/** One question at a time; undefined where nobody sits at the terminal. */
function createPrompt({ ask, warn }: Terminal) {
  if (!ask) return undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (entry: JournalEntry, signal: AbortSignal): Promise<boolean | undefined> => {
    const answer = last.then(async () => {
      if (signal.aborted) return undefined;
      warn(`${formatEntry(entry)}  ${printable(entry.summary ?? "")}\n`);
      const given = await ask("  Forward it? [y/N] ", signal).catch(() => undefined);
      return given === undefined ? undefined : /^y(es)?$/i.test(given.trim());
    });
    last = answer.catch(() => {});
    return answer;
  };
}
