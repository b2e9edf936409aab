// Signs the registry of known parties: node packages/capabilities/signRegistry.mjs <key file> [--new-key]
// The key file holds 32 bytes in hexadecimal. It stays with the maintainer and is never committed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { canonicalJson } from "@assay/protocol";
import { ed25519 } from "@noble/curves/ed25519";

const [keyFile, option] = process.argv.slice(2);
if (keyFile === undefined) throw new Error("name the file that holds the key");
if (option === "--new-key") {
  if (existsSync(keyFile)) throw new Error(`${keyFile} exists already`);
  const key = Buffer.from(ed25519.utils.randomPrivateKey()).toString("hex");
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
}

const folder = new URL("src/shared/parties/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const message = Buffer.from(
  canonicalJson({ registry: read("registry.json"), accountCodes: read("accountCodes.json") }),
);
const key = Buffer.from(readFileSync(keyFile, "utf8").trim(), "hex");
const signature = `0x${Buffer.from(ed25519.sign(message, key)).toString("hex")}`;
writeFileSync(new URL("registry.signature.json", folder), `${JSON.stringify({ signature }, null, 2)}\n`);
console.log(`registryKey: 0x${Buffer.from(ed25519.getPublicKey(key)).toString("hex")}`);
