import { type CapabilityResult, portableEvidenceSchema, problemSchema } from "@assay/protocol";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accountOf } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";

let aheadMs = 0;
beforeAll(() => {
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
});
afterAll(() => vi.restoreAllMocks());
const service = useTestService();
let sold: CapabilityResult;
beforeAll(async () => {
  sold = await buyGuard(service.chainOf.contracts.plainToken);
});

const buyGuard = (address: string) => service.buy(service.invokeUrl("contract.guard", { address }), "carol");

const INSTALLATION = "x-service-evidence-installation";

function ask(
  artifactId: string,
  options: { channel?: string; installation?: string } = {},
): Promise<Response> {
  const query = options.channel === undefined ? "" : `?channel=${encodeURIComponent(options.channel)}`;
  const headers = options.installation === undefined ? {} : { [INSTALLATION]: options.installation };
  return fetch(`${service.url}/api/v1/evidence/${artifactId}${query}`, { headers });
}

async function read(artifactId: string) {
  const response = await ask(artifactId);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return portableEvidenceSchema.parse(await response.json());
}

describe("the reference", () => {
  test("states origin, window, exact input and how to ask again", async () => {
    const { artifactId, inputHash, resultHash, blockHash, signer } = sold.evidenceReference;
    const address = service.chainOf.contracts.plainToken.toLowerCase();
    const { fieldPaths, ...reference } = await read(artifactId);
    expect(reference).toEqual({
      artifactId,
      capabilityId: "contract.guard",
      capabilityVersion: "1.0.0",
      network: "eip155:8453",
      input: { address },
      inputHash,
      resultHash,
      block: sold.result.evidence.block,
      validity: {
        validFromBlock: sold.result.computedAtBlock,
        validUntilBlock: sold.result.validUntilBlock,
        ttlSeconds: 10,
        isLive: true,
      },
      recompute: {
        capabilityId: "contract.guard",
        method: "GET",
        url: `${service.url}/api/v1/capabilities/contract.guard/invoke?address=${address}`,
        body: null,
        listPriceUsdCeiling: 0.1,
        payment: "x402",
      },
      origin: { service: service.url, signer, signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) },
    });
    expect(reference.block.hash).toBe(blockHash);
    expect(fieldPaths).toEqual(expect.arrayContaining(["result.evidence.readings.code"]));
  });

  test("stays when the window has closed, and says so", async () => {
    const { artifactId } = sold.evidenceReference;
    await service.db.query({ text: "UPDATE artifacts SET fresh_until = now()" });
    expect((await read(artifactId)).validity.isLive).toBe(false);
  });

  test("holds nothing of who paid or of what was sold", async () => {
    const proxy = await buyGuard(service.chainOf.contracts.upgradeableProxy);
    const text = (await (await ask(proxy.evidenceReference.artifactId)).text()).toLowerCase();
    const receipt = (await (await fetch(`${service.url}/api/v1/receipts/${proxy.invocationId}`)).json()) as {
      payment: { payer: string; transaction: string; authorizationNonce: string };
    };
    const { readings } = proxy.result.evidence as {
      readings: {
        code: { value: { codeHash: string } };
        slots: { eip1967Implementation: { value: string } };
      };
    };
    const { payer, transaction, authorizationNonce } = receipt.payment;
    const secrets = [
      proxy.invocationId,
      "inv_",
      ...[payer, transaction, authorizationNonce, proxy.evidenceReference.signature],
      ...[readings.code.value.codeHash, readings.slots.eip1967Implementation.value.slice(-40)],
      ...["verdict", "summary", "limitations", ...proxy.result.reasonCodes],
    ];
    for (const secret of secrets) {
      expect(JSON.stringify(proxy).toLowerCase() + JSON.stringify(receipt).toLowerCase()).toContain(
        secret.toLowerCase(),
      );
      expect(text).not.toContain(secret.toLowerCase());
    }
  });

  test("names the same fields for every finding", async () => {
    const { upgradeableProxy, beaconProxy } = service.chainOf.contracts;
    const subjects = [upgradeableProxy, beaconProxy, accountOf(service, "dave").address];
    const paths = [];
    for (const subject of subjects)
      paths.push((await read((await buyGuard(subject)).evidenceReference.artifactId)).fieldPaths);
    for (const path of paths) expect(path).toEqual(paths[0]);
  });
});

