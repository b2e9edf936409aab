import type { ChannelOptions } from "../channel/channelContext.js";
import { openChannelFile } from "./channelFile.js";
import type { Wallet } from "./findWallet.js";
import type { Session } from "./session.js";

/** The channel that calls are paid from: the one of `assay channel open`, or one that the configuration asks for. */
export async function openCallChannel(
  { terminal, options, config }: Pick<Session<object>, "terminal" | "options" | "config">,
  { account }: Wallet,
): Promise<ChannelOptions | undefined> {
  const file = openChannelFile(terminal.env, options.url, account.address);
  if (config?.channel && !(await file.read())) await file.open(config.channel);
  const kept = await file.read();
  return kept && { ...kept.terms, store: file.store };
}
