import type { Hex } from "@assay/protocol";

/** From now on, `spender` may take something of `owner`. */
export interface ApprovalAct {
  readonly kind: "approval";
  /** `operator` and `authorization` give everything at once; `decrease` and any `isRevocation` take back. */
  readonly form:
    | "erc20"
    | "increase"
    | "decrease"
    | "permit"
    | "permit2"
    | "operator"
    | "authorization"
    /** A debt that the spender may take up in the owner's name. */
    | "credit"
    /** Known only by what its protocol says about the function. */
    | "other";
  /** The contract that keeps the permission: the token itself, Permit2, a market. */
  readonly keeper: Hex;
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  /** In the token's smallest unit; null where everything is given. */
  readonly amount: string | null;
  /** Unix seconds at which the signature or the permission ends; null where it never does or no end is stated. */
  readonly expiresAt: string | null;
  readonly isRevocation: boolean;
}

export interface TransferAct {
  readonly kind: "transfer";
  readonly form: "native" | "erc20" | "erc721" | "erc1155" | "eip3009" | "permit2";
  /** Null for the native currency. */
  readonly token: Hex | null;
  readonly from: Hex;
  readonly to: Hex;
  readonly amount: string;
  readonly id: string | null;
}

export interface SwapAct {
  readonly kind: "swap";
  readonly router: Hex;
  readonly payer: Hex;
  /** Null for the native currency. */
  readonly tokenIn: Hex | null;
  readonly tokenOut: Hex | null;
  readonly recipient: Hex;
  readonly exact: "in" | "out";
  /** Exact, or the most that may be taken; null where the value sent decides. */
  readonly amountIn: string | null;
  /** Exact, or the least that must arrive. */
  readonly amountOut: string;
}

/** A router pays out what a swap left in it. */
export interface PayoutAct {
  readonly kind: "payout";
  readonly token: Hex | null;
  readonly to: Hex;
  /** The least that must be paid out; null where none is stated. */
  readonly minimum: string | null;
}

/** Native currency wrapped or unwrapped by the WETH contract. */
interface WrapAct {
  readonly kind: "wrap";
  readonly owner: Hex;
  readonly direction: "wrap" | "unwrap";
  readonly amount: string;
}

/** A change of who commands a contract, or of the code it runs. */
export interface ControlAct {
  readonly kind: "control";
  readonly signature: string;
  readonly target: Hex;
  /** The new owner, admin, module or implementation, where the call names one. */
  readonly successor: Hex | null;
  /** `reduce` takes command away from somebody; `add` lets one more command; `replace` puts one in place of another. */
  readonly change: "add" | "replace" | "reduce";
  /** Who loses command by it, where the call names him. */
  readonly removed?: Hex;
}

/** Code of `to` runs with the storage and the assets of `account`. */
interface DelegatecallAct {
  readonly kind: "delegatecall";
  readonly account: Hex;
  readonly to: Hex;
}

export type Act = ApprovalAct | TransferAct | SwapAct | PayoutAct | WrapAct | ControlAct | DelegatecallAct;
