/** A key's bytes; undefined unless the text is their one canonical base64 form. */
export function decodeKey(text: string): Uint8Array | undefined {
  try {
    const binary = atob(text);
    return btoa(binary) === text ? Uint8Array.from(binary, (char) => char.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}
