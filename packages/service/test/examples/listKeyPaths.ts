/** Every name that an example has, with the entries of a list taken together: what must not change unnoticed. */
export function listKeyPaths(value: unknown, path = ""): string[] {
  const found = new Set<string>();
  const walk = (part: unknown, at: string): void => {
    if (Array.isArray(part)) for (const entry of part) walk(entry, `${at}[]`);
    else if (typeof part === "object" && part !== null) {
      for (const [key, inside] of Object.entries(part)) {
        // Addresses, hashes and slots name things of one run.
        const inner = `${at}.${/^0x[0-9a-fA-F]{8,}$/.test(key) ? "0x" : key}`;
        found.add(inner);
        walk(inside, inner);
      }
    }
  };
  walk(value, path);
  return [...found].sort();
}
