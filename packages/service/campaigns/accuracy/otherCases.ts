import type { Hex } from "@assay/protocol";
import { parseEther, toHex } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import { type AccuracyCase, approve, type Make, transfer, usd, ZERO } from "./caseTools.js";
import { type Setup, USDC, WETH } from "./setUp.js";

export function listOthers({ alice, devnet }: AccuracyWorld, setup: Setup, honest: Make): AccuracyCase[] {
  const { multicall3, uniswapV2Router } = devnet.contracts;
  const cases: AccuracyCase[] = [];
  for (const note of [1n, 2n, 5n, 77n])
    cases.push(
      honest(`a note ${note} in an unknown book`, "other", {
        to: setup.book,
        data: encode("write(bytes32 n)", [toHex(note, { size: 32 })]),
      }),
    );
  cases.push(honest("a free item", "nft", { to: setup.collection, data: encode("claimFree()") }));
  for (const count of [1n, 2n])
    cases.push(
      honest(`${count} items for 0.01 ETH each`, "nft", {
        to: setup.collection,
        data: encode("mint(address t, uint256 n)", [alice, count]),
        value: parseEther("0.01") * count,
      }),
    );
  cases.push(
    honest("balances through Multicall3", "other", {
      to: multicall3 as Hex,
      data: encode("aggregate3((address t, bool f, bytes d)[] c)", [
        [USDC, WETH].map((t) => ({ t, f: false, d: encode("balanceOf(address a)", [alice]) })),
      ]),
    }),
  );
  const suffix = `${toHex("baseapp").slice(2)}070080218021802180218021802180218021` as const;
  cases.push(
    honest("1 USDC with a builder code", "other", { to: USDC, data: `${transfer(alice, 1n)}${suffix}` }),
  );
  cases.push(
    honest("approve to the router with a builder code", "other", {
      to: USDC,
      data: `${approve(uniswapV2Router, usd(3))}${suffix}`,
    }),
  );
  for (const [index, data] of setup.authorizations.entries())
    cases.push(honest(`a payment that bob signed, carried out (${index})`, "x402", { to: USDC, data }));
  if (setup.merkle)
    cases.push(
      honest("a claim from a Merkle distributor", "other", {
        to: setup.merkle,
        data: encode("claim(uint256 i, address a, uint256 m, bytes32[] p)", [0n, alice, 7_000_000n, []]),
      }),
    );
  if (setup.universalRouter)
    cases.push(
      honest("an attestation", "other", {
        to: "0x4200000000000000000000000000000000000020",
        data: encode("register(string s, address r, bool v)", ["bool ok", ZERO, true]),
      }),
    );
  return cases;
}
