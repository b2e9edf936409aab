interface Manifest {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}
type Model = { prototype: { validate(): void } };

/**
 * What a Kubernetes API server refuses in a manifest, by the schemas of its OpenAPI document (`kubernetes-models`). Those schemas accept
 * fields that they do not name, as every server without strict validation does. So each object is handed to the validator behind a
 * proxy: a field that the validator has not asked for is no field of that object.
 */
export async function checkManifest(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest;
  const model = await findModel(apiVersion, kind);
  if (!model) return [`${String(apiVersion)} has no ${String(kind)}`];
  const objects: { path: string; value: object; asked: Set<PropertyKey> }[] = [];
  const watch = (value: unknown, path: string): unknown => {
    if (value === null || typeof value !== "object") return value;
    const asked = new Set<PropertyKey>();
    objects.push({ path, value, asked });
    const children = new Map<PropertyKey, unknown>();
    return new Proxy(value, {
      get(target, key) {
        asked.add(key);
        if (!children.has(key)) children.set(key, watch(Reflect.get(target, key), `${path}/${String(key)}`));
        return children.get(key);
      },
    });
  };
  try {
    model.prototype.validate.call(watch(manifest, ""));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  return objects.flatMap(({ path, value, asked }) =>
    Object.keys(value)
      .filter((key) => !Array.isArray(value) && !asked.has(key))
      .map((key) => `${path}/${key} is no field of it`),
  );
}

async function findModel(apiVersion: unknown, kind: unknown): Promise<Model | undefined> {
  if (!/^([a-z0-9.]+\/)?v\d[a-z0-9]*$/.test(String(apiVersion)) || !/^[A-Z]\w*$/.test(String(kind)))
    return undefined;
  try {
    const loaded = await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}/${kind}`);
    return loaded[String(kind)];
  } catch {
    return undefined;
  }
}

/** What a manifest names and no other of the same file has: labels, ports, volumes and objects. */
export function listDangling(manifests: readonly Record<string, unknown>[]): string[] {
  const by = (kind: string) => manifests.filter((one) => one.kind === kind) as unknown as Workload[];
  const workloads = by("Deployment");
  const faults: string[] = [];
  const expect = (holds: boolean, sentence: string) => holds || faults.push(sentence);
  for (const { spec } of [...workloads, ...by("Job")]) {
    const { volumes, containers } = spec.template.spec;
    const names = new Set(volumes.map(({ name }) => name));
    for (const { volumeMounts } of containers)
      for (const { name } of volumeMounts) expect(names.has(name), `no volume ${name}`);
  }
  for (const { metadata, spec } of workloads) {
    const pod = spec.template.spec;
    const labels = spec.template.metadata.labels;
    expect(covers(spec.selector.matchLabels, labels), `${metadata.name} does not select its own pods`);
    for (const container of pod.containers) {
      const ports = new Set(container.ports.flatMap(({ name, containerPort }) => [name, containerPort]));
      for (const probe of [container.startupProbe, container.readinessProbe, container.livenessProbe])
        expect(ports.has(probe.httpGet.port), `no port ${probe.httpGet.port} for a probe`);
      for (const { ports: offered } of by("Service").map(({ spec: { ports } }) => ({ ports })))
        for (const { targetPort } of offered)
          expect(ports.has(targetPort), `no port ${targetPort} for the Service`);
      for (const { configMapRef } of container.envFrom)
        expect(
          by("ConfigMap").some((map) => map.metadata.name === configMapRef.name),
          `no ConfigMap ${configMapRef.name}`,
        );
    }
  }
  const podLabels = workloads.map(({ spec }) => spec.template.metadata.labels);
  const selectors = [
    ...by("Service").map(({ spec: { selector } }) => selector as unknown as Labels),
    ...by("PodDisruptionBudget").map(({ spec: { selector } }) => selector.matchLabels),
    ...by("NetworkPolicy").map(({ spec: { podSelector } }) => podSelector.matchLabels),
  ];
  for (const selector of selectors)
    expect(
      podLabels.some((labels) => covers(selector, labels)),
      `${JSON.stringify(selector)} selects no pod`,
    );
  for (const { spec } of by("HorizontalPodAutoscaler")) {
    const { apiVersion, kind, name } = spec.scaleTargetRef;
    expect(
      workloads.some(
        (one) => one.apiVersion === apiVersion && one.kind === kind && one.metadata.name === name,
      ),
      `nothing to scale: ${kind} ${name}`,
    );
  }
  return faults;
}

type Labels = Record<string, string>;
const covers = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

interface Probe {
  httpGet: { port: string | number };
}

/** Parts of the objects that refer to each other; the schemas have judged their shapes before. */
interface Workload {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    selector: { matchLabels: Labels };
    podSelector: { matchLabels: Labels };
    ports: { targetPort: string | number }[];
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    template: {
      metadata: { labels: Labels };
      spec: {
        volumes: { name: string }[];
        containers: {
          volumeMounts: { name: string }[];
          ports: { name: string; containerPort: number }[];
          envFrom: { configMapRef: { name: string } }[];
          startupProbe: Probe;
          readinessProbe: Probe;
          livenessProbe: Probe;
        }[];
      };
    };
  };
}
