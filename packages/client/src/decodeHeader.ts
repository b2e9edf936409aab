/** What x402 puts into a header, JSON in base64; undefined when it is something else. */
export function decodeHeader(text: string | null): unknown {
  try {
    const bytes = Uint8Array.from(atob(text ?? ""), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
