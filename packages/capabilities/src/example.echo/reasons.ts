import { defineReasons } from "../shared/verdict/reasons.js";

export const exampleEchoReasons = defineReasons({
  allow: {
    TEXT_ECHOED: "The text is ASCII and not empty.",
  },
  review: {
    TEXT_NOT_ECHOABLE: "The text is empty or holds characters beyond ASCII.",
    BLOCK_NUMBER_UNREAD: "The chain did not state the number of the block.",
  },
});
