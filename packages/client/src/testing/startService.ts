import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Hex } from "@assay/protocol";
import { createPublicClient, http, parseAbi } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

const root = resolve(import.meta.dirname, "../../../..");
const erc20 = parseAbi(["function balanceOf(address) view returns (uint256)"]);

interface Devnet {
  readonly rpcUrl: string;
  readonly stablecoin: { readonly address: Hex };
  readonly accounts: readonly { readonly name: string; readonly privateKey: Hex }[];
  readonly contracts: Readonly<Record<string, Hex>>;
  readonly lendingMarket: Readonly<Record<"id" | "loanToken" | "collateralToken", Hex>>;
}

export interface RunningService {
  readonly url: string;
  /** What it has printed so far. */
  output(): string;
  readonly dataDir: string;
  readonly rpcUrl: string;
  wallet(name: string): PrivateKeyAccount;
  contract(name: string): Hex;
  /** The market that alice has collateral in. */
  readonly lendingMarket: Devnet["lendingMarket"];
  /** Stablecoin held, in atomic units. */
  balanceOf(address: Hex): Promise<bigint>;
  wasMined(transaction: Hex): Promise<boolean>;
  stop(): Promise<void>;
}

/** The built service as its users run it: own process, embedded chain and database. */
export async function startService(settings: Record<string, string> = {}): Promise<RunningService> {
  const dataDir = await mkdtemp(join(tmpdir(), "assay-client-"));
  const child = spawn(process.execPath, [join(root, "packages/service/dist/src/start/main.js")], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = once(child, "exit");
  const url = await new Promise<string>((ready, fail) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = /^\s*service\s+(http:\S+)/m.exec(output)?.[1];
      if (found) ready(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => fail(new Error(`the service did not start:\n${output}`)));
  });
  const devnet = JSON.parse(await readFile(join(dataDir, "devnet.json"), "utf8")) as Devnet;
  const chain = createPublicClient({ transport: http(devnet.rpcUrl) });
  const find = <T>(value: T | undefined, name: string): T => {
    if (value === undefined) throw new Error(`the devnet has no ${name}`);
    return value;
  };
  return {
    url,
    output: () => output,
    dataDir,
    rpcUrl: devnet.rpcUrl,
    wallet: (name) =>
      privateKeyToAccount(
        find(
          devnet.accounts.find((account) => account.name === name),
          name,
        ).privateKey,
      ),
    contract: (name) => find(devnet.contracts[name], name),
    lendingMarket: devnet.lendingMarket,
    balanceOf: (address) =>
      chain.readContract({
        address: devnet.stablecoin.address,
        abi: erc20,
        functionName: "balanceOf",
        args: [address],
      }),
    wasMined: async (hash) => (await chain.getTransactionReceipt({ hash })).status === "success",
    async stop() {
      child.kill("SIGINT");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
