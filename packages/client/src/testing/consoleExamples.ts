export interface ConsoleExample {
  /** What follows `assay`. */
  readonly command: string;
  /** Lines that are printed in this order, among others. */
  readonly expected: readonly string[];
}

/** The commands of a page's console blocks, each with the output that the page shows. */
export function listConsoleExamples(text: string): ConsoleExample[] {
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ (?:npx )?assay /m)
      .slice(1)
      .map((example) => {
        const [command = "", ...expected] = example.trimEnd().split("\n");
        return { command, expected };
      }),
  );
}

/** Splits a command as a shell does, as far as the examples need it. */
export const splitWords = (command: string) =>
  [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

/** The first expected line that was not printed in its order; `…` matches anything. */
export function findMissingLine(shown: string, expected: readonly string[]): string | undefined {
  const lines = shown.split("\n");
  let from = 0;
  for (const line of expected) {
    const parts = line.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join(".*")}$`);
    const at = lines.findIndex((candidate, index) => index >= from && pattern.test(candidate));
    if (at === -1) return line;
    from = at + 1;
  }
  return undefined;
}
