/** To the cent, and finer where the price is. */
export const formatUsd = (usd: number): string => `$${usd.toFixed(6).replace(/(\.\d\d+?)0+$/, "$1")}`;

export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Addresses and hashes for the eye; the whole value must be at hand wherever one is shown. */
export const shorten = (hex: string): string => {
  const start = hex.startsWith("sha256:") ? 13 : 6;
  return hex.length > start + 8 ? `${hex.slice(0, start)}…${hex.slice(-4)}` : hex;
};

export const count = (many: number, one: string, more = `${one}s`): string =>
  `${many.toLocaleString("en-US")} ${many === 1 ? one : more}`;

/** As blocks, and as time where it is known how long one takes. */
export function formatBlocks(blocks: number, blockTimeMs: number | null | undefined): string {
  const words = count(blocks, "block");
  return blockTimeMs == null
    ? words
    : `${words}, about ${formatDuration(Math.round((blocks * blockTimeMs) / 1_000))}`;
}

/** A whole number in groups of three, or with its decimal point where the decimals are known. */
export function formatAmount(atomic: bigint, decimals: number | undefined): string {
  const sign = atomic < 0n ? "−" : "";
  const digits = (atomic < 0n ? -atomic : atomic).toString();
  if (decimals === undefined) return sign + group(digits);
  const padded = digits.padStart(decimals + 1, "0");
  const fraction = padded.slice(-decimals).replace(/0+$/, "");
  return `${sign}${group(padded.slice(0, -decimals))}${fraction ? `.${fraction}` : ""}`;
}

const group = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** A name of a program as a person writes it: `codeHash`, `no_answer`. */
export const spellWord = (word: string): string =>
  word
    .replaceAll("_", " ")
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
