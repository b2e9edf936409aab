import { pageAndClaimReasons } from "../shared/page-text/reasons.js";

export const webCompileReasons = pageAndClaimReasons;
