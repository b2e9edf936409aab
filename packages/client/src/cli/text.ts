import { styleText } from "node:util";

/**
 * Text from the service as it may reach a terminal: on one line, in the order it is written. Control characters (Cc) can
 * command a terminal, format characters (Cf) turn text around or hide it, and Zl, Zp and lone halves (Cs) break lines.
 */
export function printable(value: unknown): string {
  return String(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "�");
}

/** One value on a line, with what `printable` replaces written as escapes: the same value, harmless to a terminal. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeUnits)}\n`;

const escapeUnits = (text: string) =>
  Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");

type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

/** Whether the stream is a terminal that knows escapes, and its user did not switch them off (no-color.org). */
export const isDecorated = (
  stream: { readonly isTTY?: boolean },
  { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean => stream.isTTY === true && !NO_COLOR && TERM !== "dumb";

export function createPaint(isOn: boolean): Paint {
  // isDecorated has decided this already, for the right stream.
  return (style, text) => (isOn ? styleText(style, text, { validateStream: false }) : text);
}

/** Rows with the first column aligned, indented by two. */
export function alignRows(rows: readonly (readonly [name: string, value: unknown])[]): string[] {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `  ${printable(name).padEnd(width)}  ${printable(value)}`);
}

/** An amount in USD without float noise and without trailing zeros beyond cents. */
export function formatUsd(usd: number): string {
  const [whole, fraction = ""] = usd.toFixed(6).split(".");
  return `$${whole}.${fraction.replace(/0+$/, "").padEnd(2, "0")}`;
}

/** A number of blocks, and the time that they take where it is known how long one takes. */
export function formatBlocks(blocks: number, blockTimeMs: number | undefined): string {
  const words = `${blocks} block${blocks === 1 ? "" : "s"}`;
  return blockTimeMs === undefined
    ? words
    : `${words}, about ${formatDuration(Math.round((blocks * blockTimeMs) / 1_000))}`;
}

export function formatDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export const page = (lines: readonly string[]): string => `${lines.join("\n")}\n`;
