/** How much of a label's answer is recorded: offset, length and 960 bytes of text. */
export const LABEL_ANSWER_BYTES = 1024;
