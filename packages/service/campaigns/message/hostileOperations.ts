import type { Hex } from "@assay/protocol";
import { concatHex, hashTypedData, keccak256, parseEther } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, transfer, usd } from "../accuracy/caseTools.js";
import { ENTRY_POINTS, USDC, WETH } from "../accuracy/setUp.js";
import * as accounts from "./accountDocuments.js";
import * as make from "./documents.js";
import { type MessageCase, toJson } from "./messageCase.js";
import type { MessageWorld } from "./messageWorld.js";

const MULTICALL3: Hex = "0xca11bde05977b3631167028862be2a173976ca11";

/** Hashes, texts, calls, operations and authorizations that nobody should sign. */
export function listHostileOperations(one: MessageWorld): MessageCase[] {
  const { setup, alice, thief, permitToken, collection, drainer, sweeper } = one;
  const cases: MessageCase[] = [];
  const add = (kind: string, name: string, input: Record<string, unknown>) =>
    cases.push({ name, group: "hostile", kind, input: { signer: alice, ...(toJson(input) as object) } });
  const typed = (kind: string, name: string, typedData: unknown) => add(kind, name, { typedData });
  const digest = hashTypedData(make.permit(permitToken, alice, thief, make.UNLIMITED) as never);
  add("hash", "the hash of a permit", { personalMessage: digest });
  add("hash", "a hash as text", { personalMessage: digest.slice(2) });
  add("hash", "the bytes of a typed document", { personalMessage: concatHex(["0x1901", digest, digest]) });
  add("hash", "a hash with a short word before it", { personalMessage: `Verify: ${keccak256("0x01")}` });
  typed(
    "wrapped.hash",
    "a hash for a Coinbase Smart Wallet",
    accounts.replaySafe(alice, "Coinbase Smart Wallet", digest),
  );
  typed("wrapped.hash", "a hash for a Kernel account", accounts.replaySafe(alice, "Kernel", digest));
  typed("wrapped.hash", "a hash as a Safe's message", accounts.safeMessage(setup.book, digest));
  typed(
    "erc7739",
    "a permit for a thief inside ERC-7739",
    accounts.nested(make.permit(permitToken, alice, thief, make.UNLIMITED), alice),
  );
  add("signIn", "a sign-in for another site than asks", {
    personalMessage: accounts.signIn(alice),
    origin: "https://app-example.org",
  });
  add("signIn", "a sign-in whose URI is elsewhere", {
    personalMessage: accounts.signIn(alice, { uri: "https://evil.example.net/" }),
  });
  add("signIn", "a sign-in of another account", {
    personalMessage: accounts.signIn(alice, { account: thief }),
  });
  add("signIn", "a sign-in without a nonce", { personalMessage: accounts.signIn(alice, { nonce: "" }) });
  add("signIn", "a sign-in at an imitated name", {
    personalMessage: accounts.signIn(alice, { domain: "арр.example.org", uri: "https://арр.example.org/" }),
  });
  add("signIn", "a sign-in that grants more", {
    personalMessage: accounts.signIn(alice, { extra: "\nResources:\n- urn:recap:eyJhdHQiOnt9fQ" }),
  });
  add("text", "a text that gives everything away", {
    personalMessage: `I authorize the transfer of all my tokens to ${thief}.`,
  });
  add("text", "a text that turns around", {
    personalMessage: "Log in to the market \u202egnihtyreve refsnart\u202c now please",
  });
  add("text", "a text from which keys are made", {
    personalMessage: "Only sign this to generate your trading key on our platform",
  });
  add("text", "an order as text", {
    personalMessage: JSON.stringify({ sell: "everything", price: 0, to: thief }),
  });

  add("calls", "a payment and a hidden approval", {
    calls: [
      { to: USDC, data: transfer(one.bob, usd(1)) },
      { to: WETH, data: approve(thief, make.UNLIMITED) },
    ],
  });
  add("calls", "most of the dollars to a stranger", {
    calls: [
      { to: USDC, data: transfer(one.oldThief, usd(900_000)) },
      { to: WETH, data: transfer(one.bob, 1n) },
    ],
  });
  add("calls", "many small payments to a thief", {
    calls: Array.from({ length: 8 }, () => ({ to: USDC, data: transfer(thief, usd(49)) })),
  });
  add("calls", "much more than was paid before", {
    calls: [{ to: USDC, data: transfer(one.bob, usd(9000)) }],
  });
  add("calls", "everything to a thief", {
    calls: [
      { to: USDC, data: approve(drainer, make.UNLIMITED) },
      { to: collection, data: encode("setApprovalForAll(address o, bool a)", [thief, true]) },
    ],
  });
  add("calls", "a bait that takes all", {
    calls: [{ to: setup.bait, data: encode("claimRewards()"), value: parseEther("1").toString() }],
  });
  add("eip7702", "an authorization of a sweeper", {
    authorization: { chainId: 8453, address: sweeper, nonce: 0 },
  });
  add("eip7702", "an authorization of a drainer on every chain", {
    authorization: { chainId: 0, address: drainer, nonce: 0 },
  });
  add("eip7702", "an authorization of an address without code", {
    authorization: { chainId: 8453, address: thief, nonce: 0 },
  });
  add("eip7702", "an authorization for another chain", {
    authorization: { chainId: 1, address: sweeper, nonce: 0 },
  });
  add("eip7702", "an authorization of a published contract that is no wallet", {
    authorization: { chainId: 8453, address: USDC, nonce: 0 },
  });

  const gas = {
    callGasLimit: "200000",
    verificationGasLimit: "150000",
    preVerificationGas: "50000",
    maxFeePerGas: "1000000000",
    maxPriorityFeePerGas: "1000000",
  };
  const execute = (to: Hex, data: Hex, value = 0n) =>
    encode("execute(address t, uint256 v, bytes d)", [to, value, data]);
  add("userOperation 0.7", "an operation at an unknown entry point", {
    userOperation: {
      entryPoint: drainer,
      sender: alice,
      nonce: "0",
      callData: execute(USDC, transfer(one.bob, 1n)),
      ...gas,
    },
  });
  for (const version of ["0.6", "0.7", "0.8"] as const) {
    const account = setup.accounts[version];
    if (account === undefined) continue;
    const form = version === "0.6" ? { initCode: "0x", paymasterAndData: "0x" } : {};
    const operation = (callData: Hex, over = {}) => ({
      userOperation: {
        entryPoint: ENTRY_POINTS[version],
        sender: account,
        nonce: "0",
        callData,
        ...gas,
        ...form,
        ...over,
      },
    });
    add(
      `userOperation ${version}`,
      `an approval for a thief by an account of ${version}`,
      operation(execute(USDC, approve(thief, make.UNLIMITED))),
    );
    add(
      `userOperation ${version}`,
      `an operation of ${version} whose fee takes all ether`,
      operation(execute(USDC, transfer(one.bob, 1n)), { preVerificationGas: "4000000000" }),
    );
  }
  for (const [version, safe] of Object.entries(setup.safes)) {
    typed(
      "safe.transaction",
      `a Safe ${version} that approves a thief`,
      accounts.safeTransaction(safe, USDC, approve(thief, make.UNLIMITED)),
    );
    typed(
      "safe.transaction",
      `a Safe ${version} that runs a drainer as itself`,
      accounts.safeTransaction(safe, drainer, "0x12345678", { operation: 1 }),
    );
    typed(
      "safe.transaction",
      `a Safe ${version} that gets another owner`,
      accounts.safeTransaction(
        safe,
        safe,
        encode("addOwnerWithThreshold(address o, uint256 t)", [thief, 1n]),
      ),
    );
    const self = (name: string, data: Hex) =>
      typed("safe.transaction", `a Safe ${version} ${name}`, accounts.safeTransaction(safe, safe, data));
    self("that answers by a token", encode("setFallbackHandler(address h)", [USDC]));
    self("that obeys a contract of anybody's", encode("enableModule(address m)", [MULTICALL3]));
    self(
      "that gets a contract of anybody's as owner",
      encode("addOwnerWithThreshold(address o, uint256 t)", [MULTICALL3, 1n]),
    );
    // She paid him before, which says nothing about command.
    self("that obeys a friend", encode("enableModule(address m)", [one.bob]));
    typed(
      "safe.transaction",
      `a Safe ${version} that pays a thief all its dollars`,
      accounts.safeTransaction(safe, USDC, transfer(thief, usd(1900))),
    );
    self("that consents to a hash", encode("approveHash(bytes32 h)", [make.nonce32(7)]));
    typed(
      "safe.transaction",
      `a Safe ${version} that refunds everything`,
      accounts.safeTransaction(safe, USDC, transfer(one.bob, 1n), {
        gasPrice: 1_000_000n,
        baseGas: 1_000_000_000n,
        gasToken: USDC,
        refundReceiver: thief,
      }),
    );
  }
  return cases;
}
