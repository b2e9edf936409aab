import { readFile } from "node:fs/promises";
import { testAccountsFile } from "./readTestAccounts.js";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Whether a service at this address can be one that runs on this machine. */
export const isOnThisMachine = (url: string): boolean =>
  URL.canParse(url) && LOCAL_HOSTS.includes(new URL(url).hostname);

/**
 * The node of the local chain that `npm start` runs beside this service; undefined where there is none. The file alone is no
 * proof: it stays when the chain has ended, and its keys are known to everybody.
 */
export async function findLocalChain(url: string, dataDir: string): Promise<string | undefined> {
  if (!isOnThisMachine(url)) return undefined;
  try {
    const { rpcUrl } = JSON.parse(await readFile(testAccountsFile(dataDir), "utf8")) as { rpcUrl: string };
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"hardhat_metadata","params":[]}',
      signal: AbortSignal.timeout(2_000),
    });
    // Only a chain for development knows this method.
    const { result } = (await response.json()) as { result?: unknown };
    return result === undefined || result === null ? undefined : rpcUrl;
  } catch {
    return undefined;
  }
}
