import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { type AccuracyWorld, encode } from "../accuracy/accuracyWorld.js";
import { type AccuracyCase, transfer } from "../accuracy/caseTools.js";

/** ERC-1155 items and a token that keeps a part of what is sent: the corpus of verdicts has none of them. */
export function listItemCases({ devnet, alice, bob, deployer }: AccuracyWorld): AccuracyCase[] {
  const { erc1155, erc721, taxedToken } = devnet.contracts;
  const make = (name: string, kind: string, from: Hex, to: string, data: Hex): AccuracyCase => ({
    name,
    group: "honest",
    kind,
    transaction: { from, to: lowercase(to), data, value: 0n },
  });
  const single = "safeTransferFrom(address f, address t, uint256 i, uint256 a, bytes d)";
  const batch = "safeBatchTransferFrom(address f, address t, uint256[] i, uint256[] a, bytes d)";
  const sendItems = (name: string, data: Hex) => make(name, "erc1155", alice, erc1155, data);
  return [
    ...[1n, 7n, 40n, 101n].flatMap((amount) => [
      sendItems(`${amount} of an item to bob`, encode(single, [alice, bob, 1n, amount, "0x"])),
      sendItems(
        `${amount} of an item to bob in two parts`,
        encode(batch, [alice, bob, [1n, 1n], [amount - 1n, 1n], "0x"]),
      ),
    ]),
    sendItems("one of an item to oneself", encode(single, [alice, alice, 1n, 1n, "0x"])),
    ...[2n, 3n].map((id) =>
      make(
        `a million of item ${id} made by their owner`,
        "erc1155",
        deployer,
        erc1155,
        encode("mint(address t, uint256 i, uint256 a)", [deployer, id, 1_000_000n]),
      ),
    ),
    make(
      "a collection's item to bob",
      "nft",
      alice,
      erc721,
      encode("safeTransferFrom(address f, address t, uint256 i)", [alice, bob, 1n]),
    ),
    ...[alice, bob].map((to) =>
      make(`a taxed token to ${to}`, "taxed", deployer, taxedToken, transfer(to, 10n ** 18n)),
    ),
  ];
}
