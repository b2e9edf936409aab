import { defineReasons } from "../shared/verdict/reasons.js";

export const chainSnapshotReasons = defineReasons({
  allow: {
    CHAIN_SNAPSHOT: "The newest block and its fees were read.",
  },
  review: {
    FEE_HISTORY_UNREAD: "Fee history could not be read, so no fee is suggested.",
    NO_BASE_FEE: "The block states no base fee, so no fee is suggested.",
    HEAD_OLD: "The newest block known was more than 30 seconds old.",
  },
});
