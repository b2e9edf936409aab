import { readFileSync } from "node:fs";
import type { Hex } from "@assay/protocol";
import { type Artifact, encode } from "../accuracy/accuracyWorld.js";
import { approve, usd } from "../accuracy/caseTools.js";
import { USDC } from "../accuracy/setUp.js";
import { SEAPORT, ZERO_32 } from "./documents.js";
import type { Drain } from "./drains.js";
import { toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import { nftItem, seaportOrder, tokenItem } from "./orderDocuments.js";

const ARTIFACT = "node_modules/@opensea/seaport-js/src/artifacts/seaport/contracts/Seaport.sol/Seaport.json";
/** Answers two words, as `getConduitCodeHashes()` has them: no order here uses a conduit. */
const CONTROLLER: Hex = "0x00000000000000000000000c0de517300c0de517";
const CONTROLLER_CODE: Hex = "0x60406000f3";

const ITEM =
  "(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount)";
const ASKED =
  "(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient)";
const FULFILL = `fulfillOrder(((address offerer, address zone, ${ITEM}[] offer, ${ASKED}[] consideration, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 totalOriginalConsiderationItems) parameters, bytes signature) order, bytes32 fulfillerConduitKey)`;

/** Dollars offered as "item 900000000000 of USDC" for twenty dollars, at Seaport as it is published. */
export function drainItem(kits: string, { world, alice, aliceKey, oldThief: thief }: MessageWorld): Drain {
  const order = seaportOrder(alice, [nftItem(USDC, usd(900_000))], [tokenItem(USDC, usd(20), alice)]);
  return {
    name: "dollars as an item at Seaport",
    group: "hostile",
    kind: "drain",
    input: { signer: alice, typedData: toJson(order) },
    loot: { token: USDC, thief },
    use: async () => {
      await world.devnet.request("hardhat_setCode", [CONTROLLER, CONTROLLER_CODE]);
      const artifact = JSON.parse(readFileSync(`${kits}/${ARTIFACT}`, "utf8")) as Artifact;
      await world.install(SEAPORT, artifact, [CONTROLLER]);
      await world.send({ from: alice, to: USDC, data: approve(SEAPORT, usd(1_000_000)) });
      await world.send({ from: thief, to: USDC, data: approve(SEAPORT, usd(20)) });
      const parameters = { ...order.message, totalOriginalConsiderationItems: 1n };
      const signature = await aliceKey.signTypedData(order as never);
      const data = encode(FULFILL, [{ parameters, signature }, ZERO_32]);
      await world.send({ from: thief, to: SEAPORT, data });
    },
  };
}
