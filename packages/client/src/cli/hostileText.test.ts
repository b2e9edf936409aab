import { expect, it } from "vitest";
import { runAssay } from "../testing/runAssay.js";
import { answerProblem, startStub } from "../testing/startStub.js";
import { jsonLine, printable } from "./text.js";

/** Clears the screen, sets the title, rings, does the same with C1 codes, turns text around, hides it, breaks the line. */
const HOSTILE = "\u001b[2J\u001b]0;x\u0007\u009b2J\u009d0;x\u009c\u202e\u2066\u200b\u{e0041}\u2028\r\n\ud800";

it("replaces what commands a terminal, turns text around or hides it, and keeps all other writing", () => {
  expect(printable(HOSTILE)).toMatch(/^[\][2J0;x�]+$/);
  expect(printable("Grüße, 日本語, עברית, 0x12 … ✓ 🙂")).toBe("Grüße, 日本語, עברית, 0x12 … ✓ 🙂");
});

it("writes the same value as JSON without any of that", () => {
  const line = jsonLine({ [HOSTILE]: [HOSTILE] });
  expect(line.trimEnd()).toBe(printable(line.trimEnd()));
  expect(JSON.parse(line)).toEqual({ [HOSTILE]: [HOSTILE] });
});

it.each([
  ["fields", { code: "invalid_input", errors: [{ field: HOSTILE, rule: HOSTILE }], requestId: HOSTILE }],
  ["a detail", { code: "unknown_capability", detail: HOSTILE, requestId: HOSTILE }],
])("prints an error document with hostile %s harmlessly", async (_what, problem) => {
  const stub = await startStub((_request, response) => answerProblem(response, 400, problem));
  try {
    const { code, out, err } = await runAssay(["--url", stub.url, "receipt", "inv_1"]);
    expect([code, out]).toEqual(["errors" in problem ? 2 : 1, ""]);
    expect(err).toContain("�");
    expect(err.replaceAll("\n", "")).toBe(printable(err.replaceAll("\n", "")));
    expect(err.trimEnd().split("\n")).toHaveLength("errors" in problem ? 3 : 1);
  } finally {
    await stub.stop();
  }
});
