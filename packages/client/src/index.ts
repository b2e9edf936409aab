export * from "./createClient.js";
export * from "./errors.js";
export type { PreparedPayment } from "./preparedPayment.js";
export type { Settlement } from "./readSettlement.js";
export type { SendOptions } from "./sendPayment.js";
export type { PayerAccount } from "./signPayment.js";
export type { Verification, VerificationStep } from "./verification.js";
export * from "./verifyResult.js";
