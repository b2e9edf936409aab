import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, encodePacked, maxUint256, parseEther, size } from "viem";
import {
  aggregate,
  approve,
  execTransaction,
  execute,
  STRANGER,
  transfer,
  usd,
  ZERO,
} from "./intentCalls.js";
import { encode, type IntentWorld } from "./intentFixture.js";
import type { Row } from "./intentRow.js";

/** Calls that take, deceive, or cannot be read. */
export function listHostileCallRows(world: IntentWorld): Row[] {
  return [...listHostileTransfers(world), ...listHostileWrappers(world), ...listMalformed(world)];
}

function listHostileTransfers({ devnet, bob, drainer }: IntentWorld): Row[] {
  const { stablecoin, plainToken, pausableToken, transparentProxy, proxyAdmin, boxV1 } = devnet.contracts;
  const deployer = devnet.deployer.address;
  return [
    {
      name: "rewards that take dollars",
      intent: "contract_call",
      verdict: "block",
      reasons: ["UNKNOWN_FUNCTION", "ENDS_WITH_ANOTHER"],
      transaction: { to: drainer, data: encode("claimRewards()") },
    },
    {
      name: "ether for rewards",
      intent: "contract_call",
      verdict: "block",
      reasons: ["UNKNOWN_FUNCTION", "ENDS_WITH_ANOTHER"],
      transaction: { to: drainer, data: encode("claimRewards()"), value: parseEther("1") },
    },
    {
      name: "a deposit that is kept",
      intent: "contract_call",
      verdict: "block",
      reasons: ["LEAVES_WITHOUT_RETURN"],
      transaction: { to: drainer, data: encode("deposit()"), value: parseEther("1") },
    },
    {
      name: "a transfer of one thing that takes another",
      intent: "transfer",
      verdict: "block",
      reasons: ["UNDECLARED_OUTFLOW", "MEASURED_DIFFERS"],
      transaction: { to: drainer, data: transfer(bob, 1n) },
    },
    {
      name: "tokens to the zero address",
      intent: "transfer",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { to: plainToken, data: transfer(ZERO, 1n) },
    },
    {
      name: "tokens to the token",
      intent: "transfer",
      verdict: "block",
      reasons: ["RECIPIENT_KEEPS"],
      transaction: { to: plainToken, data: transfer(plainToken, 1n) },
    },
    {
      name: "dollars to a router",
      intent: "transfer",
      verdict: "block",
      reasons: ["RECIPIENT_KEEPS"],
      transaction: { to: stablecoin, data: transfer(devnet.contracts.swapRouter02, usd(5)) },
    },
    {
      name: "dollars to an address that looks like bob's",
      intent: "transfer",
      verdict: "block",
      reasons: ["LOOK_ALIKE_RECIPIENT"],
      before: [{ to: stablecoin, data: transfer(bob, usd(1)) }],
      transaction: {
        to: stablecoin,
        data: transfer(`${bob.slice(0, 6)}${"0".repeat(32)}${bob.slice(-4)}`, usd(5)),
      },
    },
    {
      name: "a token call to an address without code",
      intent: "transfer",
      verdict: "review",
      reasons: ["CALLDATA_TO_NO_CODE"],
      transaction: { to: STRANGER, data: transfer(bob, 1n) },
    },
    {
      name: "more dollars than there are",
      intent: "transfer",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { to: stablecoin, data: transfer(bob, usd(10_000_000)) },
    },
    {
      name: "more ether than there is",
      intent: "transfer",
      verdict: "block",
      reasons: ["NATIVE_BALANCE_TOO_LOW"],
      transaction: { to: bob, value: parseEther("1000000") },
    },
    {
      name: "ether to a contract that refuses it",
      intent: "transfer",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { to: plainToken, value: 1n },
    },
    ...[
      "0x0000000000000000000000000000000000000001",
      "0x0000000000000000000000000000000000000011",
      "0x0000000000000000000000000000000000000100",
      "0xb20f000000000000000000000000000000000000",
      "0x8453000000000000000000000000000000000002",
    ].map(
      (to): Row => ({
        name: `ether to the precompiled contract ${to}`,
        intent: "transfer",
        verdict: "block",
        reasons: [to.startsWith("0x00") ? "RECIPIENT_BURNS" : "RECIPIENT_KEEPS"],
        transaction: { to, value: parseEther("1") },
      }),
    ),
    {
      name: "dollars to a precompiled contract",
      intent: "transfer",
      verdict: "block",
      reasons: ["RECIPIENT_BURNS"],
      transaction: { to: stablecoin, data: transfer("0x0000000000000000000000000000000000000009", usd(5)) },
    },
    {
      name: "a paused token",
      intent: "transfer",
      verdict: "block",
      reasons: ["CONTRACT_PAUSED", "TX_REVERTS"],
      before: [{ from: deployer, to: pausableToken, data: encode("pause()") }],
      transaction: { to: pausableToken, data: transfer(bob, 1n) },
    },
    {
      name: "ownership of a proxy's admin given away",
      intent: "contract_call",
      verdict: "block",
      reasons: ["CONTROL_TO_STRANGER"],
      transaction: {
        from: deployer,
        to: proxyAdmin,
        data: encode("transferOwnership(address newOwner)", [bob]),
      },
    },
    {
      name: "an upgrade of a proxy by its owner",
      intent: "contract_call",
      verdict: "review",
      reasons: ["CONTROL_CALL"],
      transaction: {
        from: deployer,
        to: devnet.contracts.uupsProxy,
        data: encode("upgradeToAndCall(address implementation, bytes data)", [
          devnet.contracts.uupsBoxV2,
          "0x",
        ]),
      },
    },
    {
      name: "an upgrade by somebody else",
      intent: "contract_call",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: {
        to: transparentProxy,
        data: encode("upgradeToAndCall(address implementation, bytes data)", [boxV1, "0x"]),
      },
    },
  ];
}

