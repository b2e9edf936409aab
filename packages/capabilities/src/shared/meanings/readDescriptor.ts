import { type AbiFunction, type Hex, parseAbiItem, toFunctionSelector, toFunctionSignature } from "viem";
import { z } from "zod";

// ERC-7730: what a contract's publisher wants wallets to show for each of its functions.

/** A field that is shown, with its references followed. */
export interface DescribedField {
  readonly label: string;
  /** Where its value is, from the root of the arguments; undefined for a constant. */
  readonly path?: string;
  readonly value?: unknown;
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly isShown: boolean;
}

export interface DescribedFunction {
  readonly abi: AbiFunction;
  readonly selector: Hex;
  readonly signature: string;
  readonly intent: string;
  readonly fields: readonly DescribedField[];
}

export interface Descriptor {
  readonly owner: string | null;
  readonly deployments: readonly { readonly chainId: number; readonly address: Hex }[];
  readonly functions: readonly DescribedFunction[];
}

const fieldSchema = z.looseObject({
  label: z.string().optional(),
  path: z.string().optional(),
  value: z.unknown().optional(),
  format: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  visible: z.unknown().optional(),
  $ref: z.string().optional(),
  get fields() {
    return z.array(fieldSchema).optional();
  },
});
type RawField = z.output<typeof fieldSchema>;

const descriptorSchema = z.looseObject({
  includes: z.string().optional(),
  context: z.looseObject({ contract: z.looseObject({}).optional() }).optional(),
  metadata: z.looseObject({ owner: z.string().optional() }).optional(),
  display: z
    .looseObject({
      formats: z
        .record(
          z.string(),
          z.looseObject({
            intent: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
            fields: z.array(fieldSchema).optional(),
            excluded: z.array(z.string()).nullish(),
          }),
        )
        .optional(),
    })
    .optional(),
});
type Raw = z.output<typeof descriptorSchema>;

const deploymentSchema = z.object({ chainId: z.number(), address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) });

/**
 * Reads a descriptor of calldata. `include` gives the file that a descriptor includes, by its name. Throws when the
 * document is not one; a function whose key cannot be read is left out, because nothing may be guessed about it.
 */
export function readDescriptor(json: unknown, include?: (name: string) => unknown): Descriptor {
  const raw = mergeIncluded(json, include, 0);
  const contract = (raw.context?.contract ?? {}) as { deployments?: unknown; abi?: unknown };
  const deployments = z.array(deploymentSchema).catch([]).parse(contract.deployments);
  const abi = Array.isArray(contract.abi) ? (contract.abi as AbiFunction[]) : [];
  const functions = Object.entries(raw.display?.formats ?? {}).flatMap(([key, format]) => {
    const found = findFunction(key, abi);
    if (found === undefined) return [];
    const intent =
      typeof format.intent === "string" ? format.intent : Object.values(format.intent ?? {}).join(", ");
    const excluded = new Set(format.excluded ?? []);
    const fields = (format.fields ?? []).flatMap((field) => resolveField(field, raw, "", {}));
    const shown = fields.map((field) =>
      excluded.has(stripRoot(field.path ?? "")) ? { ...field, isShown: false } : field,
    );
    return [
      {
        abi: found,
        selector: toFunctionSelector(found),
        signature: toFunctionSignature(found),
        intent,
        fields: shown,
      },
    ];
  });
  return {
    owner: raw.metadata?.owner ?? null,
    deployments: deployments.map(({ chainId, address }) => ({
      chainId,
      address: address.toLowerCase() as Hex,
    })),
    functions,
  };
}

const MAX_INCLUDES = 4;

/** Objects are merged, the including file wins; of two lists of fields, those with the same path are merged. */
function mergeIncluded(json: unknown, include: ((name: string) => unknown) | undefined, depth: number): Raw {
  const raw = descriptorSchema.parse(json);
  if (raw.includes === undefined || include === undefined || depth >= MAX_INCLUDES) return raw;
  const included = mergeIncluded(include(raw.includes), include, depth + 1);
  return descriptorSchema.parse(merge(included, raw));
}

function merge(base: unknown, over: unknown): unknown {
  if (Array.isArray(base) && Array.isArray(over) && isFieldList(base) && isFieldList(over)) {
    const merged = base.map((field) => {
      const other = over.find(({ path }) => path === field.path);
      return other === undefined ? field : (merge(field, other) as RawField);
    });
    return [...merged, ...over.filter((field) => !base.some(({ path }) => path === field.path))];
  }
  if (!isRecord(base) || !isRecord(over)) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      key in base && key in over ? merge(base[key], over[key]) : (over[key] ?? base[key]),
    ]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const isFieldList = (list: unknown[]): list is { path: string }[] =>
  list.every((item) => isRecord(item) && typeof item.path === "string");

/** A key is a signature with the names of the arguments, or a selector of the descriptor's own ABI. */
function findFunction(key: string, abi: readonly AbiFunction[]): AbiFunction | undefined {
  const own = abi.filter(({ type }) => type === "function");
  if (/^0x[0-9a-f]{8}$/i.test(key)) return own.find((one) => toFunctionSelector(one) === key.toLowerCase());
  try {
    const parsed = parseAbiItem(`function ${key}`) as AbiFunction;
    const isNamed = parsed.inputs.every(({ name }) => name);
    return (
      (isNamed ? undefined : own.find((one) => toFunctionSignature(one) === toFunctionSignature(parsed))) ??
      parsed
    );
  } catch {
    return undefined;
  }
}

/** Follows `$ref`, groups with a path of their own, and references to the document's metadata. */
function resolveField(
  field: RawField,
  raw: Raw,
  prefix: string,
  inherited: { visible?: unknown },
): DescribedField[] {
  const definition = field.$ref === undefined ? {} : ((findInDocument(field.$ref, raw) ?? {}) as RawField);
  const visible = field.visible ?? definition.visible ?? inherited.visible;
  const path = field.path === undefined ? undefined : joinPath(prefix, field.path);
  if (field.fields !== undefined)
    return field.fields.flatMap((inner) => resolveField(inner, raw, path ?? prefix, { visible }));
  const params = { ...definition.params, ...field.params };
  const resolved = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      name.endsWith("Path") && typeof value === "string" ? joinPath(prefix, value) : resolveValue(value, raw),
    ]),
  );
  return [
    {
      label: field.label ?? definition.label ?? "",
      ...(path === undefined ? {} : { path }),
      ...(field.value === undefined ? {} : { value: resolveValue(field.value, raw) }),
      format: field.format ?? definition.format ?? "raw",
      params: resolved,
      isShown: visible !== "never",
    },
  ];
}

/** Paths inside a group begin at the group, unless they name a root: `#` the arguments, `@` the transaction, `$` the file. */
const joinPath = (prefix: string, path: string): string =>
  /^[#@$]/.test(path) || prefix === "" ? path : `${prefix}.${path}`;

export const stripRoot = (path: string): string => path.replace(/^#\.?/, "");

function resolveValue(value: unknown, raw: Raw): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, raw));
  return typeof value === "string" && value.startsWith("$.") ? findInDocument(value, raw) : value;
}

function findInDocument(path: string, raw: Raw): unknown {
  return path
    .replace(/^\$\./, "")
    .split(".")
    .reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      raw,
    );
}
