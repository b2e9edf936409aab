/** More than half of what an allowance can count: nobody means such an amount as a limit. */
const UNLIMITED = 2n ** 159n;

export const isUnlimited = (amount: bigint): boolean => amount >= UNLIMITED;

/** Six digits after the point, or six after the first that is not zero, are enough to decide by; two of thousands. */
const DIGITS = 6;
const DIGITS_OF_THOUSANDS = 2;
/** So many digits without a point are counted by nobody. */
const MOST_DIGITS = 15;

/** A whole number with its decimal point, in groups of three; without decimals, as it is. */
export function formatAmount(amount: bigint, decimals: number | undefined): string {
  const sign = amount < 0n ? "−" : "";
  const digits = (amount < 0n ? -amount : amount).toString();
  if (decimals === undefined || decimals > 77)
    return sign + (digits.length > MOST_DIGITS ? inPowers(digits) : groupDigits(digits));
  const padded = digits.padStart(decimals + 1, "0");
  const whole = decimals === 0 ? padded : padded.slice(0, -decimals);
  const fraction = decimals === 0 ? "" : padded.slice(-decimals);
  const zeros = /^0+$/.test(whole) ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const most = whole.length > 3 ? DIGITS_OF_THOUSANDS : DIGITS;
  const kept = fraction.slice(0, zeros + most).replace(/0+$/, "");
  return `${sign}${groupDigits(whole)}${kept === "" ? "" : `.${kept}`}`;
}

/** A large count of smallest units, of which nobody said how many make a whole. */
const inPowers = (digits: string) =>
  `${trimZeros(`${digits.slice(0, 1)}.${digits.slice(1, 5)}`)} × 10^${digits.length - 1}`;

/** A whole number in groups of three digits. */
export const groupDigits = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ",");

/** From hundredths of a percent. */
export const formatBps = (bps: number): string => `${trimZeros((bps / 100).toFixed(2))} %`;

/** From millionths. */
export const formatPpm = (ppm: number): string => `${trimZeros((ppm / 10_000).toFixed(3))} %`;

const trimZeros = (text: string) => text.replace(/\.?0+$/, "");

export function formatSeconds(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${groupDigits(Math.round(seconds / 86_400).toString())} days`;
}

/** A moment in UTC, to the minute, from Unix seconds; undefined where no calendar has it. */
export function formatMoment(seconds: number): string | undefined {
  const at = new Date(seconds * 1_000);
  return Number.isNaN(at.getTime()) ? undefined : `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Micro-dollars as money: to the cent, and finer below a dollar. */
export function formatMicroUsd(micro: bigint): string {
  const sign = micro < 0n ? "−" : "";
  const whole = micro < 0n ? -micro : micro;
  if (whole >= 1_000_000n) {
    const cents = (whole + 5_000n) / 10_000n;
    return `${sign}$${groupDigits((cents / 100n).toString())}.${(cents % 100n).toString().padStart(2, "0")}`;
  }
  const fraction = whole.toString().padStart(6, "0");
  return `${sign}$0.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, "")}`;
}

/** Rounded to so many digits that are not zeros in front: a sentence needs no more of them. */
export function roundTo(amount: bigint, digits: number): bigint {
  const left = amount.toString().length - digits;
  if (amount <= 0n || left <= 0) return amount;
  const unit = 10n ** BigInt(left);
  return ((amount + unit / 2n) / unit) * unit;
}

/** Wei of a fee, in the unit that wallets show. */
export const formatGwei = (wei: bigint): string => `${formatAmount(wei, 9)} gwei`;
