import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { usd } from "../accuracy/caseTools.js";
import { USDC, WETH } from "../accuracy/setUp.js";
import * as accounts from "./accountDocuments.js";
import * as make from "./documents.js";
import { document } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";
import * as orders from "./orderDocuments.js";
import type { PositionWorld } from "./positionRows.js";
import { collect, type TableRow } from "./rowTools.js";
import { placeOrder } from "./termRows.js";

/** Collections of pictures: copies of the one that the world has. */
const copies: readonly Hex[] = Array.from({ length: 20 }, (_, index) =>
  toHex(0xc0de51720000n + BigInt(index), { size: 20 }),
);

export async function prepareItems({ world, collection }: MessageWorld): Promise<void> {
  const code = await world.devnet.request<Hex>("eth_getCode", [collection, "latest"]);
  for (const copy of copies) await world.devnet.request("hardhat_setCode", [copy, code]);
}

/** What is an item by its name alone, who may take items, and what hides among many of them. */
export function listItemRows(world: PositionWorld): TableRow[] {
  return [...listNamedRows(world), ...listHiddenRows(world), ...listTakerRows(world), ...listHostRows(world)];
}

/** ERC-721 and ERC-20 have one function to transfer: an item of a token is an amount of it. */
function listNamedRows({ alice, listedToken, collection }: PositionWorld): TableRow[] {
  const forDollars = (item: orders.SeaportItem, dollars = 20) => ({
    typedData: orders.seaportOrder(alice, [item], [orders.tokenItem(USDC, usd(dollars), alice)]),
  });
  return collect(alice, (add) => {
    const all = { USDC: usd(900_000), WETH: parseEther("400") };
    for (const [name, token] of Object.entries({ USDC, WETH })) {
      const item = orders.nftItem(token, all[name as keyof typeof all]);
      add("block", "VALUE_LOST", `${name} as an item`, forDollars(item));
      add("block", "VALUE_LOST", `any item of ${name}`, forDollars({ ...item, itemType: 4 }));
      add("block", "VALUE_LOST", `${name} as items of ERC-1155`, forDollars({ ...item, itemType: 3 }));
      const nft = orders.zeroExNft(alice, token, all[name as keyof typeof all], usd(20), alice, 0n);
      add("block", "VALUE_LOST", `${name} as an item at 0x`, { typedData: nft });
      const placed = placeOrder(alice, item, orders.tokenItem(USDC, usd(20), alice));
      add("block", "VALUE_LOST", `a placed order of ${name} as an item`, placed);
    }
    const unpriced = orders.nftItem(listedToken.verifyingContract, parseEther("1000"));
    add("review", "PRICE_UNKNOWN", "a token without a price as an item", forDollars(unpriced));
    const dollars = orders.nftItem(USDC, usd(20));
    add("allow", "BALANCED_RETURN", "twenty dollars as an item for twenty dollars", forDollars(dollars));
    add("allow", "UNPRICED_SOLD", "a picture for twenty dollars", forDollars(orders.nftItem(collection, 1n)));
    const picture = orders.zeroExNft(alice, collection, 1n, usd(20), alice, 0n);
    add("allow", "UNPRICED_SOLD", "a picture for twenty dollars at 0x", { typedData: picture });
  });
}

/** Contracts of items are asked what they stand for, and only so many of them. */
function listHiddenRows({ alice, fork }: PositionWorld): TableRow[] {
  const sale = (tokens: readonly Hex[]) => ({
    typedData: orders.seaportOrder(
      alice,
      tokens.map((token) => orders.nftItem(token, 1n)),
      [orders.tokenItem(USDC, usd(tokens.length * 6), alice)],
    ),
  });
  return collect(alice, (add) => {
    for (const count of [8, 16, 20])
      add(
        "review",
        "MESSAGE_CUT",
        `a fork's position behind ${count} pictures`,
        sale([...copies.slice(0, count), fork]),
      );
    add(
      "review",
      "RECEIPT_SOLD",
      "a fork's position behind three pictures",
      sale([...copies.slice(0, 3), fork]),
    );
    add("allow", "UNPRICED_SOLD", "three pictures", sale(copies.slice(0, 3)));
  });
}

/** A router makes calls of a position manager for anybody, and a picture has no price. */
function listTakerRows({ world, setup, alice, bob, thief, collection }: PositionWorld): TableRow[] {
  const manager = world.devnet.contracts.positionManager as Hex;
  const router = world.devnet.contracts.swapRouter02 as Hex;
  return collect(alice, (add) => {
    const call = (verdict: TableRow["verdict"], code: string, name: string, to: Hex, data: Hex) =>
      add(verdict, code, name, { calls: [{ to, data }] });
    const unsuitable = ["review", "SPENDER_UNSUITABLE"] as const;
    const typedData = document(
      ["Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)"],
      { name: "Uniswap V3 Positions NFT-V1", version: "1", verifyingContract: manager },
      { spender: router, tokenId: setup.position, nonce: 0n, deadline: make.soon() },
    );
    add(...unsuitable, "a permit of a position for a router", { typedData });
    const approve = encode("approve(address s, uint256 i)", [router, setup.position]);
    call(...unsuitable, "a position approved for a router", manager, approve);
    const operate = (operator: Hex) => encode("setApprovalForAll(address o, bool a)", [operator, true]);
    call(...unsuitable, "all positions approved for a router", manager, operate(router));
    call(
      "allow",
      "OPERATOR_APPROVAL",
      "all pictures approved for Seaport",
      collection,
      operate(make.SEAPORT),
    );
    const give = (to: Hex) => encode("transferFrom(address f, address t, uint256 i)", [alice, to, 1n]);
    call("review", "LARGE_PAYMENT", "a picture for a stranger", collection, give(thief));
    call("allow", "PAYS_KNOWN_RECIPIENT", "a picture for a friend", collection, give(bob));
  });
}

/** A sign-in is bound to one host. */
function listHostRows({ alice }: MessageWorld): TableRow[] {
  const ask = (domain: string, asking: string) => ({
    personalMessage: accounts.signIn(alice, { domain }),
    origin: `https://${asking}`,
  });
  return collect(alice, (add) => {
    const sister = ["review", "SIGN_IN_FOR_SISTER_SITE"] as const;
    add(...sister, "a sign-in asked for by another host of its site", ask("example.org", "www.example.org"));
    const other = ["block", "SIGN_IN_FOR_ANOTHER_SITE"] as const;
    add(...other, "a sign-in asked for by a neighbour", ask("app.eth.limo", "thief.eth.limo"));
    add("allow", "SIGN_IN", "a sign-in asked for by its host", ask("app.eth.limo", "app.eth.limo"));
  });
}
