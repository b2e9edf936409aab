import { ident, tokenize, tokenTypes } from "css-tree";

export interface Declaration {
  /** In lowercase, but for custom properties. */
  readonly property: string;
  /** Without comments and escapes, keywords in lowercase. */
  readonly value: string;
  readonly isImportant: boolean;
}

/** A style rule where `name` is null, else an at-rule; `block` is null where a semicolon ends it. */
export interface SheetRule {
  readonly name: string | null;
  readonly prelude: string;
  readonly block: SheetBlock | null;
}

export interface SheetBlock {
  readonly declarations: readonly Declaration[];
  readonly rules: readonly SheetRule[];
}

export interface ParsedSheet extends SheetBlock {
  /** Rules were nested deeper than is followed. */
  readonly isCut: boolean;
}

/** Rules inside rules; people write three or four. */
const MAX_DEPTH = 24;

const {
  AtKeyword,
  CDC,
  CDO,
  Colon,
  Comment,
  Dimension,
  EOF,
  Function: FunctionToken,
  Hash,
  Ident,
  LeftCurlyBracket,
  LeftParenthesis,
  LeftSquareBracket,
  RightCurlyBracket,
  RightParenthesis,
  RightSquareBracket,
  Semicolon,
  WhiteSpace,
} = tokenTypes;

const CLOSERS = new Map<number, number>([
  [FunctionToken, RightParenthesis],
  [LeftParenthesis, RightParenthesis],
  [LeftSquareBracket, RightSquareBracket],
  [LeftCurlyBracket, RightCurlyBracket],
]);

/** A style sheet, taken apart as browsers do (CSS Syntax 3, section 5.5), which says what becomes of broken ones. */
export function parseSheet(css: string): ParsedSheet {
  const reader = createReader(css);
  const rules: SheetRule[] = [];
  for (;;) {
    reader.skip(WhiteSpace, Comment, CDO, CDC);
    if (reader.type() === EOF) break;
    const rule = reader.type() === AtKeyword ? reader.readAtRule(0) : reader.readRule(0);
    if (rule) rules.push(rule);
  }
  return { declarations: [], rules, isCut: reader.isCut() };
}

/** The declarations of a `style` attribute. */
export function parseDeclarations(css: string): readonly Declaration[] {
  return createReader(css).readBlock(0).declarations;
}

function createReader(css: string) {
  const types: number[] = [];
  const starts: number[] = [];
  tokenize(css, (type, start) => {
    types.push(type);
    starts.push(start);
  });
  starts.push(css.length);
  let at = 0;
  let isCut = false;

  const type = () => types[at] ?? EOF;
  const textOf = (index: number) => css.slice(starts[index], starts[index + 1]);
  const skip = (...kinds: number[]) => {
    while (at < types.length && kinds.includes(type())) at++;
  };

  /** Steps over one component value: a token, or everything up to the bracket that closes it. */
  function step(): void {
    const open: number[] = [];
    do {
      const closer = CLOSERS.get(type());
      if (closer !== undefined) open.push(closer);
      else if (type() === open.at(-1)) open.pop();
      at++;
    } while (open.length > 0 && at < types.length);
  }

  /** The text of tokens, so that a search finds what escapes and comments would keep from it. */
  function write(from: number, to: number): string {
    let text = "";
    for (let index = from; index < to; index++) {
      const kind = types[index];
      const own = textOf(index);
      if (kind === Comment || kind === WhiteSpace) text += " ";
      else if (kind === Ident || kind === FunctionToken || kind === Hash || kind === Dimension)
        text += plainOf(own);
      else text += own;
    }
    return text.trim();
  }

  function readAtRule(depth: number): SheetRule | undefined {
    const name = plainOf(textOf(at).slice(1)).toLowerCase();
    const from = ++at;
    while (at < types.length) {
      if (type() === Semicolon) return { name, prelude: write(from, at++), block: null };
      if (type() === RightCurlyBracket && depth > 0) break;
      if (type() === LeftCurlyBracket) return { name, prelude: write(from, at), block: readBraces(depth) };
      step();
    }
    return { name, prelude: write(from, at), block: null };
  }

  function readRule(depth: number): SheetRule | undefined {
    const from = at;
    while (at < types.length) {
      if (depth > 0 && type() === Semicolon) return undefined;
      if (depth > 0 && type() === RightCurlyBracket) return undefined;
      if (type() === LeftCurlyBracket) {
        // Selectors tell `#A` from `#a`, and read escapes themselves.
        const prelude = css
          .slice(starts[from], starts[at])
          .replaceAll(/\/\*.*?(\*\/|$)/gs, " ")
          .trim();
        return { name: null, prelude, block: readBraces(depth) };
      }
      step();
    }
    return undefined;
  }

  function readBraces(depth: number): SheetBlock {
    if (depth >= MAX_DEPTH) {
      isCut = true;
      step();
      return { declarations: [], rules: [] };
    }
    at++;
    const block = readBlock(depth + 1);
    at++;
    return block;
  }

  function readBlock(depth: number): SheetBlock {
    const declarations: Declaration[] = [];
    const rules: SheetRule[] = [];
    for (;;) {
      skip(WhiteSpace, Comment, Semicolon);
      // A style attribute has no brace to end it.
      if (at >= types.length || (type() === RightCurlyBracket && depth > 0)) return { declarations, rules };
      if (type() === AtKeyword) {
        const rule = readAtRule(depth);
        if (rule) rules.push(rule);
        continue;
      }
      const from = at;
      const declaration = readDeclaration(depth);
      if (declaration) declarations.push(declaration);
      else {
        const end = at;
        at = from;
        const rule = depth > 0 ? readRule(depth) : undefined;
        if (rule) rules.push(rule);
        else at = Math.max(at, depth > 0 ? at : end, from + 1);
      }
    }
  }

  function readDeclaration(depth: number): Declaration | undefined {
    const name = type() === Ident ? plainOf(textOf(at)) : undefined;
    if (name !== undefined) at++;
    skip(WhiteSpace, Comment);
    const isNamed = name !== undefined && type() === Colon;
    // Inside of braces it may be a rule, which is read anew from its start.
    if (!isNamed && depth > 0) return undefined;
    if (isNamed) at++;
    const from = at;
    const isCustom = name?.startsWith("--") === true;
    let hasBraces = false;
    let hasMore = false;
    while (at < types.length && type() !== Semicolon && !(type() === RightCurlyBracket && depth > 0)) {
      if (type() === LeftCurlyBracket) hasBraces = true;
      else if (type() !== WhiteSpace && type() !== Comment) hasMore = true;
      if (hasBraces && hasMore && !isCustom && depth > 0) return undefined;
      step();
    }
    if (!isNamed || (hasBraces && hasMore && !isCustom)) return undefined;
    const given = write(from, at);
    const value = given.replace(/\s*!\s*important$/i, "");
    const property = isCustom ? name : name.toLowerCase();
    return { property, value, isImportant: value !== given };
  }

  return { type, skip, readAtRule, readRule, readBlock, isCut: () => isCut };
}

/** An identifier as it is meant; one that only escapes can spell equals no keyword and stays as it is written. */
function plainOf(text: string): string {
  const decoded = text.includes("\\") ? ident.decode(text) : text;
  const plain = /^[#\w()%.+-]+$/.test(decoded) ? decoded : text;
  return plain.startsWith("--") ? plain : plain.toLowerCase();
}
