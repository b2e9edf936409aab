import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { openTerminal } from "./terminal.js";

/** Everything that a terminal gets while coloured text is printed and slow work is awaited. */
async function show(env: Record<string, string>, isTTY = true): Promise<string> {
  let shown = "";
  const stream = { isTTY, write: (text: string) => (shown += text) };
  const terminal = openTerminal(env, stream, stream);
  terminal.print(terminal.paint("red", "BLOCK"));
  // Long enough for the first progress line, if there is one.
  await terminal.whileWaiting("waiting", () => setTimeout(600));
  return shown.replaceAll("\u001b", "ESC");
}

it("shows colours and progress on a terminal, and nowhere else", async () => {
  const [coloured, ...plain] = await Promise.all([
    show({ TERM: "xterm" }),
    show({ TERM: "dumb" }),
    show({ NO_COLOR: "1", TERM: "xterm" }),
    show({ TERM: "xterm" }, false),
  ]);
  expect(coloured).toMatch(/^ESC\[31mBLOCKESC\[39m\r. waiting [\s\S]*ESC\[K$/);
  expect(plain).toEqual(["BLOCK", "BLOCK", "BLOCK"]);
});
