import type { Hex } from "@assay/protocol";
import { pino } from "pino";
import { keccak256, pad, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createLocalSigner } from "../../base/signers/digestSigner.js";
import type { Facilitator } from "../facilitator.js";
import { createInProcessFacilitator } from "./inProcessFacilitator.js";
import { compareWithOfficial, intendedDifferences } from "./testing/compareWithOfficial.js";
import { openSettlement, type SettlementFixture } from "./testing/settlementFixture.js";
import { encodeTransfer } from "./transferCall.js";

const SEED = 8453;
/** `npm run campaign:properties` makes more. */
const PAYLOADS = Number(process.env.ASSAY_PROPERTY_RUNS ?? 78);

test("accepts and refuses what the official scheme does, except where the token says otherwise", async () => {
  const comparison = await compareWithOfficial(SEED, PAYLOADS);
  expect(comparison.disagreements).toEqual([]);
  expect(Object.keys(comparison.intended).sort()).toEqual(Object.keys(intendedDifferences).sort());
  // Control: the payments are not all of one sort.
  expect(comparison.accepted).toBeGreaterThan(PAYLOADS / 13);
  expect(comparison.refused).toBeGreaterThan(PAYLOADS / 2);
}, 120_000);

describe("what the node says", () => {
  let world: SettlementFixture;
  let facilitator: Facilitator;
  beforeAll(async () => {
    world = await openSettlement();
    facilitator = createInProcessFacilitator({
      chain: world.chain,
      signers: [createLocalSigner(world.devnet.settler.privateKey)],
      logger: pino({ level: "silent" }),
    });
  });
  afterEach(() => {
    world.intercept = undefined;
    world.node.fault = undefined;
  });
  afterAll(async () => {
    await facilitator.close();
    await world.close();
  });
  const isState = (method: string, call: unknown) =>
    method === "eth_call" && (call as { data: string }).data.startsWith("0xe94a0102");
  async function useUp() {
    const signed = world.sign();
    await world.send(
      world.keyOf("judy"),
      world.devnet.stablecoin.address,
      world.toDelivery(signed).call as Hex,
    );
    return signed;
  }

  describe("payers with the same code", () => {
    /** A wallet that calls every signature good; the last byte makes it another code. */
    const codeOf = (mark: string): Hex => `0x631626ba7e60e01b60005260206000f3${mark}`;
    const openWallet = async (name: string, code: Hex) => {
      const key = keccak256(stringToHex(name));
      const { address } = privateKeyToAccount(key);
      await world.devnet.request("hardhat_setCode", [address, code]);
      await world.transfer(world.keyOf("carol"), address, 20_000n);
      return { key, address };
    };
    const verify = (key: Hex) => {
      const { payment, requirements } = world.sign({ key });
      return facilitator.verify(payment, requirements);
    };
    /** Its settlement fails after it was found good. */
    async function fail(key: Hex, spoil: (address: Hex) => Promise<unknown>) {
      const { payment, requirements } = world.sign({ key });
      expect(await facilitator.verify(payment, requirements)).toEqual({ status: "valid" });
      await spoil(payment.payload.authorization.from as Hex);
      expect(await facilitator.settle(payment, requirements)).toMatchObject({ status: "failed" });
      expect(await verify(key)).toMatchObject({ status: "refused" });
    }

    // Each ends in the wallet above, or reverts where it sees the transaction instead of a simulation.
    test.each<[string, Hex]>([
      ["whose gas is free", "0x3a601457631626ba7e60e01b60005260206000f35b60006000fd"],
      ["with a million gas", "0x620f42405a1115601a57631626ba7e60e01b60005260206000f35b60006000fd"],
    ])(
      "that call signatures good only in a simulation %s are refused before any gas is spent",
      async (name, code) => {
        const { key } = await openWallet(name, code);
        expect(await verify(key)).toMatchObject({ status: "refused", authorizationUsed: false });
      },
    );

    test("are not shut out by one of them that was emptied meanwhile", async () => {
      const [poor, other] = [await openWallet("poor", codeOf("01")), await openWallet("other", codeOf("01"))];
      await fail(poor.key, () =>
        world.send(
          world.keyOf("judy"),
          world.devnet.stablecoin.address,
          encodeTransfer(world.sign({ key: poor.key }).payment.payload),
        ),
      );
      expect(await verify(other.key)).toEqual({ status: "valid" });
    });

    test("are, for an hour, by one whose code uses up the gas", async () => {
      const [burner, other] = [
        await openWallet("burner", codeOf("02")),
        await openWallet("next", codeOf("02")),
      ];
      // JUMPDEST PUSH1 0 JUMP.
      await fail(burner.key, (address) => world.devnet.request("hardhat_setCode", [address, "0x5b600056"]));
      expect(await verify(other.key)).toMatchObject({
        status: "refused",
        reason: "payer_code_failed_settlement_within_the_hour",
      });
    });
  });

  test("a settler without gas for a hundred settlements is unready, and one without any refuses before the work", async () => {
    expect(await facilitator.verifyReady()).toBe("settles in process");
    const poor = createInProcessFacilitator({
      chain: world.chain,
      signers: [createLocalSigner(`0x${"11".repeat(32)}`)],
      logger: pino({ level: "silent" }),
    });
    await expect(poor.verifyReady()).rejects.toThrow(
      /has ether for 0 settlements, fewer than 100: send it some/,
    );
    const { payment, requirements } = world.sign({ key: world.keyOf("bob") });
    expect(await poor.verify(payment, requirements)).toEqual({
      status: "unavailable",
      reason: "the settler has too little ether left for gas",
    });
    await poor.close();
  });

  test("a nonce that a lagging node calls unused is used if the token refuses it as such", async () => {
    const { payment, requirements } = await useUp();
    world.intercept = (method, [call]) =>
      isState(method, call) ? { result: pad("0x", { size: 32 }) } : undefined;
    expect(await facilitator.verify(payment, requirements)).toMatchObject({
      status: "refused",
      authorizationUsed: true,
    });
  });

  test("a refused transfer is no refusal yet while no node shows the state of its nonce", async () => {
    const { payment, requirements } = await useUp();
    // The token reverts without saying why, and the question about the nonce stays unanswered.
    world.intercept = (method, [call]) => {
      if (isState(method, call)) return { error: { code: -32603, message: "internal error" } };
      const isTransfer = method === "eth_call" && (call as { data: string }).data.length > 500;
      return isTransfer ? { error: { code: 3, message: "execution reverted" } } : undefined;
    };
    expect((await facilitator.verify(payment, requirements)).status).toBe("unavailable");
  });

  test("a node that is away makes a payment neither valid nor refused", async () => {
    const { payment, requirements } = world.sign();
    world.node.fault = { kind: "reset" };
    expect((await facilitator.verify(payment, requirements)).status).toBe("unavailable");
  });
});
