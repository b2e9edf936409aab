import { simulationSentences } from "../simulation/sentences.js";
import { defineReasons, type Reasons } from "../verdict/reasons.js";
import type { LimitCode } from "./judgeLimits.js";
import type { MarketCode } from "./judgeMarket.js";
import type { OutflowCode } from "./judgeOutflows.js";
import type { PermissionCode } from "./judgePermissions.js";
import type { PoolFeeCode } from "./judgePoolFees.js";
import type { ImpactCode } from "./judgePriceImpact.js";
import type { ResaleCode } from "./judgeResale.js";
import type { RouteCode } from "./judgeRoute.js";
import type { TransferFeeCode } from "./judgeTransferFee.js";
import { swapSentences } from "./sentences.js";

export type SwapCode =
  | RouteCode
  | OutflowCode
  | MarketCode
  | PoolFeeCode
  | PermissionCode
  | LimitCode
  | ImpactCode
  | TransferFeeCode
  | ResaleCode
  | "SIMULATION_UNAVAILABLE"
  | "SIMULATION_DISAGREES"
  | "SWAP_UNREAD"
  | "FUNDS_LEFT_IN_ROUTER";

/** What each reason means for the verdict, in every guard. */
export const swapReasons: Reasons<SwapCode> = defineReasons({
  allow: {
    LIMIT_WITHIN_TOLERANCE: "The swap was simulated, and its limit is near the result.",
    // Reported, but does not lower the verdict: some functions have no deadline, and the limit still holds.
    DEADLINE_ABSENT: "The call has no deadline.",
  },
  review: {
    RECIPIENT_NOT_SENDER: swapSentences.RECIPIENT_NOT_SENDER,
    DEADLINE_FAR: "The deadline is more than an hour after the block.",
    MIN_OUT_BELOW_TOLERANCE: "The swap's minimum output is more than 5 % below what it would give now.",
    MAX_IN_ABOVE_TOLERANCE: "The swap's maximum input is more than 5 % above what it would take now.",
    // Valid in the next block only.
    BLOCK_HASH_BOUND: "The call is bound to the newest block and good only in the one right after it.",
    PRICE_IMPACT: "The swap moves the price against itself by more than 5 %.",
    PRICE_IMPACT_UNMEASURED: "How far the swap moves the price could not be measured.",
    FEE_ON_TRANSFER_UNSUPPORTED_FN:
      "A token keeps a part of each transfer, and the function called does not allow for it.",
    TRANSFER_FEE: "The tokens keep more than 5 % of what the pools give.",
    RESALE_LOSS_HIGH: "Selling back what the swap buys loses over 10 % of its price, beyond fees of pools.",
    RESALE_UNMEASURED: "What selling back what the swap buys would bring could not be measured.",
    PRICE_BELOW_MARKET: "Other pools would give more for the same amount, and the swap over 5 % less.",
    PATH_FEE_HIGH: "A pool on the way takes over 1 % of the amount, more than exchanges publish.",
    PAID_ABOVE_INPUT: "The sender pays over 1 % more than the amount that is swapped.",
    VALUE_ABOVE_INPUT:
      "The call carries more native value than the swap takes, which contracts on the way could take.",
    PERMIT_LASTS_LONG: "A signature in the call lets the router take the token for more than a year.",
    // Asked, but no usable answer came.
    SWAP_UNREAD: "Something the swap is judged by could not be read.",
    SIMULATION_UNAVAILABLE: simulationSentences.SIMULATION_UNAVAILABLE,
    SIMULATION_DISAGREES: simulationSentences.SIMULATION_DISAGREES,
  },
  block: {
    // It would fail now.
    DEADLINE_PASSED: "The deadline has passed.",
    BLOCK_HASH_PASSED: "The call is bound to another block than the newest, and would fail.",
    // It would lose more than it needs to.
    MIN_OUT_ZERO: swapSentences.MIN_OUT_ZERO,
    MIN_OUT_NEGLIGIBLE: "The swap's minimum output is less than half of what it would give now.",
    MAX_IN_UNBOUNDED: "The swap's maximum input is more than twice what it would take now.",
    RECEIVED_BELOW_MINIMUM: "Less would arrive than the swap's own limit asks for.",
    PRICE_IMPACT_SEVERE: "The swap moves the price against itself by more than 20 %.",
    TRANSFER_FEE_SEVERE: "The tokens keep more than 20 % of what the pools give.",
    OUTPUT_UNREACHABLE: "The output goes to the router, a token or a reserved address, where it is lost.",
    PRICE_FAR_BELOW_MARKET: "Other pools would give more for the same amount, and the swap over 20 % less.",
    PATH_FEE_EXCESSIVE: "The pools on the way take over 10 % of the amount.",
    OTHER_ASSET_MOVED:
      "A step moves an asset that the swap neither takes nor gives, or gives some away before it is swapped.",
    OTHER_ASSET_LOST: "The sender loses an asset that is not what the swap takes.",
    PAID_FAR_ABOVE_INPUT: "The sender pays over 5 % more than the amount that is swapped.",
    VALUE_FAR_ABOVE_INPUT:
      "The call carries more than twice the native value that the swap takes, through a token or hook that is not published, or some where it takes none.",
    PERMIT_ASTRAY:
      "A signature in the call lets somebody other than the router take tokens, or lets it take another token.",
    FUNDS_LEFT_IN_ROUTER: "A part stays in the router, where anybody can take it.",
    BOUGHT_TOKEN_NOT_SELLABLE:
      "A part of what the swap buys was sold back the way it came, and the sale fails.",
    RESALE_LOSS_SEVERE:
      "Selling back what the swap buys loses half of its price or more, beyond fees of pools.",
  },
});
