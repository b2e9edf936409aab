import type { Hex } from "@assay/protocol";
import { concat, encodePacked, maxUint256, pad, parseEther, size } from "viem";
import { type AccuracyWorld, encode } from "./accuracyWorld.js";
import {
  type AccuracyCase,
  approve,
  type Make,
  MSG_SENDER,
  transfer,
  usd,
  v3Single,
  wethFor,
  ZERO,
} from "./caseTools.js";
import { ENTRY_POINTS, MULTI_SEND, type Setup, USDC, WETH } from "./setUp.js";

const execTransaction = (owner: Hex, to: string, data: Hex, operation = 0, value = 0n) =>
  encode(
    "execTransaction(address t, uint256 v, bytes d, uint8 o, uint256 a, uint256 b, uint256 c, address g, address r, bytes s)",
    [to, value, data, operation, 0n, 0n, 0n, ZERO, ZERO, concat([pad(owner), pad("0x"), "0x01"])],
  );
const pack = (calls: readonly (readonly [string, bigint, Hex])[]) =>
  encode("multiSend(bytes t)", [
    concat(
      calls.map(([to, value, data]) =>
        encodePacked(
          ["uint8", "address", "uint256", "uint256", "bytes"],
          [0, to as Hex, value, BigInt(size(data)), data],
        ),
      ),
    ),
  ]);

