import type { Hex } from "@assay/protocol";
import { rememberedFingerprint } from "../code/rememberedFingerprint.js";

/**
 * Hashes of OpenZeppelin's TimelockController without the metadata tail, as its npm packages carry it compiled, and as our own
 * compiler makes it from the newest sources.
 */
const TIMELOCKS: Readonly<Record<Hex, string>> = {
  "0x864dfa991b70d8cc354987a828caa753f5bf924b202a2ef9b816c60dd2939edd": "TimelockController 4.3 to 4.4",
  "0x5b1319b4e0c5617bb045101a727b5675158f789e42620b92d77ffbd54b1f4e16": "TimelockController 4.5",
  "0x8f8d8f84f834d3431aff42dc4397b230a8ee057bbd58c1a79e1efa14d231f4e9": "TimelockController 4.6",
  "0x9cac91e8561e946e05e73ab6b59a9a96508ccab45f56e58a6d65c9403bab9183": "TimelockController 4.7",
  "0x4e01974e79c37fc2c29675625f8a493d116834c97e006d168be921694435b501": "TimelockController 4.8",
  "0x6ea4ddce2cdd9467a9b0fd38d4403d4817f7f57f4df0d5dadb653cf27422ecb1": "TimelockController 4.9",
  "0x07c6e28ee874f201beea6b36174a6736faf528ad88c9f624a065aa650ca936b1": "TimelockController 5.0",
  "0x7097cf35060da2f1efaf3328e1b570ee847f86b4c0903510e3fd02f42d216207": "TimelockController 5.1 to 5.3",
  "0x53897590ffc3434942fb3fd574fe94d929414f0ba3bbfd6842739fbcbdbac33e": "TimelockController 5.4",
  "0x5737bdf6c0dfa31349b873db7647cd1648fa88dc90350c9db53803fa6630afb7": "TimelockController 5.7, solc 0.8.37",
};

/** The name of a timelock by its code: nobody can use at once what it owns. */
export function findKnownTimelock(code: Hex): string | null {
  const { strippedCodeHash } = rememberedFingerprint(code);
  return strippedCodeHash === null ? null : (TIMELOCKS[strippedCodeHash] ?? null);
}
