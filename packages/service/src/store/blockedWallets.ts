import { AssayError } from "@assay/protocol";
import type { Database } from "./database.js";

/** Wallets that the operator serves no more, as this process last read them. */
export interface BlockedWallets {
  has(wallet: string): boolean;
  refresh(): Promise<void>;
}

/** Read every few seconds and not with each call: a wallet that is blocked now may buy one answer more. */
export async function loadBlockedWallets(database: Database): Promise<BlockedWallets> {
  let wallets: ReadonlySet<string> = new Set();
  const refresh = async () => {
    const rows = await database.query<{ wallet: string }>({
      name: "blocked_wallets",
      text: "SELECT wallet FROM blocked_wallets",
    });
    wallets = new Set(rows.map(({ wallet }) => wallet));
  };
  await refresh();
  return { has: (wallet) => wallets.size > 0 && wallets.has(wallet.toLowerCase()), refresh };
}

export const walletBlocked = (): AssayError =>
  new AssayError(
    "wallet_blocked",
    "The operator of this service does not sell to this wallet. Nothing was charged; answers that it has paid for are still given.",
  );
