import { capabilities } from "@assay/capabilities";
import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http, maxUint256 } from "viem";
import { base } from "viem/chains";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Client, createClient } from "../createClient.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { getSharedService } from "../testing/getSharedService.js";
import { createSendTool, type SendTool } from "./createSendTool.js";
import { listTools } from "./listTools.js";

const STRANGER: Hex = "0x00000000000000000000000000000000000a11ce";

let service: ConnectedService;
let assay: Client;
let signer: Hex;
beforeAll(async () => {
  service = await getSharedService();
  const config = { baseUrl: service.url, account: service.wallet("erin") };
  signer = (await createClient(config).describe()).signingAddress;
  assay = createClient({ ...config, signer });
});

describe("listTools", () => {
  it("offers every capability under a name that any model takes, with a schema of flat fields", () => {
    const tools = listTools(assay);
    expect(tools).toHaveLength(capabilities.length);
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
      expect(description).toContain("USD");
      expect(inputSchema.type).toBe("object");
      for (const field of Object.values(inputSchema.properties)) expect(field.description).toBeTruthy();
    }
    expect(listTools(assay, { only: ["contract.guard"] }).map(({ name }) => name)).toEqual([
      "contract_guard",
    ]);
    expect(() => listTools(assay, { only: ["contract.gaurd" as never] })).toThrow(
      "no capability contract.gaurd",
    );
  });

  it("pays, and gives the model a short text and the program the answer", async () => {
    const [guard] = listTools(assay, { only: ["contract.guard"] });
    const before = await service.balanceOf(service.wallet("erin").address);
    const { text, answer } = (await guard?.run({ address: service.contract("stablecoin") })) ?? {};
    expect(text).toMatch(/^(ALLOW|REVIEW|BLOCK) by contract\.guard/);
    expect(text).toContain(answer?.receiptUrl);
    expect(before - (await service.balanceOf(service.wallet("erin").address))).toBeGreaterThan(0n);
  });

  it("shows a model nothing that does not verify", async () => {
    const account = service.wallet("erin");
    const altering: typeof fetch = async (...given) => {
      const response = await fetch(...given);
      if (!response.ok || !String(given[0]).includes("/invoke")) return response;
      const other = (was: string) => (was === "allow" ? "block" : "allow");
      const body = (await response.text()).replace(
        /"verdict":"(\w+)"/,
        (_, was) => `"verdict":"${other(was)}"`,
      );
      return new Response(body, response);
    };
    const deceived = createClient({ baseUrl: service.url, account, signer, fetch: altering });
    const [guard] = listTools(deceived, { only: ["contract.guard"] });
    await expect(guard?.run({ address: service.contract("erc721") })).rejects.toThrow("does not verify");
    const wallet = createWalletClient({ account, chain: base, transport: http(service.rpcUrl) });
    const send = createSendTool(wallet, { assay: deceived, signer });
    const { text, hash } = await send.run({ to: service.contract("stablecoin") });
    expect(hash).toBeUndefined();
    expect(text).toMatch(/^NOT SENT \(not_verified\)\nThe guard's answer does not verify/);
    expect(text).not.toContain(" by transaction.intent.guard");
  });

  it("names what is wrong with an input before anybody pays", async () => {
    const call = vi.fn();
    const [guard] = listTools({ call }, { only: ["contract.guard"] });
    await expect(guard?.run({ address: "0x12" })).rejects.toThrow(
      "address must be 0x followed by 40 hex digits",
    );
    await expect(guard?.run(undefined)).rejects.toThrow("contract.guard does not take this input");
    expect(call).not.toHaveBeenCalled();
  });
});

describe("createSendTool", () => {
  const approve = (spender: Hex, amount: bigint) => ({
    to: service.contract("stablecoin"),
    data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }),
  });
  let send: SendTool;
  beforeAll(() => {
    const account = service.wallet("erin");
    const wallet = createWalletClient({ account, chain: base, transport: http(service.rpcUrl) });
    send = createSendTool(wallet, { assay, signer });
  });

  it("sends what is allowed, and says why it does not send the rest", async () => {
    const sent = await send.run({ ...approve(service.contract("swapRouter02"), 7n), value: "0" });
    expect(sent.text).toMatch(/^SENT 0x[0-9a-f]{64}\nALLOW by transaction\.intent\.guard/);
    await vi.waitFor(async () => expect(await service.wasMined(sent.hash ?? "0x")).toBe(true), 10_000);
    const refused = await send.run(approve(STRANGER, maxUint256));
    expect(refused.text).toMatch(/^NOT SENT \(block\)\nBLOCK by transaction\.intent\.guard/);
    expect([refused.hash, refused.refused]).toEqual([undefined, true]);
    expect(refused.answer.verdict).toBe("block");
  });

  it("takes no signer from the model, and no address with a wrong checksum", async () => {
    expect(Object.keys(send.inputSchema.properties)).toEqual(["to", "data", "value"]);
    await expect(send.run({ ...approve(STRANGER, 1n), value: "-1" })).rejects.toThrow("value");
    const mistyped = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046";
    await expect(send.run({ to: mistyped })).rejects.toThrow("EIP-55");
  });
});
