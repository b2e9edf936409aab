import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { privateKeyToAccount } from "viem/accounts";

/**
 * Where the service is and who signs. Beside `npm start` nothing needs to be set: test wallets and contracts come from
 * .data/devnet.json. On Base set ASSAY_URL, RPC_URL and ASSAY_PRIVATE_KEY.
 */
export function setup(testWallet) {
  const { ASSAY_URL = "http://127.0.0.1:8402", RPC_URL, ASSAY_PRIVATE_KEY } = process.env;
  const local = RPC_URL ? undefined : readDevnet();
  const keyOf = (wallet) => local?.accounts.find(({ name }) => name === wallet)?.privateKey;
  const key = ASSAY_PRIVATE_KEY ?? keyOf(testWallet);
  if (!key) throw new Error("Set ASSAY_PRIVATE_KEY to the key of the wallet that pays and signs.");
  return {
    baseUrl: ASSAY_URL,
    rpcUrl: RPC_URL ?? local.rpcUrl,
    account: privateKeyToAccount(key),
    /** Another party's test wallet beside `npm start`; undefined on Base. */
    testWallet: local && ((wallet) => privateKeyToAccount(keyOf(wallet))),
    /** Its key, for kits that take no account. */
    testKey: local && keyOf,
    contracts: local?.contracts ?? {
      swapRouter02: "0x2626664c2603336E57B271c5C0b26F421741e481",
      stablecoin: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
      weth: "0x4200000000000000000000000000000000000006",
    },
  };
}

function readDevnet() {
  const { DATA_DIR = fileURLToPath(new URL("../.data", import.meta.url)) } = process.env;
  try {
    return JSON.parse(readFileSync(`${DATA_DIR}/devnet.json`, "utf8"));
  } catch {
    throw new Error(`No local chain in ${DATA_DIR}: run npm start, or set RPC_URL and ASSAY_PRIVATE_KEY.`);
  }
}
