/** Decodes an x402 header, which is JSON in base64; undefined when it is anything else. */
export function decodeHeader(text: string | null): unknown {
  try {
    const bytes = Uint8Array.from(atob(text ?? ""), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
