/** A number with its bound: "≥40mm" is from 40 on. */
interface Bounded {
  readonly sign: string;
  readonly value: number;
  readonly unit: string;
}

function readBounded(word: string): Bounded | undefined {
  const [, sign = "", minus, currency = "", digits, unit = ""] =
    /^([≥>≤<]?)(-?)([$€£¥]?)(\d+(?:\.\d+)?)([a-z%]*)$/.exec(word) ?? [];
  if (digits === undefined) return undefined;
  return { sign, value: Number(digits) * (minus === "-" ? -1 : 1), unit: currency + unit };
}

export const isBound = (word: string) => /^[≥>≤<]/.test(word);

/** Whether each number that the first word allows is allowed by the second: 45 says "more than 40". */
export function isWithin(own: string, claimed: string): boolean {
  const [inner, outer] = [readBounded(own), readBounded(claimed)];
  if (inner === undefined || outer === undefined || inner.unit !== outer.unit) return false;
  const [a, b] = [inner.value, outer.value];
  const isOpen = outer.sign === ">" || outer.sign === "<";
  const isAtEdge = a === b && (!isOpen || inner.sign === outer.sign);
  if (/[≥>]/.test(outer.sign)) return !/[≤<]/.test(inner.sign) && (a > b || isAtEdge);
  if (/[≤<]/.test(outer.sign)) return !/[≥>]/.test(inner.sign) && (a < b || isAtEdge);
  return inner.sign === "" && a === b;
}

/** Whether no number is allowed by both: 45 and "less than 40". Two bounds of one kind with other numbers exclude each other too. */
export function isApart(own: string, claimed: string): boolean {
  const [one, other] = [readBounded(own), readBounded(claimed)];
  if (one === undefined || other === undefined || one.unit !== other.unit) return false;
  if (one.sign === other.sign) return one.value !== other.value;
  if (one.sign === "") return !isWithin(own, claimed);
  if (other.sign === "") return !isWithin(claimed, own);
  const [low, high] = /[≥>]/.test(one.sign) ? [one, other] : [other, one];
  if (!/[≥>]/.test(low.sign) || !/[≤<]/.test(high.sign)) return false;
  return low.value > high.value || (low.value === high.value && low.sign + high.sign !== "≥≤");
}
