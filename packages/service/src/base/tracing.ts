/** What is known about a step beside its name and its time. Never an input, an address of a caller or a key. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Tracing {
  /** Does the work as a step of whatever step it is called in. */
  span<T>(name: string, attributes: SpanAttributes, work: (add: AddAttributes) => Promise<T>): Promise<T>;
  /** Sends what was not sent yet. */
  close(): Promise<void>;
}
export type AddAttributes = (attributes: SpanAttributes) => void;

export const noTracing: Tracing = {
  span: (_name, _attributes, work) => work(() => {}),
  close: async () => {},
};

/**
 * One for the whole process, as in the API of OpenTelemetry: which step another one belongs to follows from who called whom, not
 * from what was handed over.
 */
let tracing = noTracing;

export function useTracing(chosen: Tracing): void {
  tracing = chosen;
}

/** Does the work as a step that operators can follow, where they collect traces; otherwise it costs a function call. */
export const span: Tracing["span"] = (name, attributes, work) => tracing.span(name, attributes, work);
