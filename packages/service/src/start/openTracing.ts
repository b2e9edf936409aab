import { noTracing, type Tracing } from "../base/tracing.js";
import { ConfigError } from "./configError.js";

export interface TracingOptions {
  /** Base URL of an OTLP receiver over HTTP; undefined: no traces. */
  readonly endpoint: string | undefined;
  /** Share of the traces that are sent, 0 to 1. */
  readonly share: number;
  /** Of each request to the receiver, such as the key of an account. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a receiver takes traces, as OTLP over HTTP says. */
export const tracesUrl = (endpoint: string) => new URL("v1/traces", withSlash(endpoint)).href;

/**
 * Traces for an OpenTelemetry collector. The packages are loaded only where one is named; they read the other OTEL_ variables by
 * themselves. A collector that is away costs spans and nothing else.
 */
export async function openTracing({ endpoint, share, headers }: TracingOptions): Promise<Tracing> {
  if (endpoint === undefined) return noTracing;
  const [{ SpanStatusCode }, resources, sdk, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]).catch((error: Error) => {
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: ${error.message}.`,
    );
  });
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), headers: { ...headers } });
  // The provider alone would name the service after the program, and read no OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ "service.name": "assay" }))
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const provider = new sdk.NodeTracerProvider({
    resource,
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  // For the context that follows asynchronous calls. A traceparent that a stranger sends is not taken over.
  provider.register({ propagator: null });
  const tracer = provider.getTracer("assay");
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work((more) => void span.setAttributes(more));
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: codeOf(error) });
          throw error;
        } finally {
          span.end();
        }
      }),
    close: () => provider.shutdown(),
  };
}

/** The message of an error may name what a caller sent. */
const codeOf = (error: unknown): string => {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : typeof name === "string" ? name : "error";
};

const withSlash = (url: string) => (url.endsWith("/") ? url : `${url}/`);
