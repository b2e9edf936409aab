import {
  addressSchema,
  CHANNEL_SCHEME,
  type ChannelRequirements,
  channelRequirementsSchema,
  type Hex,
  MAX_WITHDRAW_DELAY_SECONDS,
  MIN_WITHDRAW_DELAY_SECONDS,
} from "@assay/protocol";
import type { HttpAnswer } from "../exchange.js";
import { readChallengeFor, usesEip3009, type WayToPay } from "../readChallenge.js";

/** Scheme batch-settlement, with a channel that the contract takes. */
const byChannel: WayToPay<ChannelRequirements> = {
  schema: channelRequirementsSchema,
  isPayable: (requirements) => {
    const { receiverAuthorizer, withdrawDelay } = requirements.extra;
    return (
      usesEip3009(requirements) &&
      addressSchema.safeParse(receiverAuthorizer).success &&
      Number.isInteger(withdrawDelay) &&
      Number(withdrawDelay) >= MIN_WITHDRAW_DELAY_SECONDS &&
      Number(withdrawDelay) <= MAX_WITHDRAW_DELAY_SECONDS
    );
  },
  words: `by channel under scheme ${CHANNEL_SCHEME}`,
};

export const readChannelChallenge = (answer: HttpAnswer, assets: readonly Hex[]) =>
  readChallengeFor(byChannel, answer, assets);
