/** A request as it can be repeated: everything but its headers. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}
