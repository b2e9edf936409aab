import type { AbiParameter } from "viem";

/**
 * The bytes that these parameters take up in this data. A part counts once for every offset that points at it. Throws
 * when the sum exceeds the data: offsets can make a few bytes stand for gigabytes, and a decoder would follow them all.
 * An ordinary encoding points at nothing twice.
 */
export function measureAbi(parameters: readonly AbiParameter[], data: Uint8Array): number {
  let total = 0;
  const take = (bytes: number) => {
    total += bytes;
    if (total > data.length) throw new RangeError("the arguments are longer than the data");
  };

  function readOffset(at: number): number {
    if (at + 32 > data.length) throw new RangeError("the arguments end outside the data");
    for (let index = at; index < at + 28; index += 1)
      if (data[index] !== 0) throw new RangeError("an offset or a length is outside the data");
    return new DataView(data.buffer, data.byteOffset + at + 28, 4).getUint32(0);
  }

  /** Walks a parameter whose head is at `at`; offsets count from `base`. */
  function walk(parameter: AbiParameter, at: number, base: number): void {
    take(headBytes(parameter));
    if (isDynamic(parameter)) walkTail(parameter, base + readOffset(at));
  }

  function walkTail(parameter: AbiParameter, at: number): void {
    const array = parseArray(parameter);
    if (array) {
      const length = array.length ?? readOffset(at);
      if (array.length === null) take(32);
      const start = array.length === null ? at + 32 : at;
      const step = headBytes(array.item);
      // Empty items cost no bytes, so any stated length would be walked.
      if (step === 0) throw new RangeError("an array of empty items");
      for (let index = 0; index < length; index += 1) walk(array.item, start + index * step, start);
    } else if (parameter.type === "tuple") {
      walkAll(componentsOf(parameter), at);
    } else {
      const length = readOffset(at);
      if (at + 32 + length > data.length) throw new RangeError("the arguments end outside the data");
      take(32 + Math.ceil(length / 32) * 32 - missingPadding(data.length, at + 32, length));
    }
  }

  function walkAll(items: readonly AbiParameter[], base: number): void {
    let at = base;
    for (const item of items) {
      walk(item, at, base);
      at += headBytes(item);
    }
  }

  walkAll(parameters, 0);
  return total;
}

/** Some encoders leave out the zeros after the last item; they are not there to be counted. */
function missingPadding(available: number, start: number, length: number): number {
  return Math.max(0, start + Math.ceil(length / 32) * 32 - available);
}

function parseArray(parameter: AbiParameter): { item: AbiParameter; length: number | null } | undefined {
  const match = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (!match) return undefined;
  const item = { ...parameter, type: match[1] as string };
  return { item, length: match[2] ? Number(match[2]) : null };
}

const componentsOf = (parameter: AbiParameter): readonly AbiParameter[] =>
  "components" in parameter ? parameter.components : [];

function isDynamic(parameter: AbiParameter): boolean {
  const array = parseArray(parameter);
  if (array) return array.length === null || isDynamic(array.item);
  if (parameter.type === "tuple") return componentsOf(parameter).some(isDynamic);
  return parameter.type === "bytes" || parameter.type === "string";
}

/** The bytes of a parameter's head: the value when static, an offset when dynamic. */
function headBytes(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return 32;
  const array = parseArray(parameter);
  if (array) return (array.length ?? 0) * headBytes(array.item);
  if (parameter.type === "tuple")
    return componentsOf(parameter).reduce((sum, component) => sum + headBytes(component), 0);
  return 32;
}
