import type { Hex, Reading } from "@assay/protocol";

type FlagAnswer = "yes" | "no" | "absent" | "unread" | "unreadable";

const FALSE = `0x${"0".repeat(64)}`;
const TRUE = `0x${"0".repeat(63)}1`;

/**
 * The answer to a yes-or-no call. A contract without the function and without a fallback reverts with no data, and one
 * with an open fallback returns none: both are "absent". A revert with data is an answer of the contract, and so is a
 * word that is no boolean.
 */
export function readFlag(reading: Reading<Hex>): FlagAnswer {
  switch (reading.status) {
    case "unanswered":
      return "unread";
    case "absent":
      return "absent";
    case "reverted":
      return reading.data === null || reading.data === "0x" ? "absent" : "unreadable";
    case "value":
      if (reading.value === TRUE) return "yes";
      return reading.value === FALSE ? "no" : "unreadable";
  }
}
