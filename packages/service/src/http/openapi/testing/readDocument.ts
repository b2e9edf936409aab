/** The parts of an OpenAPI document that tests look at. */
export interface Document {
  readonly info: { readonly version: string; readonly "x-guidance": string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, DocumentResponse>>;
    readonly headers: Readonly<Record<string, unknown>>;
  };
}

export type Schema = Readonly<Record<string, unknown>> & {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
};

export interface DocumentParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface DocumentResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly examples?: { readonly recorded: { readonly value: unknown } } }
    >
  >;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly security: readonly unknown[];
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: Schema; readonly example: unknown } };
  };
  readonly responses: Readonly<Record<string, DocumentResponse>>;
  readonly "x-payment-info"?: { readonly price: Readonly<Record<string, string>> };
}

/** One operation with where it stands. */
export interface Placed {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentOperation;
}

export const listPlaced = ({ paths }: Document): Placed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

/** A shape, followed through its reference. */
export function resolveSchema(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (document.components.schemas[name] as Schema);
}

export function resolveResponse(document: Document, response: DocumentResponse): DocumentResponse {
  const name = response.$ref?.split("/").at(-1);
  return name === undefined ? response : (document.components.responses[name] as DocumentResponse);
}

export interface Field {
  readonly schema: Schema;
  readonly required: boolean;
}

/** Everything a caller may send, by name: parameters and the fields of the body. */
export function listFields(document: Document, { parameters = [], requestBody }: DocumentOperation) {
  const fields = new Map<string, Field>(
    parameters.map(({ name, required, schema }) => [name, { schema, required }]),
  );
  const body = requestBody && resolveSchema(document, requestBody.content["application/json"].schema);
  const shapes = body?.anyOf ? body.anyOf.map((one) => resolveSchema(document, one)) : body ? [body] : [];
  for (const shape of shapes)
    for (const [name, schema] of Object.entries(shape.properties ?? {}))
      fields.set(name, { schema, required: shapes.every((one) => one.required?.includes(name) ?? false) });
  return fields;
}
