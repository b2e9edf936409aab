import { beforeAll, expect, it } from "vitest";
import { type ClientConfig, createClient } from "./createClient.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { getSharedService } from "./testing/getSharedService.js";
import { VerificationError } from "./verificationError.js";

let service: ConnectedService;
beforeAll(async () => {
  service = await getSharedService();
});

/** A client whose answers pass through `alter`, with the paths that it asked for. */
function clientOf(config: Partial<ClientConfig>, alter = (_path: string, text: string) => text) {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const path = new URL(String(url)).pathname;
    asked.push(path);
    const response = await globalThis.fetch(url, init);
    if (response.status !== 200) return response;
    return new Response(alter(path, await response.text()), response);
  };
  const account = service.wallet("alice");
  return { asked, client: createClient({ baseUrl: service.url, account, fetch, ...config }) };
}
const signerOf = async () => (await createClient({ baseUrl: service.url }).describe()).signingAddress;
const DESCRIPTION = "/.well-known/assay.json";

it("call returns a verified answer where the signer is known, and asks nobody for it", async () => {
  const { asked, client } = clientOf({ signer: await signerOf() });
  const { answer, verification, settlement } = await client.call("chain.snapshot", {});
  expect([answer.capabilityId, verification.conclusion]).toEqual(["chain.snapshot", "verified"]);
  expect(verification.steps.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["question", "signature", "rule", "stateProofs"]),
  );
  expect(settlement?.transaction).toMatch(/^0x/);
  expect(asked).not.toContain(DESCRIPTION);
});

it("without a signer it takes the key that the service publishes, once, and never says verified", async () => {
  const { asked, client } = clientOf({});
  for (let calls = 0; calls < 2; calls++) {
    const { verification } = await client.call("chain.snapshot", {});
    expect(verification).toMatchObject({ ok: true, conclusion: "self_consistent" });
    const signature = verification.steps.find(({ name }) => name === "signature");
    expect(signature?.detail).toContain("as the service itself states");
  }
  expect(asked.filter((path) => path === DESCRIPTION)).toHaveLength(1);
  const other = service.wallet("bob").address;
  const { client: misled } = clientOf({}, (path, text) =>
    path === DESCRIPTION ? text.replaceAll(/"signingAddress":"[^"]+"/g, `"signingAddress":"${other}"`) : text,
  );
  await expect(misled.call("chain.snapshot", {})).rejects.toThrow(`not by ${other}`);
  // What is paid for is not lost because the key could not be had.
  const { client: silent } = clientOf({}, (path, text) => (path === DESCRIPTION ? "nothing" : text));
  const { verification } = await silent.call("chain.snapshot", {});
  expect(verification.conclusion).toBe("self_consistent");
});

it("an answer that does not verify is thrown with what was paid for; callUnverified returns it", async () => {
  const alter = (path: string, text: string) =>
    path.endsWith("/invoke") ? text.replace(/"summary":"[^"]*"/, '"summary":"All is well."') : text;
  for (const signer of [await signerOf(), undefined]) {
    const { client } = clientOf({ signer }, alter);
    const failure: VerificationError = await client.call("chain.snapshot", {}).catch((error) => error);
    expect(failure).toBeInstanceOf(VerificationError);
    expect(failure.steps.filter(({ ok }) => !ok).map(({ name }) => name)).toContain("resultHash");
    expect(failure.paid?.answer.result.summary).toBe("All is well.");
    expect(failure.paid?.settlement?.transaction).toMatch(/^0x/);
    expect(new TextDecoder().decode(failure.paid?.rawBody)).toContain("All is well.");
    expect(failure.message).toContain(failure.paid?.answer.receiptUrl);
  }
  const { answer } = await clientOf({}, alter).client.callUnverified("chain.snapshot", {});
  expect(answer.result.summary).toBe("All is well.");
});
