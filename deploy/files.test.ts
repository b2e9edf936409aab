import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { type Compose, checkCompose, listMissingMounts } from "./testing/checkCompose.js";
import { checkDockerfile } from "./testing/checkDockerfile.js";
import { checkManifest, listDangling } from "./testing/checkManifest.js";

// The files of this folder, held against the schemas of the programs that read them. Each check is tried on a file that it refuses.

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const compose = parse(read("compose.yaml")) as Compose;
const manifests = () =>
  parseAllDocuments(read("kubernetes/assay.yaml")).map((one) => one.toJS() as Record<string, unknown>);

test("the compose file has the form of the Compose Specification, and each name that it uses", () => {
  expect(checkCompose(compose)).toEqual([]);
  expect(listMissingMounts(compose, import.meta.dirname)).toEqual([]);
});

test.each([
  ["an unknown key", (text: string) => text.replace("read_only: true", "read_onyl: true"), /additional prop/],
  ["a wrong type", (text: string) => text.replace("retries: 10", "retries: [10]"), /retries/],
  [
    "a service that is missing",
    (text: string) => text.replace("depends_on: [assay]", "depends_on: [asay]"),
    /asay/,
  ],
  ["a secret that is missing", (text: string) => text.replace(/^ {2}rpc_url: .*$/m, ""), /rpc_url/],
  ["health without a check", (text: string) => text.replace(/ {4}healthcheck:\n(.+\n){3}/, ""), /no check/],
  ["a volume that is missing", (text: string) => text.replace("  series: {}\n", ""), /series/],
])("a compose file with %s is refused", (_, change, expected) => {
  const changed = change(read("compose.yaml"));
  expect(changed).not.toBe(read("compose.yaml"));
  expect(checkCompose(parse(changed)).join("\n")).toMatch(expected);
});

test("each manifest has the form that Kubernetes publishes, and what it names is there", async () => {
  const all = manifests();
  expect(all.length).toBeGreaterThan(5);
  for (const manifest of all) expect(await checkManifest(manifest)).toEqual([]);
  expect(listDangling(all)).toEqual([]);
});

test.each([
  [
    "an unknown field",
    "readOnlyRootFilesystem: true",
    "readOnlyRootFileSystem: true",
    /FileSystem is no field/,
  ],
  ["an unknown field in a list", "topologyKey: kub", "topologiKey: kub", /topolog/],
  ["a wrong type", "replicas: 2", 'replicas: "2"', /replicas/],
  ["a required field that is missing", "maxReplicas: 4", "", /maxReplicas/],
  ["a kind of another version", "apiVersion: autoscaling/v2", "apiVersion: apps/v1", /has no Horizontal/],
])("a manifest with %s is refused", async (_, from, to, expected) => {
  const text = read("kubernetes/assay.yaml").replace(from, to);
  expect(text).not.toBe(read("kubernetes/assay.yaml"));
  const faults = await Promise.all(parseAllDocuments(text).map((one) => checkManifest(one.toJS())));
  expect(faults.flat().join("\n")).toMatch(expected);
});

test.each([
  [
    "mountPath: /secrets, readOnly",
    "name: secrets, mountPath",
    "name: secret, mountPath",
    /no volume secret/,
  ],
  ["labels", "matchLabels: { app: assay }", "matchLabels: { app: asay }", /its own pods|selects no pod/],
  ["what is scaled", "kind: Deployment, name: assay }", "kind: Deployment, name: asay }", /nothing to scale/],
  ["a port", "targetPort: http", "targetPort: https", /no port https/],
])("manifests that do not fit together are refused: %s", (_, from, to, expected) => {
  const text = read("kubernetes/assay.yaml").replace(from, to);
  expect(text).not.toBe(read("kubernetes/assay.yaml"));
  expect(listDangling(parseAllDocuments(text).map((one) => one.toJS())).join("\n")).toMatch(expected);
});

test("the Dockerfile is well formed and keeps the rules of images", () => {
  expect(checkDockerfile(read("Dockerfile"))).toEqual([]);
});

test.each([
  ["FROM node:20.20.2-bookworm AS build", "FROM node AS build", /DL3006/],
  ["FROM node:20.20.2-bookworm-slim", "FROM node:20.20.2-bookworm", /has a compiler/],
  ["USER node", "USER root", /DL3002/],
  ["RUN npm ci", "RUN sudo npm ci", /DL3004/],
  ["RUN npm ci", "RUN npm install", /DL3016/],
  ["RUN mkdir /data", "RUN apt-get install curl && mkdir /data", /DL3009/],
  ["COPY . .", "ADD . .", /DL3020/],
  ["--from=build", "--from=built", /DL3022/],
  ['\nCMD ["node", ', "\nCMD node ", /DL3025/],
  ["RUN npm ci", "RUN cat x | sh && npm ci", /DL4006/],
  ["HEALTHCHECK --interval=10s", "HEALTHCHECK --interval=10", /line \d+:/],
  ["WORKDIR /assay", "WORKDIR assay", /line \d+:/],
  ["EXPOSE 8402", "EXPOSE eighty", /line \d+:/],
  ["STOPSIGNAL SIGTERM", "STOPSIGNALS SIGTERM", /line \d+:/],
  ["--chown=root:root /assay", "--chown=node:node /assay", /may belong/],
])("a Dockerfile with `%s` changed to `%s` is refused", (from, to, expected) => {
  const changed = read("Dockerfile").replace(from, to);
  expect(changed).not.toBe(read("Dockerfile"));
  expect(checkDockerfile(changed).join("\n")).toMatch(expected);
});

test("keys that init writes into this folder stay out of commits and of what images are built from", () => {
  const lines = (path: string) => read(path).split("\n");
  expect(lines("../.gitignore")).toEqual(expect.arrayContaining(["/deploy/secrets/", "/deploy/assay.env"]));
  // A pattern without `**/` is of the uppermost folder alone.
  expect(lines("../.dockerignore")).toEqual(expect.arrayContaining(["**/secrets", "**/*.env"]));
});
