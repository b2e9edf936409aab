import type { Hex } from "@assay/protocol";

export interface TypedField {
  readonly name: string;
  readonly type: string;
}
export type TypedTypes = Readonly<Record<string, readonly TypedField[]>>;
export type TypedStruct = Readonly<Record<string, unknown>>;

/**
 * An EIP-712 document in one spelling: addresses and bytes in lower case, whole numbers as decimal strings, every field
 * of every type present and no other.
 */
export interface TypedDocument {
  /** `EIP712Domain` is among them. */
  readonly types: TypedTypes;
  readonly primaryType: string;
  readonly domain: TypedStruct;
  readonly message: TypedStruct;
}

/** What is wrong with a document, and where. */
export interface DocumentFault {
  readonly path: readonly (string | number)[];
  readonly rule: string;
}

export const DOMAIN_FIELDS: readonly TypedField[] = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
];
const MAX_TYPES = 64;
const MAX_FIELDS = 64;
/** Of values in arrays and structs together: more makes a document that nobody reads. */
const MAX_VALUES = 20_000;
const NAME = /^(?!__proto__$)[A-Za-z_$][\w$]{0,127}$/;
/** Some protocols name a type by its namespace and a colon. */
const TYPE_NAME = /^(?!__proto__$)[A-Za-z_$][\w$:]{0,127}$/;
const ARRAY = /^(.+)\[(\d*)\]$/;
const ATOM =
  /^(address|bool|string|bytes|bytes([1-9]|[12]\d|3[0-2])|u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256))$/;

/** The fields of a struct; undefined for a name that is none of the types, also one that every object has. */
const fieldsOf = (types: TypedTypes, name: string): readonly TypedField[] | undefined =>
  Object.hasOwn(types, name) ? types[name] : undefined;

class FaultFound extends Error {
  constructor(
    readonly path: readonly (string | number)[],
    readonly rule: string,
  ) {
    super(rule);
  }
}

/** The document in its one spelling, or the first fault that was found. */
export function normalizeDocument(given: unknown): { document: TypedDocument } | { fault: DocumentFault } {
  try {
    return { document: readDocument(given) };
  } catch (error) {
    if (error instanceof FaultFound) return { fault: { path: error.path, rule: error.rule } };
    throw error;
  }
}

function readDocument(given: unknown): TypedDocument {
  const { types: givenTypes, primaryType, domain, message, ...others } = readObject(given, []);
  const [other] = Object.keys(others);
  if (other !== undefined) throw new FaultFound([other], "is not a known field");
  const types = readTypes(givenTypes, domain);
  if (typeof primaryType !== "string" || fieldsOf(types, primaryType) === undefined)
    throw new FaultFound(["primaryType"], "must name one of the types");
  if (primaryType === "EIP712Domain")
    throw new FaultFound(["primaryType"], "must be another type than the domain's");
  const budget = { left: MAX_VALUES };
  return {
    types: pickTypes(types, primaryType),
    primaryType,
    domain: readStruct(types, "EIP712Domain", domain, ["domain"], budget),
    message: readStruct(types, primaryType, message, ["message"], budget),
  };
}

function readTypes(given: unknown, domain: unknown): TypedTypes {
  const listed = Object.entries(readObject(given, ["types"]));
  if (listed.length > MAX_TYPES) throw new FaultFound(["types"], `must be at most ${MAX_TYPES} types`);
  const types: Record<string, TypedField[]> = {};
  for (const [name, fields] of listed) {
    const path = ["types", name];
    if (!TYPE_NAME.test(name) || ATOM.test(name)) throw new FaultFound(path, "must be the name of a struct");
    if (!Array.isArray(fields) || fields.length > MAX_FIELDS)
      throw new FaultFound(path, `must be a list of at most ${MAX_FIELDS} fields`);
    types[name] = fields.map((field, index) => readField(field, [...path, index]));
    const names = new Set(types[name].map((one) => one.name));
    if (names.size !== types[name].length) throw new FaultFound(path, "must name each field once");
  }
  const used = Object.keys(readObject(domain, ["domain"]));
  types.EIP712Domain ??= DOMAIN_FIELDS.filter(({ name }) => used.includes(name)).map((field) => ({
    ...field,
  }));
  for (const [name, fields] of Object.entries(types))
    fields.forEach(({ type }, index) => {
      const base = baseOf(type);
      if (!ATOM.test(base) && fieldsOf(types, base) === undefined)
        throw new FaultFound(["types", name, index, "type"], "must be a type of EIP-712 or one of the types");
    });
  return types;
}

function readField(given: unknown, path: readonly (string | number)[]): TypedField {
  const { name, type, ...others } = readObject(given, path);
  // Compilers add what the type is called in the source.
  const unknown = Object.keys(others).find((key) => key !== "internalType");
  if (unknown !== undefined) throw new FaultFound([...path, unknown], "is not a known field");
  if (typeof name !== "string" || !NAME.test(name)) throw new FaultFound([...path, "name"], "must be a name");
  if (typeof type !== "string" || type.length > 160)
    throw new FaultFound([...path, "type"], "must be a type of EIP-712 or one of the types");
  return { name, type };
}

