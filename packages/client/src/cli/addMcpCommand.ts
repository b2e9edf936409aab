import { join } from "node:path";
import type { Hex } from "@assay/protocol";
import { type Command, Option } from "commander";
import { DEFAULT_MAX_PER_DAY_USD, DEFAULT_MAX_PRICE_USD } from "./config.js";
import { exampleText } from "./exampleText.js";
import { parseUsd } from "./parseArguments.js";
import { rpcOption } from "./rpcOption.js";
import { startSession } from "./session.js";
import { signerOption } from "./signerOption.js";
import { stateFolder } from "./stateFolder.js";
import type { Terminal } from "./terminal.js";
import { UsageError } from "./usageError.js";

interface McpFlags {
  readonly signer?: Hex;
  readonly rpc?: string;
  readonly maxPrice?: number;
  readonly maxPerDay?: number;
  readonly channel: boolean;
}

export function addMcpCommand(program: Command, terminal: Terminal): void {
  program
    .command("mcp")
    .description(
      "serve checks to an AI application over stdio (Model Context Protocol), paid from your wallet",
    )
    .addOption(signerOption())
    .addOption(rpcOption())
    .addOption(new Option("--max-price <usd>", "pay no single answer above this").argParser(parseUsd))
    .addOption(
      new Option(
        "--max-per-day <usd>",
        "pay no more than this in one day (UTC), all commands together",
      ).argParser(parseUsd),
    )
    .option("--no-channel", "pay each call by itself, although there is a channel")
    .addHelpText(
      "after",
      exampleText(
        ["mcp"],
        `The application starts it: docs/mcp.md has the lines for Claude Desktop, Claude Code, Cursor and VS Code. Standard output
carries the protocol and nothing else. Service, key, signer and limits are those that assay init wrote, unless options
name others; by default a call costs at most ${DEFAULT_MAX_PRICE_USD} USD and a day ${DEFAULT_MAX_PER_DAY_USD} USD.
Every answer is verified before it is shown. One that does not verify is reported as an error, without its content.`,
      ),
    )
    .action((_flags, command: Command) => serve(terminal, command));
}

async function serve(terminal: Terminal, command: Command): Promise<void> {
  const [session, { createMcpServer }, { createAsker }, { openDayLedger }, { StdioServerTransport }] =
    await Promise.all([
      startSession<McpFlags>(terminal, command),
      import("../mcp/createMcpServer.js"),
      import("../mcp/createAsker.js"),
      import("../settings/dayLedger.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
  const { options, config } = session;
  const signer = options.signer ?? config?.signer;
  if (!signer)
    throw new UsageError(
      "Give --signer, the address that the service signs with, or run assay init once: an answer is shown only if that key has signed it.",
    );
  const wallet = await session.getWallet();
  const { maxPrice: maxPriceUsd = config?.maxPriceUsd ?? DEFAULT_MAX_PRICE_USD } = options;
  const { maxPerDay: maxPerDayUsd = config?.maxPerDayUsd ?? DEFAULT_MAX_PER_DAY_USD } = options;
  const { rpc: node = config?.rpc } = options;
  const { openCallChannel } = await import("./openCallChannel.js");
  const channel = options.channel ? await openCallChannel(session, wallet) : undefined;
  const ledger = await openDayLedger(join(stateFolder(terminal.env), "spending"));
  const { url: baseUrl, audience, asset } = options;
  const client = {
    baseUrl,
    audience,
    account: wallet.account,
    assets: asset && [asset],
    signer,
    channel,
    node,
  };
  const limits = { maxPriceUsd, maxPerDayUsd };
  const server = createMcpServer({
    ...limits,
    node,
    ask: createAsker({ ...limits, client, ledger, node }),
    async describeError(error) {
      const [{ describeFailure }, { describeErrorForModel }] = await Promise.all([
        import("./describeFailure.js"),
        import("../mcp/describeErrorForModel.js"),
      ]);
      const { lines } = await describeFailure(
        error,
        baseUrl,
        undefined,
        join(stateFolder(terminal.env), "payments"),
      );
      return describeErrorForModel(error, lines);
    },
  });
  terminal.warn(
    `assay mcp: ${baseUrl}, paid by ${wallet.label}, at most ${maxPriceUsd} USD a call and ${maxPerDayUsd} USD a day.\n`,
  );
  const closed = new Promise<void>((done) => {
    server.onclose = done;
    // The SDK does not notice when its host has gone away.
    process.stdin.once("end", done);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await ledger.close();
}
