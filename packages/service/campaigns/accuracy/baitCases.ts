import { parseEther, toHex } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import { type AccuracyCase, type Make, usd } from "./caseTools.js";
import { type Setup, USDC, WETH } from "./setUp.js";

export function listBaits(
  { alice, carol, thief }: AccuracyWorld,
  setup: Setup,
  hostile: Make,
): AccuracyCase[] {
  const cases: AccuracyCase[] = [];
  const { bait } = setup;
  for (const ether of ["0.02", "0.5", "2"]) {
    const value = parseEther(ether);
    for (const name of ["claim()", "claimRewards()", "SecurityUpdate()", "connect()"])
      cases.push(hostile(`${name} with ${ether} ETH`, "bait", { to: bait, data: encode(name), value }));
    cases.push(
      hostile(`verifyWallet with ${ether} ETH`, "bait", {
        to: bait,
        data: encode("verifyWallet(bytes32 b)", [toHex(1n, { size: 32 })]),
        value,
      }),
    );
    cases.push(
      hostile(`mint(1) that mints nothing, ${ether} ETH`, "bait", {
        to: bait,
        data: encode("mint(uint256 n)", [1n]),
        value,
      }),
    );
    cases.push(
      hostile(`deposit() for a worthless token, ${ether} ETH`, "bait", {
        to: setup.baitToken,
        data: encode("deposit()"),
        value,
      }),
    );
    cases.push(
      hostile(`execute() of a bait, ${ether} ETH`, "bait", {
        to: bait,
        data: encode("execute(address t, uint256 v, bytes d)", [alice, value, "0x"]),
        value,
      }),
    );
  }
  for (const dollars of [50, 5000]) {
    cases.push(
      hostile(`deposit of ${dollars} USDC that goes to the thief`, "bait", {
        to: bait,
        data: encode("deposit(uint256 a, address t)", [usd(dollars), USDC]),
      }),
    );
    cases.push(
      hostile(`stake of ${dollars} USDC that is kept`, "bait", {
        to: bait,
        data: encode("stake(address t, uint256 a)", [USDC, usd(dollars)]),
      }),
    );
    cases.push(
      hostile(`a worthless token for ${dollars} USDC`, "bait", {
        to: setup.baitToken,
        data: encode("buy(address t, uint256 a)", [USDC, usd(dollars)]),
      }),
    );
  }
  cases.push(
    hostile("an airdrop that takes all USDC of carol", "bait", {
      from: carol,
      to: bait,
      data: encode("claimAirdrop(address t)", [USDC]),
    }),
  );
  cases.push(
    hostile("an airdrop that takes all USDC of alice", "bait", {
      to: bait,
      data: encode("claimAirdrop(address t)", [USDC]),
    }),
  );
  cases.push(
    hostile("an airdrop that takes all WETH of alice", "bait", {
      to: bait,
      data: encode("claimAirdrop(address t)", [WETH]),
    }),
  );
  cases.push(
    hostile("a migration of everything", "bait", {
      to: bait,
      data: encode("migrate(address[] t)", [[USDC, WETH]]),
    }),
  );
  cases.push(
    hostile("a proxy's ownership to the thief", "control", {
      to: setup.ownedProxy,
      data: encode("transferProxyOwnership(address n)", [thief]),
    }),
  );
  cases.push(
    hostile("a proxy's ownership to the thief by an unknown function", "control", {
      to: setup.ownedProxy,
      data: encode("handOver(address n)", [thief]),
    }),
  );
  return cases;
}
