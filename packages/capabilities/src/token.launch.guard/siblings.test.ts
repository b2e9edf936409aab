import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { isAsking } from "./testing/isAsking.js";
import { useLaunchFixture } from "./testing/launchFixture.js";

const fixture = useLaunchFixture();
const { guard } = fixture;
const SUPPLY = parseEther("1000000000");
const FRESH = "0x00000000000000000000000000000000c0de0003";

describe("other contracts of the creator", () => {
  const isHashing = isAsking("codeHashes(address[])");
  const UNREAD = "Other contracts of the token's creator were not read.";

  test("with the same code are named, and no verdict rests on them", async () => {
    const { launcher, devnet } = fixture;
    const token = await launcher.launch("LaunchToken");
    const alone = await guard(token);
    const creator = lowercase(devnet.deployer.address);
    expect(alone.findings.siblings).toMatchObject({ creator, factory: null, sameCode: 0, addresses: [] });
    const copy = await launcher.deploy("LaunchToken", [SUPPLY]);
    const other = await launcher.deploy("TaxedToken", [SUPPLY]);
    const result = await guard(token);
    expect(result.findings).toMatchObject({
      siblings: { creator, sameCode: 1, addresses: [copy] },
      figures: { sameCodeByCreator: 1 },
    });
    // The other one has code too, and is not the same.
    const contracts = Number((alone.findings.siblings as { contracts: number }).contracts);
    expect(result.findings.siblings).toMatchObject({ contracts: contracts + 2 });
    expect((await guard(other)).findings.siblings).not.toMatchObject({ addresses: [token] });
    expect([result.verdict, result.reasonCodes]).toEqual([alone.verdict, alone.reasonCodes]);
    expect(result.limitations).not.toContain(UNREAD);
    expect(result.asked.length).toBe(alone.asked.length);
  });

  test("are a limitation where they were not read", async () => {
    const token = await fixture.launcher.launch("LaunchToken");
    const result = await guard(token, fixture.deafTo(isHashing));
    expect(result.findings).toMatchObject({
      siblings: { sameCode: null, addresses: [] },
      figures: { sameCodeByCreator: null },
    });
    expect(result.limitations).toContain(UNREAD);
  });

  test("are not searched for where no account that the token names created it", async () => {
    // Its code was put there.
    const { plainToken } = fixture.devnet.contracts;
    const code = await fixture.devnet.request<Hex>("eth_getCode", [plainToken, "latest"]);
    await fixture.devnet.request("hardhat_setCode", [FRESH, code]);
    await fixture.devnet.mine();
    const result = await guard(FRESH);
    expect(result.findings.siblings).toMatchObject({ creator: null, factory: null, sameCode: null });
    expect(result.limitations).not.toContain(UNREAD);
    expect(result.asked.flat().some(isHashing)).toBe(false);
  });
});
