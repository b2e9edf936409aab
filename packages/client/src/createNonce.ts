/** 16 random bytes as hex digits. Not `randomUUID`, which pages without TLS have not. */
export const createNonce = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
