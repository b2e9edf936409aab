import type { Removal } from "./sourceProtections.js";

// Hooks of Node's loader: they run in a thread of their own, which `register` starts.

let removal: Removal | undefined;

export function initialize(given: Removal): void {
  removal = given;
}

interface Loaded {
  readonly source?: string | ArrayBuffer | Uint8Array;
}

/** Leaves one protection out of a built source while it is loaded. No file is changed. */
export async function load<C>(
  url: string,
  context: C,
  nextLoad: (url: string, context: C) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await nextLoad(url, context);
  if (!removal || !url.endsWith(`/dist/${removal.file.replace(/\.ts$/, ".js")}`)) return loaded;
  const text = Buffer.from(loaded.source as Uint8Array).toString("utf8");
  if (text.split(removal.from).length !== 2)
    throw new Error(`${removal.file} does not hold "${removal.from}" once.`);
  return { ...loaded, source: text.replace(removal.from, () => removal?.to ?? "") };
}
