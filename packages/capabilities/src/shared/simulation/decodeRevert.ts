import { decodeAbiParameters, type Hex, parseAbi, toFunctionSelector } from "viem";

/** Why a transaction fails, as far as its revert data shows. */
export interface RevertReason {
  readonly kind: "error" | "panic" | "custom" | "empty" | "unknown";
  /** What a contract says is its author's text: cut, and without control characters. */
  readonly reason: string | null;
  readonly selector: Hex | null;
}

const ERROR = "0x08c379a0";
const PANIC = "0x4e487b71";
const MAX_TEXT = 200;

/** Of the Solidity documentation. */
const panics: Readonly<Record<string, string>> = {
  "1": "a failed assertion",
  "17": "arithmetic overflow or underflow",
  "18": "division by zero",
  "33": "a value outside its enumeration",
  "34": "broken storage encoding",
  "49": "pop from an empty array",
  "50": "an index out of bounds",
  "65": "too much memory",
  "81": "a call to an uninitialised function",
};

/** Of ERC-6093 and OpenZeppelin. */
const customErrors: ReadonlyMap<string, string> = new Map(
  parseAbi([
    "function ERC20InsufficientBalance(address,uint256,uint256)",
    "function ERC20InsufficientAllowance(address,uint256,uint256)",
    "function ERC20InvalidReceiver(address)",
    "function ERC20InvalidSpender(address)",
    "function ERC721NonexistentToken(uint256)",
    "function ERC721IncorrectOwner(address,uint256,address)",
    "function ERC721InsufficientApproval(address,uint256)",
    "function ERC721InvalidReceiver(address)",
    "function ERC1155InsufficientBalance(address,uint256,uint256,uint256)",
    "function ERC1155MissingApprovalForAll(address,address)",
    "function OwnableUnauthorizedAccount(address)",
    "function AccessControlUnauthorizedAccount(address,bytes32)",
    "function EnforcedPause()",
    "function SafeERC20FailedOperation(address)",
  ]).map((item) => [toFunctionSelector(item), item.name]),
);

export function decodeRevert(data: string | null): RevertReason {
  if (data === null || data === "0x") return { kind: "empty", reason: null, selector: null };
  if (!/^0x([0-9a-f]{2}){4,}$/.test(data)) return { kind: "unknown", reason: null, selector: null };
  const selector = data.slice(0, 10) as Hex;
  const payload: Hex = `0x${data.slice(10)}`;
  try {
    if (selector === ERROR) {
      const [text] = decodeAbiParameters([{ type: "string" }], payload);
      return { kind: "error", reason: cleanText(text), selector };
    }
    if (selector === PANIC) {
      const [code] = decodeAbiParameters([{ type: "uint256" }], payload);
      return { kind: "panic", reason: panics[code.toString()] ?? `panic ${code}`, selector };
    }
  } catch {
    return { kind: "unknown", reason: null, selector };
  }
  return { kind: "custom", reason: customErrors.get(selector) ?? null, selector };
}

function cleanText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").slice(0, MAX_TEXT);
}