const baseOf = (type: string): string => {
  const array = ARRAY.exec(type);
  return array ? baseOf(array[1] as string) : type;
};

/** The types that the document uses: others are hashed nowhere. */
function pickTypes(types: TypedTypes, primaryType: string): TypedTypes {
  const picked = ["EIP712Domain", ...listTypes(types, primaryType)];
  return Object.fromEntries(picked.map((name) => [name, fieldsOf(types, name) ?? []]));
}

/** A struct and all that it holds, the struct first. */
function listTypes(types: TypedTypes, primaryType: string): string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const fields = fieldsOf(types, name);
    if (found.has(name) || fields === undefined) return;
    found.add(name);
    for (const { type } of fields) visit(baseOf(type));
  };
  visit(primaryType);
  return [...found];
}

/** The text that a struct's type hash is made of (EIP-712, encodeType). */
export function encodeTypeOf(types: TypedTypes, name: string): string {
  const [first = name, ...rest] = listTypes(types, name);
  return [first, ...rest.sort()]
    .map(
      (one) =>
        `${one}(${(fieldsOf(types, one) ?? []).map((field) => `${field.type} ${field.name}`).join(",")})`,
    )
    .join("");
}

type Path = readonly (string | number)[];
interface Budget {
  left: number;
}

function readStruct(
  types: TypedTypes,
  name: string,
  given: unknown,
  path: Path,
  budget: Budget,
): TypedStruct {
  const value = readObject(given, path);
  const fields = fieldsOf(types, name) ?? [];
  const unknown = Object.keys(value).find((key) => !fields.some((field) => field.name === key));
  if (unknown !== undefined) throw new FaultFound([...path, unknown], `is not a field of ${name}`);
  return Object.fromEntries(
    fields.map((field) => {
      const at = [...path, field.name];
      if (!Object.hasOwn(value, field.name)) throw new FaultFound(at, "is required");
      return [field.name, readValue(types, field.type, value[field.name], at, budget)];
    }),
  );
}

function readValue(types: TypedTypes, type: string, given: unknown, path: Path, budget: Budget): unknown {
  budget.left -= 1;
  if (budget.left < 0) throw new FaultFound(["message"], `must hold at most ${MAX_VALUES} values`);
  const array = ARRAY.exec(type);
  if (array) {
    const [, inner = "", length = ""] = array;
    if (!Array.isArray(given)) throw new FaultFound(path, "must be a list");
    if (length !== "" && given.length !== Number(length))
      throw new FaultFound(path, `must be a list of ${length}`);
    return given.map((one, index) => readValue(types, inner, one, [...path, index], budget));
  }
  if (fieldsOf(types, type) !== undefined) return readStruct(types, type, given, path, budget);
  return readAtom(type, given, path);
}

function readAtom(type: string, given: unknown, path: Path): unknown {
  if (type === "string") {
    if (typeof given !== "string") throw new FaultFound(path, "must be text");
    return given;
  }
  if (type === "bool") {
    if (typeof given !== "boolean") throw new FaultFound(path, "must be true or false");
    return given;
  }
  if (type.startsWith("uint") || type.startsWith("int")) return readNumber(type, given, path);
  const text = typeof given === "string" ? given.toLowerCase() : "";
  if (type === "address") {
    if (!/^0x[0-9a-f]{40}$/.test(text)) throw new FaultFound(path, "must be 0x followed by 40 hex digits");
    return text;
  }
  const bytes = type === "bytes" ? null : Number(type.slice(5));
  const isBytes = /^0x([0-9a-f]{2})*$/.test(text) && (bytes === null || text.length === 2 + bytes * 2);
  if (!isBytes)
    throw new FaultFound(
      path,
      bytes === null ? "must be 0x followed by whole hex bytes" : `must be ${bytes} bytes in hex`,
    );
  return text;
}

function readNumber(type: string, given: unknown, path: Path): string {
  const isSigned = type.startsWith("int");
  const bits = BigInt(type.slice(isSigned ? 3 : 4));
  const isText = typeof given === "string" && /^(-?[0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/.test(given);
  if (!isText && !Number.isSafeInteger(given))
    throw new FaultFound(path, "must be a whole number: decimal or 0x text, or a JSON number below 2^53");
  const value = BigInt(given as string | number);
  const [least, most] = isSigned ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
  if (value < least || value > most) throw new FaultFound(path, `must fit in ${type}`);
  return value.toString();
}

function readObject(given: unknown, path: Path): Record<string, unknown> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new FaultFound(path, "must be an object");
  return { ...given };
}

/** The values as an encoder takes them: whole numbers as such. */
export function reviveStruct(types: TypedTypes, name: string, value: TypedStruct): TypedStruct {
  return Object.fromEntries(
    (fieldsOf(types, name) ?? []).map((field) => [field.name, revive(types, field.type, value[field.name])]),
  );
}

function revive(types: TypedTypes, type: string, value: unknown): unknown {
  const array = ARRAY.exec(type);
  if (array) return (value as readonly unknown[]).map((one) => revive(types, array[1] as string, one));
  if (fieldsOf(types, type) !== undefined) return reviveStruct(types, type, value as TypedStruct);
  return /^u?int/.test(type) ? BigInt(value as string) : value;
}

export const isAddressValue = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
