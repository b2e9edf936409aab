import { createRequire } from "node:module";
import type { Hex } from "@assay/protocol";
import { beforeAll, expect, test } from "vitest";
import { asPost, buyAnswer } from "../payer.js";
import { useTestService } from "../useTestService.js";

const service = useTestService();
const ENDLESS: Hex = "0x00000000000000000000000000000000c0de5171";

// JUMPDEST GAS BALANCE POP PUSH0 JUMP: each turn asks for the balance of an account never seen before, so all gas is gone
// after some thousand turns. `npm run campaign:disagreement` runs a loop that costs a node the most time per gas instead.
const ENDLESS_AND_DEAR: Hex = "0x5b5a31505f56";
const endlessAndCheap = () =>
  createRequire(import.meta.url)("@assay/contracts/out/Endless.json") as { readonly deployedBytecode: Hex };
beforeAll(() => {
  const code = process.env.ASSAY_EVERY_READING ? endlessAndCheap().deployedBytecode : ENDLESS_AND_DEAR;
  return service.chainOf.request("hardhat_setCode", [ENDLESS, code]);
});

const questions = {
  "message.intent.guard": (from: string) => ({ signer: from, calls: [{ to: ENDLESS, data: "0x12345678" }] }),
  "transaction.intent.guard": (from: string) => ({ from, to: ENDLESS, data: "0x12345678", value: "0" }),
};

test.each(Object.entries(questions))(
  "%s answers about code that never ends, and what was not seen is no allow",
  async (id, ask) => {
    const init = asPost(ask(service.account("alice").address.toLowerCase()));
    // The local node is busy with such code for some seconds after nobody waits for it; callers are asked to come again.
    await expect
      .poll(() => buyAnswer(service.invokeUrl(id), service.account("bob"), init).catch(String), {
        timeout: 100_000,
        interval: 3_000,
      })
      .toMatchObject({
        verdict: id === "message.intent.guard" ? "review" : expect.stringMatching(/review|block/),
        result: {
          reasonCodes: expect.arrayContaining([expect.stringMatching(/^(CALL_UNREAD|TX_REVERTS)$/)]),
        },
      });
  },
  120_000,
);
