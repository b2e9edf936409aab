import { capabilityResultSchema } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, keccak256 } from "viem";
import { expect, test } from "vitest";
import { asPost, pay } from "../payer.js";
import { useTestService } from "../useTestService.js";

let logged = "";
const write = (line: string) => {
  logged += line;
};
const service = useTestService({ LOG_LEVEL: "trace" }, { write });

/** An address that stands nowhere but in the calldata. */
const MARKER = "5ec4e7ca11da7a5ec4e7ca11da7a5ec4e7ca11da";
const body = () => ({
  from: "0x00000000000000000000000000000000a11ce001",
  to: service.chainOf.stablecoin.address.toLowerCase(),
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [`0x${MARKER}`, 77_777_777_777n],
  }),
});

/** Everything in every column of every table, as text; bytes both as hex and as the text they may hold. */
async function dumpDatabase(): Promise<string> {
  const columns = await service.db.query<{ table_name: string; column_name: string; data_type: string }>({
    text: `SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c
           JOIN information_schema.tables t USING (table_schema, table_name)
           WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'`,
  });
  expect(columns.length).toBeGreaterThan(50);
  const parts: string[] = [];
  for (const { table_name, column_name, data_type } of columns) {
    const column = `"${column_name}"`;
    const value =
      data_type === "bytea"
        ? `encode(${column}, 'hex') || ' ' || encode(${column}, 'escape')`
        : `${column}::text`;
    const rows = await service.db.query<{ value: string | null }>({
      text: `SELECT ${value} AS value FROM "${table_name}" WHERE ${column} IS NOT NULL`,
    });
    parts.push(...rows.map((row) => `${table_name}.${column_name}: ${row.value}`));
  }
  return parts.join("\n");
}

/** The marker as it is, as the hex of its text, and in base64 at each of the three alignments. */
function spellings(marker: string): string[] {
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.from(`${"_".repeat(shift)}${marker}`)
      .toString("base64")
      .slice(4, -4),
  );
  return [marker, Buffer.from(marker).toString("hex"), ...base64];
}

function expectAbsent(where: string, text: string): void {
  const found = text.split("\n").filter((line) => {
    const lower = line.toLowerCase();
    const [plain, hex, ...base64] = spellings(MARKER);
    return (
      lower.includes(plain as string) ||
      lower.includes(hex as string) ||
      base64.some((one) => line.includes(one))
    );
  });
  expect
    .soft(
      found.map((line) => line.slice(0, 120)),
      `found in ${where}`,
    )
    .toEqual([]);
}

test("what a caller means to sign is in the answer and nowhere else", async () => {
  const url = service.invokeUrl("transaction.intent.guard");
  const init = asPost(body());
  const alice = service.account("alice");
  const { response: posted } = await pay(url, alice, init);
  const old = service.invokeUrl("tx.preflight", body());
  const { response: asked } = await pay(old, service.account("bob"));
  const quote = await fetch(service.quoteUrl("transaction.intent.guard", alice.address, body()));
  expect([posted.status, asked.status, quote.status]).toEqual([200, 200, 200]);

  // Refusals are logged too.
  await fetch(url, { ...init, body: JSON.stringify({ ...body(), extra: MARKER }) });
  await fetch(url, { ...init, body: `${JSON.stringify(body())}!` });

  for (const response of [posted, asked]) {
    const text = await response.text();
    expect(text).toContain(MARKER);
    const result = capabilityResultSchema.parse(JSON.parse(text));
    const { artifactId } = result.evidenceReference;
    const evidence = await fetch(`${service.url}/api/v1/evidence/${artifactId}`);
    expect(evidence.status).toBe(403);
    expectAbsent("evidence", await evidence.text());
    expectAbsent("the receipt", await (await fetch(result.receiptUrl)).text());
  }
  for (const path of ["/metrics", "/api/v1/capabilities", "/api/v1/log/checkpoint", "/api/v1/log/proof/0"])
    expectAbsent(path, await (await fetch(`${service.url}${path}`)).text());
  const stored = await dumpDatabase();
  expect(stored).toContain("transaction.intent.guard");
  expectAbsent("the database", stored);
  expect(logged).toContain("paid call");
  expectAbsent("the log", logged);
});

test("nor is what a caller means to borrow", async () => {
  const { id, loanToken, collateralToken } = service.chainOf.lendingMarket;
  const query = new URLSearchParams({
    marketId: id,
    loanToken,
    collateralToken,
    userAddress: `0x${MARKER}`,
    borrowAmountWei: "1",
  }).toString();
  const name = "lending.collateral.guard";
  const payer = service.account("carol");
  const quote = await fetch(
    `${service.url}/api/v1/quotes?capability=${name}&wallet=${payer.address}&${query}`,
  );
  expect(quote.status).toBe(200);
  const { invokeUrl } = (await quote.json()) as { invokeUrl: string };
  const plain = await pay(`${service.url}/api/v1/capabilities/${name}/invoke?${query}`, payer);
  const quoted = await pay(invokeUrl, payer);
  for (const { response } of [plain, quoted]) {
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toContain(MARKER);
    const result = capabilityResultSchema.parse(JSON.parse(text));
    const evidence = await fetch(`${service.url}/api/v1/evidence/${result.evidenceReference.artifactId}`);
    expect(evidence.status).toBe(403);
    expectAbsent("evidence", await evidence.text());
    expectAbsent("the receipt", await (await fetch(result.receiptUrl)).text());
  }
  await fetch(`${service.url}/api/v1/capabilities/${name}/invoke?${query}&extra=1`);
  const stored = await dumpDatabase();
  expect(stored).toContain(name);
  expectAbsent("the database", stored);
  expectAbsent("the log", logged);
});

test("the search would find it", async () => {
  await service.db.query({
    text: "CREATE TABLE leak (plain text, bytes bytea, packed jsonb)",
  });
  const { data } = body();
  for (const [column, value] of [
    ["plain", `/invoke?data=${data}`],
    ["bytes", Buffer.from(JSON.stringify(body()))],
    ["bytes", Buffer.from(data.slice(2), "hex")],
    ["plain", Buffer.from(JSON.stringify(body())).toString("base64")],
    ["packed", JSON.stringify({ deep: [body()] })],
  ] as const) {
    await service.db.query({ text: "DELETE FROM leak" });
    await service.db.query({ text: `INSERT INTO leak (${column}) VALUES ($1)`, values: [value] });
    const found = (await dumpDatabase()).split("\n").filter((line) => line.startsWith("leak."));
    const hits = found.filter((line) =>
      spellings(MARKER).some((one) => line.includes(one) || line.toLowerCase().includes(one)),
    );
    expect(hits.length, column).toBeGreaterThan(0);
  }
  await service.db.query({ text: "DROP TABLE leak" });
  expect(keccak256(data)).not.toContain(MARKER);
});
