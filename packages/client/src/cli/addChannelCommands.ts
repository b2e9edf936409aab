import { type Command, Option } from "commander";
import type { ChannelStatus } from "../channel/channelContext.js";
import type { ClosedChannel } from "../channel/closeChannel.js";
import { exampleIds, exampleText } from "./exampleText.js";
import { parseUsd } from "./parseArguments.js";
import { makeRequired } from "./requiredOptions.js";
import { rpcOption } from "./rpcOption.js";
import { type Session, startSession } from "./session.js";
import type { Terminal } from "./terminal.js";
import { alignRows, formatUsd, page } from "./text.js";
import { UsageError } from "./usageError.js";

const whatItIs = `A channel holds a deposit in the contract of x402's scheme batch-settlement. The wallet pays each call with a signature over
everything that the channel may be charged so far; the service claims that later. Only the deposit and the close are transactions,
and the service sends both: no gas, and calls answer sooner. The price of a call stays the same.
Use it from about ten calls on. The service can claim what was signed and no more. The rest comes back with assay channel close;
should the service refuse, the wallet withdraws it from the contract itself, after the delay that assay channel status shows.`;

/** Payment channels of this machine's wallets. */
export function addChannelCommands(program: Command, terminal: Terminal): void {
  const channel = program
    .command("channel")
    .description("pay many calls from one deposit: open, status, close")
    .addHelpText(
      "after",
      exampleText(["channel open --deposit 0.5", "channel status", "channel close"], whatItIs),
    );
  addOpen(channel, terminal);
  addStatus(channel, terminal);
  addClose(channel, terminal);
}

/** The session, its wallet and the file of the wallet's channel to the service. */
async function startWithFile<Options>(terminal: Terminal, command: Command) {
  const session: Session<Options> = await startSession<Options>(terminal, command);
  const [wallet, { openChannelFile }] = await Promise.all([session.getWallet(), import("./channelFile.js")]);
  const file = openChannelFile(terminal.env, session.options.url, wallet.account.address);
  return { session, wallet, file };
}

function addOpen(channel: Command, terminal: Terminal): void {
  const open = channel
    .command("open")
    .description("let assay call pay from a channel; the first call makes the deposit")
    .addOption(
      makeRequired(
        new Option(
          "--deposit <usd>",
          "what the first call deposits, and a later one when it is used up",
        ).argParser(parseUsd),
      ),
    )
    .addOption(
      new Option("--max-price <usd>", "no call above this (default: 1, or the deposit)").argParser(parseUsd),
    )
    .addHelpText(
      "after",
      exampleText(
        ["channel open --deposit 0.5", "channel open --deposit 0.5 --max-price 0.1"],
        `${whatItIs}
Nothing is signed or paid by this command. Opened again, it changes the deposit and the limit of later calls.`,
      ),
    );
  open.action(async (flags: { deposit: number; maxPrice?: number }, command: Command) => {
    const { session, wallet, file } = await startWithFile(terminal, command);
    if (flags.maxPrice !== undefined && flags.maxPrice > flags.deposit)
      throw new UsageError("--max-price must not be above --deposit, which pays for it.");
    const terms = { depositUsd: flags.deposit, maxPriceUsd: flags.maxPrice };
    await file.store.exclusively(() => file.open(terms));
    session.show({ ...terms, payer: wallet.account.address, file: file.path }, () =>
      page([
        `assay call now pays from a channel of ${wallet.label}.`,
        ...alignRows([
          ["deposit", `${formatUsd(flags.deposit)} with the first call, and again when it is used up`],
          ["kept in", file.path],
        ]),
      ]),
    );
  });
}

function addStatus(channel: Command, terminal: Terminal): void {
  channel
    .command("status")
    .description("what the channel holds, what was charged, and what is left; asks nobody")
    .addHelpText("after", exampleText(["channel status"]))
    .action(async (_flags, command: Command) => {
      const { session, wallet, file } = await startWithFile(terminal, command);
      const kept = await file.read();
      const status =
        kept &&
        (await session.open(wallet, { channel: { ...kept.terms, store: file.store } }).channelStatus());
      session.show({ terms: kept?.terms ?? null, channel: status ?? null }, () =>
        status ? formatStatus(status) : describeNone(wallet.label, kept !== undefined),
      );
    });
}

const describeNone = (wallet: string, isAgreed: boolean) =>
  page([
    isAgreed
      ? `The next assay call opens the channel of ${wallet}.`
      : `${wallet} has no channel here. assay channel open --help says what one is.`,
  ]);

const formatStatus = (status: ChannelStatus) =>
  page([
    `${formatUsd(status.leftUsd)} left in ${status.channelId}`,
    ...alignRows([
      ["payer", status.payer],
      ["paid to", status.payTo],
      ["deposited", formatUsd(status.depositedUsd)],
      ["charged", formatUsd(status.chargedUsd)],
      ["signed", `${formatUsd(status.signedUsd)}, the most that can be claimed`],
      ["withdrawal", `takes ${status.withdrawDelaySeconds} s without the service`],
    ]),
  ]);

function addClose(channel: Command, terminal: Terminal): void {
  channel
    .command("close")
    .description("get back what is left; assay call then pays one by one again")
    .addOption(rpcOption())
    .option("--forget", "only delete the record, also where money is left: for a chain that is gone")
    .addHelpText(
      "after",
      exampleText(
        ["channel close", `channel close --rpc ${exampleIds.node}`],
        "With --rpc, that node must show the transfer to the wallet; without, the service's word is taken for it. Closing twice is safe.",
      ),
    )
    .action(async (flags: { rpc?: string; forget?: true }, command: Command) => {
      const { session, wallet, file } = await startWithFile(terminal, command);
      const kept = await file.read();
      if (!kept) return session.show({ closed: null }, () => describeNone(wallet.label, false));
      const settings = { node: flags.rpc, channel: { ...kept.terms, store: file.store } };
      const closed = flags.forget ? undefined : await session.open(wallet, settings).closeChannel();
      await file.forget();
      session.show({ closed: closed ?? null }, () =>
        closed ? formatClosed(closed) : page(["The channel is forgotten; nothing was sent."]),
      );
    });
}

const formatClosed = (closed: ClosedChannel) =>
  page([
    `${formatUsd(closed.refundedUsd)} came back from ${closed.channelId}`,
    ...alignRows([
      ["charged", formatUsd(closed.chargedUsd)],
      ["transaction", closed.transaction ?? "none: nothing was left, or an earlier request returned it"],
      ["shown by", closed.shownBy === "node" ? "your node" : "the service; --rpc asks a node"],
    ]),
  ]);