describe("what is refused", () => {
  const expectProblem = async (response: Response, status: number, code: string, fields?: string[]) => {
    expect(response.status).toBe(status);
    const problem = problemSchema.parse(await response.json());
    expect(problem.code).toBe(code);
    expect(problem.errors?.map(({ field }) => field)).toEqual(fields);
    return problem;
  };

  test("an unknown artifact is 404", async () => {
    await expectProblem(await ask(`sha256:${"0".repeat(64)}`), 404, "not_found");
  });

  test("a private one is 403", async () => {
    const { artifactId } = sold.evidenceReference;
    const envelope = await service.buy(service.invokeUrl("evidence.artifact", { artifactId }), "carol");
    expect(envelope.evidenceReference.shareable).toBe(false);
    await expectProblem(await ask(envelope.evidenceReference.artifactId), 403, "private_artifact");
  });

  test.each([
    "x",
    `sha256:${"A".repeat(64)}`,
    `sha256:${"a".repeat(63)}`,
    "%00",
    `sha256:${"a".repeat(64)}%00`,
    "'--",
  ])("an id of another form is 400 and names the rule: %s", async (id) => {
    const problem = await expectProblem(await ask(id), 400, "invalid_input", ["artifactId"]);
    expect(problem.detail).toContain("must be sha256: followed by 64 lowercase hex digits");
  });

  test.each(["a".repeat(65), "a\0b"])("a channel that is no channel is 400", async (channel) => {
    const { artifactId } = sold.evidenceReference;
    await expectProblem(await ask(artifactId, { channel }), 400, "invalid_input", ["channel"]);
  });

  test.each(["", "a".repeat(15), "a".repeat(129), `0x${"Ab".repeat(20)}`])(
    "an installation of the wrong length, or a wallet, is 400: %s",
    async (installation) => {
      const { artifactId } = sold.evidenceReference;
      const counted = await countReceivers();
      await expectProblem(await ask(artifactId, { installation }), 400, "invalid_input", [
        "X-Service-Evidence-Installation",
      ]);
      expect(await countReceivers()).toEqual(counted);
    },
  );

  test("a method other than GET is 405", async () => {
    const url = `${service.url}/api/v1/evidence/${sold.evidenceReference.artifactId}`;
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
  });
});

interface Counted {
  artifact_id: string;
  channel: string;
  receivers: bigint;
}
const countReceivers = () =>
  service.db.query<Counted>({
    text: "SELECT artifact_id, channel, receivers FROM evidence_receiver_counts ORDER BY artifact_id, channel",
  });

describe("receivers", () => {
  const installation = "installation-of-somebody-0001";

  test("one installation counts once per artifact and day, under the channel it named first", async () => {
    const first = sold.evidenceReference.artifactId;
    const second = (await buyGuard(service.chainOf.contracts.erc721)).evidenceReference.artifactId;
    const asked = [
      ...Array.from({ length: 8 }, () => ask(first, { installation, channel: "mail" })),
      ask(first, { installation: "a".repeat(16), channel: "mail" }),
      ask(first, { installation: "a".repeat(128) }),
      ask(first, { channel: "mail" }),
      ask(second, { installation, channel: "é".repeat(64) }),
    ];
    for (const response of await Promise.all(asked)) expect(response.status).toBe(200);
    expect((await ask(first, { installation, channel: "other" })).status).toBe(200);
    const expected = [
      { artifact_id: first, channel: "", receivers: 1n },
      { artifact_id: first, channel: "mail", receivers: 2n },
      { artifact_id: second, channel: "é".repeat(64), receivers: 1n },
    ].sort((a, b) => (a.artifact_id < b.artifact_id ? -1 : a.artifact_id > b.artifact_id ? 1 : 0));
    expect(await countReceivers()).toEqual(expected);
  });

  test("of an installation only unlinkable hashes are kept", async () => {
    const rows = await service.db.query<{ receiver_hash: Buffer; row: string }>({
      text: "SELECT receiver_hash, evidence_receivers::text AS row FROM evidence_receivers",
    });
    expect(rows).toHaveLength(4);
    expect(new Set(rows.map(({ receiver_hash }) => receiver_hash.toString("hex"))).size).toBe(4);
    for (const { receiver_hash, row } of rows) {
      expect(receiver_hash).toHaveLength(32);
      expect(row).not.toContain(installation);
      expect(row).not.toContain(Buffer.from(installation).toString("hex"));
    }
    const columns = await service.db.query<{ column_name: string }>({
      text: `SELECT column_name FROM information_schema.columns WHERE table_name = 'evidence_receivers'
             ORDER BY ordinal_position`,
    });
    expect(columns.map(({ column_name }) => column_name)).toEqual(["artifact_id", "day", "receiver_hash"]);
  });

  test("who sends too many is answered and no longer counted", async () => {
    const { artifactId } = sold.evidenceReference;
    const total = async () => (await countReceivers()).reduce((sum, { receivers }) => sum + receivers, 0n);
    const responses = await Promise.all(
      Array.from({ length: 70 }, (_, i) => ask(artifactId, { installation: `flooding-installation-${i}` })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    // Sixty in a minute; the twelve asked for above gave four.
    expect(await total()).toBe(60n - 12n + 4n);
  });
});

test("references are served while the head is too old to sell by", async () => {
  await service.chainOf.request("evm_setIntervalMining", [0]);
  aheadMs = 31_000;
  const { artifactId } = sold.evidenceReference;
  const invoke = `${service.url}/api/v1/capabilities/evidence.artifact/invoke?artifactId=${artifactId}`;
  const unsold = await fetch(invoke);
  const reference = await read(artifactId);
  aheadMs = 0;
  expect(problemSchema.parse(await unsold.json()).code).toBe("chain_head_stale");
  expect(reference.validity.isLive).toBe(false);
});
