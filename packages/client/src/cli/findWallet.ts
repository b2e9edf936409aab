import { readFile, stat } from "node:fs/promises";
import type { PayerAccount } from "../signPayment.js";
import { mayBeKey } from "./hideKeys.js";
import { openPayerAccount } from "./payerAccount.js";
import { readTestAccounts, testAccountsFile } from "./readTestAccounts.js";
import { UsageError } from "./usageError.js";

export interface WalletOptions {
  readonly privateKeyFile?: string;
  readonly wallet?: string;
  readonly dataDir: string;
}

export interface Wallet {
  readonly account: PayerAccount;
  /** How the output names it. */
  readonly label: string;
}

const KEY_IN_PLACE_OF_FILE =
  "--private-key-file takes the name of a file, but the value may be a key. Others on this machine may have seen it; put a key into a file or into ASSAY_PRIVATE_KEY.";

/**
 * The wallet of the command line, else of ASSAY_PRIVATE_KEY, else of the configuration, else the first test wallet of a
 * service that runs here; undefined when there is none of these.
 */
export async function findWallet(
  { privateKeyFile, wallet, dataDir }: WalletOptions,
  environmentKey: string | undefined,
  configuredFile?: string | undefined,
): Promise<Wallet | undefined> {
  // An empty value, as from an unset variable, counts as given: no other wallet pays in its place.
  if (privateKeyFile !== undefined && wallet !== undefined)
    throw new UsageError("Give --private-key-file or --wallet, not both.");
  if (privateKeyFile !== undefined) {
    if (mayBeKey(privateKeyFile)) throw new UsageError(KEY_IN_PLACE_OF_FILE);
    return readKeyFile(privateKeyFile, "--private-key-file");
  }
  if (wallet === undefined && environmentKey) return toWallet(environmentKey, "ASSAY_PRIVATE_KEY", "wallet");
  if (wallet === undefined && configuredFile !== undefined)
    return readKeyFile(configuredFile, "The key file");
  const file = testAccountsFile(dataDir);
  const accounts = await readTestAccounts(file);
  if (wallet === undefined && !accounts) return undefined;
  const found = wallet !== undefined ? accounts?.find(({ name }) => name === wallet) : accounts?.[0];
  if (!found) {
    const known = accounts
      ? `it has ${accounts.map(({ name }) => name).join(", ")}`
      : "there is no such file";
    throw new UsageError(`No test wallet ${wallet || "without a name"} in ${file}: ${known}.`);
  }
  return toWallet(found.privateKey, file, `TEST WALLET ${found.name}`);
}

async function readKeyFile(file: string, name: string): Promise<Wallet> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new UsageError(`${name} ${file} cannot be read.`);
  });
  const found = await stat(file);
  // Nobody but its owner can close it, and a secret that was mounted has another one. A pipe has no readers but this one.
  const isOpen = (found.mode & 0o077) !== 0 && found.uid === process.getuid?.();
  if (found.isFile() && isOpen)
    throw new UsageError(
      `${name} ${file} is open to other users of this machine (mode ${(found.mode & 0o777).toString(8)}): run chmod 600 ${file}. If any of them is a stranger, take a new key.`,
    );
  return toWallet(text, `the key in ${file}`, "wallet");
}

function toWallet(text: string, source: string, label: string): Wallet {
  const digits = text.trim().replace(/^0x/, "");
  // The key itself never enters a message.
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new UsageError(`${source} must be a private key: 64 hex digits.`);
  if (!isSecret(digits))
    throw new UsageError(`${source} is not a private key: it is zero, or not below the order of secp256k1.`);
  const account = openPayerAccount(`0x${digits}`);
  const note = label.startsWith("TEST") ? ` (play money; key from ${source})` : "";
  return { account, label: `${label} ${account.address}${note}` };
}

/** Order of the group of secp256k1 (SEC 2, section 2.4.1): a key is a number from 1 to one less. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const isSecret = (digits: string) => BigInt(`0x${digits}`) > 0n && BigInt(`0x${digits}`) < ORDER;
