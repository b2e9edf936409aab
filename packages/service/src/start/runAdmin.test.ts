import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestService, type TestService } from "../../test/startTestService.js";
import { readConfig } from "./config.js";
import { runAdmin } from "./runAdmin.js";

let service: TestService;
let directory: string;
let env: Record<string, string>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-admin-"));
  const signingKey = generatePrivateKey();
  service = await startTestService({ RATE_LIMITS: "off", SERVICE_SIGNING_KEY: signingKey });
  await service.chainOf.mine(6);
  env = {
    DATA_DIR: directory,
    DATABASE_URL: service.db.connectionString,
    RPC_URL: service.chainOf.rpcUrl,
    PAY_TO: service.chainOf.payTo,
    SETTLER_PRIVATE_KEY: service.chainOf.settler.privateKey,
    SERVICE_SIGNING_KEY: signingKey,
  };
});
afterAll(async () => {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});

const proxyLine = (change: object = {}) => ({
  type: "upgrade_window",
  address: service.chainOf.contracts.upgradeableProxy,
  windowBlocks: 3,
  challengeHours: 1,
  ...change,
});
const count = async (address: string) => {
  const text = "SELECT count(*)::int AS n FROM claims WHERE address = $1 AND opener = $2";
  const values = [address.toLowerCase(), service.context.signer.address.toLowerCase()];
  const [row] = await service.db.query<{ n: number }>({ text, values });
  return row?.n;
};

describe("assay-admin", () => {
  const run = async (args: string[], change: Record<string, string> = {}) => {
    let said = "";
    const output = { write: (text: string) => (said += text) };
    const code = await runAdmin(args, () => readConfig({ ...env, ...change }), output).catch(
      (error: Error) => error.message,
    );
    return { code, said };
  };
  const publish = ["obligations", "publish"];

  test("teaches what it can do", async () => {
    for (const args of [[], ["--help"], [...publish, "-h"]]) {
      const { code, said } = await run(args);
      expect([code, said]).toEqual([0, expect.stringContaining("assay-admin obligations publish --file")]);
    }
  });

  test("publishes one obligation now, as often as it is asked to", async () => {
    const address = service.chainOf.contracts.uupsProxy;
    for (const times of [1, 2]) {
      const { code, said } = await run([...publish, "--address", address, "--window-blocks", "2"]);
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(/^published {2}0x[0-9a-f]{64} {2}upgrade_window/),
      ]);
      expect(await count(address)).toBe(times);
    }
    const code = [...publish, "--address", address, "--type", "bytecode", "--window-blocks", "1"];
    expect((await run(code)).code).toBe(0);
  });

  test("publishes what is due of a list, and says what is not and what is refused", async () => {
    const path = join(directory, "admin.json");
    const runList = async () => {
      const { code, said } = await run([...publish, "--file", path]);
      return [code, ...said.split("\n").map((text) => text.split("  ")[0])];
    };
    await writeFile(path, JSON.stringify([proxyLine()]));
    expect(await runList()).toEqual([0, "published", ""]);
    const fresh = proxyLine({ address: service.chainOf.contracts.legacyProxy });
    await writeFile(path, JSON.stringify([proxyLine(), fresh, proxyLine({ implementation: null })]));
    expect(await runList()).toEqual([1, "not due", "published", "refused", ""]);
  });

  test.each<[string[], Record<string, string>, RegExp]>([
    [["obligations", "burn"], {}, /^There is no command "obligations burn"/],
    [publish, {}, /^--file or --address must say what to publish/],
    [[...publish, "--file", "a", "--address", "0x1"], {}, /^--file brings its own lines/],
    [[...publish, "--adress", "0x1"], {}, /--adress.*--help shows the options\.$/],
    [[...publish, "--address", "0x1", "--window-blocks", "2"], {}, /^obligation: address must be 0x/],
    [[...publish, "--address", `0x${"11".repeat(20)}`], {}, /^obligation: windowHours or windowBlocks/],
    [[...publish, "--file", "/nowhere.json"], {}, /^OBLIGATIONS_FILE \/nowhere.json does not exist/],
    [
      [...publish, "--address", `0x${"11".repeat(20)}`, "--window-blocks", "2"],
      { DATABASE_URL: "" },
      /^DATABASE_URL must be set/,
    ],
    [
      [...publish, "--address", `0x${"11".repeat(20)}`, "--window-blocks", "2"],
      { SERVICE_SIGNING_KEY: "" },
      /^SERVICE_SIGNING_KEY must be set, or DATA_DIR/,
    ],
  ])("%j is refused with one sentence", async (args, change, sentence) => {
    expect((await run(args, change)).code).toMatch(sentence);
  });
});