function listHostileWrappers({ devnet, safe, bob, drainer }: IntentWorld): Row[] {
  const { stablecoin, wallet1271, multicall3 } = devnet.contracts;
  const packed = encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [0, stablecoin, 0n, BigInt(size(approve(bob, maxUint256))), approve(bob, maxUint256)],
  );
  return [
    {
      name: "a Safe made to run a drainer's code",
      intent: "contract_call",
      verdict: "block",
      reasons: ["FOREIGN_DELEGATECALL"],
      transaction: {
        to: safe,
        data: execTransaction(drainer, encode("empty(address what, address to)", [stablecoin, bob]), 1),
      },
    },
    {
      name: "a Safe made to run a look-alike batcher",
      intent: "approve",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: {
        to: safe,
        data: execTransaction(drainer, encode("multiSend(bytes transactions)", [packed]), 1),
      },
    },
    {
      name: "a payment that brings an approval along",
      intent: "contract_call",
      verdict: "review",
      reasons: ["SIGNED_BY_OWNER", "SPENDER_UNKNOWN"],
      transaction: {
        to: safe,
        data: execTransaction(
          multicall3,
          aggregate([
            [stablecoin, transfer(bob, 0n)],
            [stablecoin, approve(drainer, 1n)],
          ]),
        ),
      },
    },
    {
      name: "a Safe's call by one who does not own it",
      intent: "transfer",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { from: bob, to: safe, data: execTransaction(stablecoin, transfer(bob, 1n)) },
    },
    {
      name: "a wallet's unlimited approval to an account",
      intent: "approve",
      verdict: "block",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT"],
      transaction: { to: wallet1271, data: execute(stablecoin, approve(bob, maxUint256)) },
    },
    {
      name: "a batch in which one call fails",
      intent: "transfer",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { to: multicall3, data: aggregate([[stablecoin, transfer(bob, usd(1))]]) },
    },
  ];
}

function listMalformed({ devnet, alice }: IntentWorld): Row[] {
  const { stablecoin, swapRouter02, multicall3 } = devnet.contracts;
  const call = { intent: "contract_call" } as const;
  return [
    {
      ...call,
      name: "an approval cut short",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { to: stablecoin, data: approve(alice, 1n).slice(0, 100) as Hex },
    },
    {
      intent: "transfer",
      name: "a transfer with bytes behind it",
      verdict: "review",
      reasons: ["UNDECODED_BYTES"],
      transaction: { to: stablecoin, data: `${transfer(alice, 1n)}deadbeef` as Hex },
    },
    {
      ...call,
      name: "three bytes that name no function",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: { to: stablecoin, data: "0x010203" },
    },
    {
      ...call,
      name: "a multicall whose offsets point outside",
      verdict: "block",
      reasons: ["TX_REVERTS"],
      transaction: {
        to: swapRouter02,
        data: `0xac9650d8${encodeAbiParameters([{ type: "uint256" }], [2n ** 40n]).slice(2)}` as Hex,
      },
    },
    {
      ...call,
      name: "a batch of a hundred and more",
      verdict: "review",
      reasons: ["DECODE_BOUND_REACHED", "UNDECODED_BYTES"],
      transaction: {
        to: multicall3,
        data: aggregate(Array.from({ length: 120 }, () => [stablecoin, encode("decimals()")] as const)),
      },
    },
  ];
}
