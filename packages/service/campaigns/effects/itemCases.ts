import { lowercase } from "@assay/chain/testing/lowercase";
import { maxUint256 } from "viem";
import { type AccuracyWorld, encode } from "../accuracy/accuracyWorld.js";
import type { AccuracyCase } from "../accuracy/caseTools.js";

/** Transfers of ERC-1155 items and of a token that keeps a part: the corpus of verdicts has none of them. */
export function listItemCases({ devnet, alice, bob }: AccuracyWorld): AccuracyCase[] {
  const { erc1155, erc721, taxedToken } = devnet.contracts;
  const make = (name: string, kind: string, to: string, data: ReturnType<typeof encode>): AccuracyCase => ({
    name,
    group: "honest",
    kind,
    transaction: { from: alice, to: lowercase(to), data, value: 0n },
  });
  const single = "safeTransferFrom(address f, address t, uint256 i, uint256 a, bytes d)";
  const batch = "safeBatchTransferFrom(address f, address t, uint256[] i, uint256[] a, bytes d)";
  return [
    ...[1n, 7n, 40n, 101n].flatMap((amount) => [
      make(`${amount} of an item to bob`, "erc1155", erc1155, encode(single, [alice, bob, 1n, amount, "0x"])),
      make(
        `${amount} of an item to bob in two parts`,
        "erc1155",
        erc1155,
        encode(batch, [alice, bob, [1n, 1n], [amount - 1n, 1n], "0x"]),
      ),
    ]),
    make("one of an item to oneself", "erc1155", erc1155, encode(single, [alice, alice, 1n, 1n, "0x"])),
    make(
      "a collection's item to bob",
      "nft",
      erc721,
      encode("safeTransferFrom(address f, address t, uint256 i)", [alice, bob, 1n]),
    ),
    make(
      "a taxed token to bob",
      "erc20",
      taxedToken,
      encode("transfer(address t, uint256 a)", [bob, 10n ** 18n]),
    ),
    make(
      "a taxed token's allowance for bob",
      "approve",
      taxedToken,
      encode("approve(address s, uint256 a)", [bob, maxUint256]),
    ),
  ];
}