export function listAccounts(
  { devnet, alice, bob, thief }: AccuracyWorld,
  setup: Setup,
  honest: Make,
  hostile: Make,
): AccuracyCase[] {
  const { swapRouter02 } = devnet.contracts;
  const cases: AccuracyCase[] = [];
  for (const [version, safe] of Object.entries(setup.safes)) {
    const run = (to: string, data: Hex, operation = 0, value = 0n) => ({
      to: safe,
      data: execTransaction(alice, to, data, operation, value),
    });
    const swap = (to: Hex) => v3Single(USDC, WETH, to, usd(30), wethFor(30));
    cases.push(honest(`Safe ${version}: 20 USDC to bob`, "safe", run(USDC, transfer(bob, usd(20)))));
    cases.push(honest(`Safe ${version}: 0.1 ETH to bob`, "safe", run(bob, "0x", 0, parseEther("0.1"))));
    cases.push(
      honest(
        `Safe ${version}: approve and swap`,
        "safe",
        run(
          MULTI_SEND,
          pack([
            [USDC, 0n, approve(swapRouter02, usd(30))],
            [swapRouter02, 0n, swap(safe)],
          ]),
          1,
        ),
      ),
    );
    cases.push(
      honest(
        `Safe ${version}: approve 5 USDC to the router`,
        "safe",
        run(USDC, approve(swapRouter02, usd(5))),
      ),
    );
    cases.push(
      honest(
        `Safe ${version}: bob as second owner`,
        "safe",
        run(safe, encode("addOwnerWithThreshold(address o, uint256 t)", [bob, 1n])),
      ),
    );
    cases.push(
      honest(`Safe ${version}: wrap ether`, "safe", run(WETH, encode("deposit()"), 0, parseEther("1"))),
    );
    cases.push(
      hostile(
        `Safe ${version}: the thief as second owner`,
        "control",
        run(safe, encode("addOwnerWithThreshold(address o, uint256 t)", [thief, 1n])),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: the thief as only owner`,
        "control",
        run(safe, encode("swapOwner(address p, address o, address n)", [MSG_SENDER, alice, thief])),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: an unknown module`,
        "control",
        run(safe, encode("enableModule(address m)", [setup.bait])),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: an unknown fallback handler`,
        "control",
        run(safe, encode("setFallbackHandler(address h)", [setup.bait])),
      ),
    );
    cases.push(
      hostile(`Safe ${version}: delegatecall to a drainer`, "control", run(setup.bait, encode("claim()"), 1)),
    );
    cases.push(
      hostile(
        `Safe ${version}: approve everything to the thief`,
        "batch",
        run(USDC, approve(thief, maxUint256)),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: a transfer and a hidden approval`,
        "batch",
        run(
          MULTI_SEND,
          pack([
            [USDC, 0n, transfer(bob, usd(1))],
            [USDC, 0n, approve(thief, maxUint256)],
          ]),
          1,
        ),
      ),
    );
    cases.push(
      hostile(
        `Safe ${version}: approve and swap for the thief`,
        "batch",
        run(
          MULTI_SEND,
          pack([
            [USDC, 0n, approve(swapRouter02, usd(30))],
            [swapRouter02, 0n, swap(thief)],
          ]),
          1,
        ),
      ),
    );
    cases.push(
      hostile(`Safe ${version}: 25 USDC to the router`, "losing", run(USDC, transfer(swapRouter02, usd(25)))),
    );
  }
  for (const [version, account] of Object.entries(setup.accounts)) {
    const run = (to: string, data: Hex, value = 0n) => ({
      to: account,
      data: encode("execute(address t, uint256 v, bytes d)", [to, value, data]),
    });
    cases.push(honest(`account ${version}: 20 USDC to bob`, "account", run(USDC, transfer(bob, usd(20)))));
    cases.push(honest(`account ${version}: 0.1 ETH to bob`, "account", run(bob, "0x", parseEther("0.1"))));
    cases.push(
      honest(
        `account ${version}: approve 5 USDC to the router`,
        "account",
        run(USDC, approve(swapRouter02, usd(5))),
      ),
    );
    cases.push(
      hostile(
        `account ${version}: approve everything to the thief`,
        "batch",
        run(USDC, approve(thief, maxUint256)),
      ),
    );
    cases.push(
      hostile(`account ${version}: its code replaced by a sweeper`, "control", {
        to: account,
        data: encode("upgradeToAndCall(address i, bytes d)", [setup.sweeper, "0x"]),
      }),
    );
    const entryPoint = ENTRY_POINTS[version as keyof typeof ENTRY_POINTS];
    cases.push(
      honest(`EntryPoint ${version}: deposit for one's account`, "account", {
        to: entryPoint,
        data: encode("depositTo(address a)", [account]),
        value: parseEther("0.01"),
      }),
    );
    cases.push(
      hostile(`EntryPoint ${version}: deposit for the thief`, "position", {
        to: entryPoint,
        data: encode("depositTo(address a)", [thief]),
        value: parseEther("0.5"),
      }),
    );
  }
  const own = setup.delegatedAccount;
  if (own) {
    const batch = (calls: readonly (readonly [string, Hex])[]) => ({
      from: own,
      to: own,
      data: encode("executeBatch((address target, uint256 value, bytes data)[] c)", [
        calls.map(([target, data]) => ({ target, value: 0n, data })),
      ]),
    });
    cases.push(
      honest(
        "delegated account: transfer and approve",
        "account",
        batch([
          [USDC, transfer(bob, usd(3))],
          [USDC, approve(swapRouter02, usd(5))],
        ]),
      ),
    );
    cases.push(
      honest(
        "delegated account: approve and swap",
        "account",
        batch([
          [USDC, approve(swapRouter02, usd(30))],
          [swapRouter02, v3Single(USDC, WETH, own, usd(30), wethFor(30))],
        ]),
      ),
    );
    cases.push(
      hostile(
        "delegated account: a hidden approval",
        "batch",
        batch([
          [USDC, transfer(bob, usd(3))],
          [USDC, approve(thief, maxUint256)],
        ]),
      ),
    );
    cases.push(
      hostile(
        "delegated account: swap for the thief",
        "batch",
        batch([
          [USDC, approve(swapRouter02, usd(30))],
          [swapRouter02, v3Single(USDC, WETH, thief, usd(30), wethFor(30))],
        ]),
      ),
    );
  }
  return cases;
}
