/** The parts of an OpenAPI document that tests read. */
export interface Document {
  readonly info: { readonly version: string; readonly "x-guidance": string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, DocumentParameter>>;
    readonly responses: Readonly<Record<string, DocumentResponse>>;
    readonly headers: Readonly<Record<string, DocumentHeader>>;
    readonly examples: Readonly<Record<string, DocumentExample>>;
  };
}

export type Schema = Readonly<Record<string, unknown>> & {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

export interface DocumentParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  /** False where it is left out. */
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface DocumentHeader {
  readonly required: boolean;
}

export interface DocumentExample {
  readonly value: unknown;
}

/** A part written where it is used, or a reference to it. */
export type Referred<Part> = Part | { readonly $ref: string };

export interface DocumentResponse {
  readonly headers?: Readonly<Record<string, Referred<DocumentHeader>>>;
  readonly content?: Readonly<
    Record<
      string,
      { readonly schema: Schema; readonly examples?: { readonly recorded: Referred<DocumentExample> } }
    >
  >;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly security: readonly unknown[];
  readonly parameters?: readonly Referred<DocumentParameter>[];
  readonly requestBody?: {
    readonly content: { readonly "application/json": { readonly schema: Schema; readonly example: unknown } };
  };
  readonly responses: Readonly<Record<string, Referred<DocumentResponse>>>;
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

/** The part itself, followed through its reference, which names a place in this document. */
export function resolve<Part extends object>(document: Document, part: Referred<Part>): Part {
  if (!("$ref" in part) || typeof part.$ref !== "string") return part as Part;
  const names = part.$ref.split("/").slice(1);
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as Part;
}

/** The parameters that an operation takes. */
export const listParameters = (document: Document, { parameters = [] }: DocumentOperation) =>
  parameters.map((parameter) => {
    const described = resolve<DocumentParameter>(document, parameter);
    return { ...described, required: described.required ?? false };
  });

export interface Field {
  readonly schema: Schema;
  readonly required: boolean;
}

/** Everything a caller may send, by name: parameters and the fields of the body. */
export function listFields(document: Document, operation: DocumentOperation) {
  const fields = new Map<string, Field>(
    listParameters(document, operation).map(({ name, required, schema }) => [name, { schema, required }]),
  );
  const posted = operation.requestBody?.content["application/json"].schema;
  const body = posted && resolve<Schema>(document, posted);
  const shapes = body?.anyOf ? body.anyOf.map((one) => resolve<Schema>(document, one)) : body ? [body] : [];
  for (const shape of shapes)
    for (const [name, schema] of Object.entries(shape.properties ?? {}))
      fields.set(name, {
        schema: resolve<Schema>(document, schema),
        required: shapes.every((one) => one.required?.includes(name) ?? false),
      });
  return fields;
}
