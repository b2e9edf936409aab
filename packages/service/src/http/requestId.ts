import { randomBytes } from "node:crypto";

const prefix = randomBytes(6).toString("base64url");
let count = 0;

/** Unique among processes by its random start, within one by counting; costs no system call. */
export function newRequestId(): string {
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}
