import { expect, vi } from "vitest";

let runs = 0;
/**
 * What an example prints that runs in this process, which saves the second that a new process takes to start. documents.test.ts
 * runs one as its first line says.
 */
export async function runExample(
  place: string,
  environment: Record<string, string>,
  { mayComplain = false } = {},
): Promise<string[]> {
  const none = { RPC_URL: undefined, ASSAY_PRIVATE_KEY: undefined };
  for (const [key, value] of Object.entries({ ...none, ...environment })) vi.stubEnv(key, value);
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  const complained = vi.spyOn(process.stderr, "write");
  try {
    // A module runs once for each of its addresses.
    await import(/* @vite-ignore */ `${place}?run=${runs++}`);
    if (!mayComplain) expect(complained).not.toHaveBeenCalled();
    return printed.mock.calls.map((values) => values.join(" "));
  } finally {
    printed.mockRestore();
    complained.mockRestore();
    vi.unstubAllEnvs();
  }
}
