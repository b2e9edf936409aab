import { hashText } from "./hashText.js";

/**
 * What a link to a shared answer must carry: 128 bits that follow from the answer's signature, so that only those who hold the
 * answer can make the link, and the public reference, which shows no output, does not give it away.
 */
export const shareKeyOf = (signature: string): string => hashText(signature).slice("sha256:".length, 39);

export const SHARE_KEY_PATTERN = /^[0-9a-f]{32}$/;

/** Path of the page that shows the answer to everybody who has the link. */
export const sharePath = (invocationId: string, signature: string): string =>
  `/shared/${invocationId}/${shareKeyOf(signature)}`;
