import { fileURLToPath } from "node:url";
import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { expect, test } from "vitest";
import { encode } from "./accuracy/accuracyWorld.js";
import { USDC } from "./accuracy/setUp.js";
import { useAccuracyWorld } from "./accuracy/useAccuracyWorld.js";
import { listItemRows, prepareItems } from "./message/itemRows.js";
import { listLaterRows, prepareLater } from "./message/laterRows.js";
import { prepareMessages } from "./message/messageWorld.js";
import { listPositionRows, preparePositions } from "./message/positionRows.js";
import { endowments } from "./message/rowAccounts.js";
import { listedCode, listTableRows, SILENT } from "./message/tableRows.js";
import { listTermRows, prepareTerms } from "./message/termRows.js";
import { askMessage } from "./runMessage.js";

const folder = fileURLToPath(new URL("../../../bench/accuracy", import.meta.url));

test("every message of the table gets its verdict, for its reason", async () => {
  await useAccuracyWorld({ folder, packaged: false }, async (chain, accuracy, setup) => {
    const { devnet, alice } = accuracy;
    const setCode = (address: Hex) => devnet.request("hardhat_setCode", [address, "0x00"]);
    for (const address of [...listedCode, SILENT]) await setCode(address);
    for (const [holder, amount] of endowments) {
      await devnet.request("hardhat_setBalance", [holder, toHex(parseEther("10"))]);
      await accuracy.send({
        from: alice,
        to: USDC,
        data: encode("transfer(address t, uint256 a)", [holder, amount]),
      });
    }
    const messages = await prepareMessages(accuracy, setup, undefined);
    await prepareTerms(messages);
    const world = await prepareLater(messages);
    const positions = await preparePositions(messages);
    await prepareItems(messages);
    const rows = [
      ...listTableRows(world),
      ...listLaterRows(world),
      ...listTermRows(world),
      ...listPositionRows(positions),
      ...listItemRows(positions),
    ];
    const names = rows.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { name, input, verdict, code } of rows) {
      const answer = await askMessage(chain, input);
      expect.soft({ name, verdict: answer.verdict, reasons: answer.reasonCodes }).toEqual({
        name,
        verdict,
        reasons: expect.arrayContaining([code]),
      });
    }
  });
}, 120_000);
