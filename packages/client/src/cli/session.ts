import type { Hex } from "@assay/protocol";
import type { Command } from "commander";
import type { ChannelOptions } from "../channel/channelContext.js";
import type { Client } from "../createClient.js";
import type { Config } from "./config.js";
import type { Wallet, WalletOptions } from "./findWallet.js";
import type { Terminal } from "./terminal.js";
import { jsonLine } from "./text.js";
import { UsageError } from "./usageError.js";

/** Options that every command has. */
export interface GlobalOptions extends WalletOptions {
  readonly url: string;
  readonly audience?: string;
  readonly json?: true;
  readonly full?: true;
  readonly asset?: Hex;
}

interface ClientSettings {
  /** Given, only what that key has offered is paid. */
  readonly signer?: Hex | undefined;
  /** Given, this service is asked instead of the one of --url. */
  readonly baseUrl?: string;
  /** Given, calls are paid from this channel. */
  readonly channel?: ChannelOptions | undefined;
  /** JSON-RPC address of a node that the caller trusts. */
  readonly node?: string | undefined;
}

/** One run of a command: its options, and the means to carry it out. */
export interface Session<Options> {
  readonly options: GlobalOptions & Options;
  readonly terminal: Terminal;
  /** What `assay init` wrote, unless another service is asked. */
  readonly config: Config | undefined;
  getWallet(): Promise<Wallet>;
  open(wallet?: Wallet, settings?: ClientSettings): Client;
  /** JSON for machines, else text for people. */
  show<T>(value: T, format: (value: T) => string): void;
}

/** Imports what talks to the service; `assay --help` and completion never call this. */
export async function startSession<Options = object>(
  terminal: Terminal,
  command: Command,
): Promise<Session<Options>> {
  const [{ createClient }, { findWallet }, { NoAccountError }, config] = await Promise.all([
    import("../createClient.js"),
    import("./findWallet.js"),
    import("../errors.js"),
    applyConfig(terminal, command),
  ]);
  const options = command.optsWithGlobals<GlobalOptions & Options>();
  const { url, audience, asset } = options;
  return {
    options,
    terminal,
    config,
    async getWallet() {
      const wallet = await findWallet(options, terminal.env.ASSAY_PRIVATE_KEY, config?.keyFile);
      if (!wallet) throw new NoAccountError("This");
      return wallet;
    },
    open(wallet, { signer, baseUrl = url, channel, node } = {}) {
      for (const [flag, text] of [
        ["--url", url],
        ["--audience", audience ?? url],
      ] as const)
        if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
          throw new UsageError(`${flag} ${text} is not an address of the form http://host or https://host.`);
      const assets = asset && [asset];
      const pinned = signer ?? (baseUrl === config?.url ? config.signer : undefined);
      const { maxPriceUsd } = config ?? {};
      const account = wallet?.account;
      return createClient({ baseUrl, audience, account, assets, signer: pinned, channel, node, maxPriceUsd });
    },
    show: (value, format) => terminal.print(options.json ? jsonLine(value) : format(value)),
  };
}

/**
 * The configuration is about one service: its key pays no other. So it counts where its service is asked, which is also the one
 * that is asked by default.
 */
async function applyConfig(terminal: Terminal, command: Command): Promise<Config | undefined> {
  const { findConfig } = await import("./config.js");
  const isNamed = ["cli", "env"].includes(command.getOptionValueSourceWithGlobals("url") ?? "");
  const named = command.optsWithGlobals<GlobalOptions>().url.replace(/\/+$/, "");
  const config = await findConfig(terminal.env);
  if (!config || (isNamed && named !== config.url)) return undefined;
  let program = command;
  while (program.parent) program = program.parent;
  if (!isNamed) program.setOptionValueWithSource("url", config.url, "config");
  return config;
}
