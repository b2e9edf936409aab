/** Numbers from 0 to 2^32 - 1, the same ones for the same seed (xorshift32). */
export function createChoices(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  for (let warm = 0; warm < 8; warm += 1) next();
  return {
    next,
    below: (limit) => next() % Math.max(1, limit),
    pick: (list) => list[next() % list.length],
    chance: (oneIn) => next() % oneIn === 0,
  };
}

const EDGES = [0, 1, 2, 0x7f, 0x80, 0xb7, 0xb8, 0xbf, 0xc0, 0xf7, 0xf8, 0xff, 0x20, 0x0a, 0x22, 0x3c, 0x7b];
const NUMBERS = [0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e21, 1e308, 8453];
const TEXTS = [
  "",
  "0",
  "0x",
  "0x0",
  "-1",
  "00",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "\ud800",
  "🦊",
  "1e5",
  "NaN",
  "9".repeat(78),
  `0x${"f".repeat(64)}`,
  `0x${"0".repeat(40)}`,
];

/** Makes inputs from others: changed bytes, words of the format, parts of other inputs, and for JSON changed values. */
export function createMutator(choices, { words, maxBytes, form }) {
  const encoded = words.map((word) => Buffer.from(word));

  function mutateBytes(input, other) {
    let bytes = Buffer.from(input);
    for (let times = 1 + choices.below(choices.chance(4) ? 16 : 4); times > 0; times -= 1)
      bytes = changeOnce(bytes, other);
    return bytes.subarray(0, maxBytes);
  }

  function changeOnce(bytes, other) {
    const at = choices.below(bytes.length + 1);
    const length = Math.min(1 + choices.below(choices.chance(4) ? 64 : 8), bytes.length - at);
    const put = (inserted, removed) =>
      Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
    switch (choices.below(10)) {
      case 0:
        return bytes.length === 0 ? bytes : flip(bytes, at % bytes.length, 1 << choices.below(8));
      case 1:
        return put(Buffer.of(choices.pick(EDGES)), 1);
      case 2:
        return put(Buffer.of(choices.below(256)), 0);
      case 3:
        return put(Buffer.alloc(0), length);
      case 4:
        return put(bytes.subarray(at, at + length), 0);
      case 5:
      case 6:
        return encoded.length === 0 ? bytes : put(choices.pick(encoded), choices.chance(2) ? length : 0);
      case 7: {
        const from = choices.below(other.length + 1);
        return put(other.subarray(from, from + 1 + choices.below(256)), choices.chance(2) ? length : 0);
      }
      case 8:
        return repeat(put, bytes.subarray(at, at + length));
      default:
        return changeNumber(bytes, at);
    }
  }

  const repeat = (put, part) =>
    part.length === 0 ? put(part, 0) : put(Buffer.concat(Array(1 + choices.below(64)).fill(part)), 0);

  /** A decimal number, or a length or offset of four bytes. */
  function changeNumber(bytes, at) {
    const text = bytes.toString("latin1");
    const digits = /\d+/g;
    digits.lastIndex = at;
    const found = digits.exec(text);
    if (!found || choices.chance(3)) {
      if (at + 4 > bytes.length) return bytes;
      const changed = Buffer.from(bytes);
      changed.writeUInt32BE((changed.readUInt32BE(at) + choices.below(65) - 32) >>> 0, at);
      return changed;
    }
    const value = choices.chance(3) ? String(choices.pick(NUMBERS)) : String(choices.below(100_000));
    return Buffer.from(
      text.slice(0, found.index) + value + text.slice(found.index + found[0].length),
      "latin1",
    );
  }

  function flip(bytes, at, bit) {
    const changed = Buffer.from(bytes);
    changed[at] ^= bit;
    return changed;
  }

  function mutateJson(input, other) {
    let value;
    try {
      value = JSON.parse(input.toString());
    } catch {
      return mutateBytes(input, other);
    }
    for (let times = 1 + choices.below(3); times > 0; times -= 1) value = changeValue({ value });
    return Buffer.from(JSON.stringify(value) ?? "null").subarray(0, maxBytes);
  }

  /** Changes one value somewhere inside, or a name. */
  function changeValue(holder) {
    const places = [];
    const visit = (owner, depth) => {
      for (const key of Object.keys(owner)) {
        if (places.length > 2_000) return;
        places.push([owner, key]);
        const inner = owner[key];
        if (typeof inner === "object" && inner !== null && depth < 30) visit(inner, depth + 1);
      }
    };
    visit(holder, 0);
    const [owner, key] = choices.pick(places);
    const [source, name] = choices.pick(places);
    const old = owner[key];
    switch (choices.below(9)) {
      case 0:
        if (owner !== holder && !Array.isArray(owner)) delete owner[key];
        else owner[key] = null;
        break;
      case 1:
        owner[key] = structuredClone(source[name]);
        break;
      case 2:
        owner[key] = choices.pick(NUMBERS);
        break;
      case 3:
        owner[key] = choices.pick(TEXTS);
        break;
      case 4:
        owner[key] = words.length === 0 ? "" : choices.pick(words);
        break;
      case 5:
        owner[key] = choices.pick([null, true, false, [], {}, [old], { [choices.pick(TEXTS)]: old }]);
        break;
      case 6:
        if (Array.isArray(old)) owner[key] = [...old, ...old].slice(0, 64);
        else if (typeof old === "object" && old !== null)
          owner[key] = {
            ...old,
            [words.length === 0 ? "a" : choices.pick(words)]: structuredClone(source[name]),
          };
        else owner[key] = [old, old];
        break;
      default:
        owner[key] =
          typeof old === "string"
            ? changeText(old)
            : typeof old === "number"
              ? old + choices.below(5) - 2
              : old;
    }
    return holder.value;
  }

  /** Hex stays hex most of the time, because nothing else comes past the first check. */
  function changeText(text) {
    if (/^0x[0-9a-f]*$/i.test(text) && !choices.chance(6)) {
      const at = 2 + choices.below(text.length - 1);
      const digit = choices.below(16).toString(16);
      return choices.pick([
        text.slice(0, at) + digit + text.slice(at + 1),
        text.slice(0, at),
        `${text}${digit}${digit}`,
        text.toUpperCase().replace("0X", "0x"),
      ]);
    }
    return changeOnce(Buffer.from(text), Buffer.from(choices.pick(TEXTS))).toString();
  }

  return (input, other) =>
    form === "json" && !choices.chance(4) ? mutateJson(input, other) : mutateBytes(input, other);
}
