import { ident, tokenize, tokenTypes } from "css-tree";

export interface Declaration {
  /** In lowercase, except for custom properties. */
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
  /** Whether rules were nested too deep to be read. */
  readonly isCut: boolean;
}

/** Of rules inside rules; authors write three or four. */
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

/** Parses a style sheet as browsers do (CSS Syntax 3, section 5.5), with the same treatment of errors. */
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

/** The tokens of a sheet, with the position of the reader. */
function createTokens(css: string) {
  const types: number[] = [];
  const starts: number[] = [];
  tokenize(css, (type, start) => {
    types.push(type);
    starts.push(start);
  });
  starts.push(css.length);
  const textOf = (index: number) => css.slice(starts[index], starts[index + 1]);

  const tokens = {
    at: 0,
    type: () => types[tokens.at] ?? EOF,
    isAtEnd: () => tokens.at >= types.length,
    text: () => textOf(tokens.at),
    skip(...kinds: number[]) {
      while (!tokens.isAtEnd() && kinds.includes(tokens.type())) tokens.at++;
    },
    /** Steps over one component value: a token, or everything up to the bracket that closes it. */
    step() {
      const open: number[] = [];
      do {
        const type = tokens.type();
        const closer = CLOSERS.get(type);
        if (closer !== undefined) open.push(closer);
        else if (type === open.at(-1)) open.pop();
        tokens.at++;
      } while (open.length > 0 && !tokens.isAtEnd());
    },
    /** The source text since `from`. */
    since: (from: number) => css.slice(starts[from], starts[tokens.at]),
    /** The same without escapes and comments, which would hide words from a search. */
    plainSince(from: number): string {
      let text = "";
      for (let index = from; index < tokens.at; index++) {
        const kind = types[index];
        const own = textOf(index);
        if (kind === Comment || kind === WhiteSpace) text += " ";
        else if (kind === Ident || kind === FunctionToken || kind === Hash || kind === Dimension)
          text += plainOf(own);
        else text += own;
      }
      return text.trim();
    },
  };
  return tokens;
}

function createReader(css: string) {
  const tokens = createTokens(css);
  const { type, isAtEnd, skip, step } = tokens;
  let isCut = false;

  function readAtRule(depth: number): SheetRule | undefined {
    const name = plainOf(tokens.text().slice(1)).toLowerCase();
    const from = ++tokens.at;
    while (!isAtEnd()) {
      if (type() === Semicolon) {
        const prelude = tokens.plainSince(from);
        tokens.at++;
        return { name, prelude, block: null };
      }
      if (type() === RightCurlyBracket && depth > 0) break;
      if (type() === LeftCurlyBracket)
        return { name, prelude: tokens.plainSince(from), block: readBraces(depth) };
      step();
    }
    return { name, prelude: tokens.plainSince(from), block: null };
  }

  function readRule(depth: number): SheetRule | undefined {
    const from = tokens.at;
    while (!isAtEnd()) {
      if (depth > 0 && type() === Semicolon) return undefined;
      if (depth > 0 && type() === RightCurlyBracket) return undefined;
      if (type() === LeftCurlyBracket) {
        // Selectors distinguish `#A` from `#a`, and their parser reads escapes itself.
        const prelude = tokens
          .since(from)
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
    tokens.at++;
    const block = readBlock(depth + 1);
    tokens.at++;
    return block;
  }

  function readBlock(depth: number): SheetBlock {
    const declarations: Declaration[] = [];
    const rules: SheetRule[] = [];
    for (;;) {
      skip(WhiteSpace, Comment, Semicolon);
      // A style attribute does not end with a brace.
      if (isAtEnd() || (type() === RightCurlyBracket && depth > 0)) return { declarations, rules };
      if (type() === AtKeyword) {
        const rule = readAtRule(depth);
        if (rule) rules.push(rule);
        continue;
      }
      const from = tokens.at;
      const declaration = readDeclaration(depth);
      if (declaration) declarations.push(declaration);
      else {
        const end = tokens.at;
        tokens.at = from;
        const rule = depth > 0 ? readRule(depth) : undefined;
        if (rule) rules.push(rule);
        else tokens.at = Math.max(tokens.at, depth > 0 ? tokens.at : end, from + 1);
      }
    }
  }

  function readDeclaration(depth: number): Declaration | undefined {
    const name = type() === Ident ? plainOf(tokens.text()) : undefined;
    if (name !== undefined) tokens.at++;
    skip(WhiteSpace, Comment);
    const isNamed = name !== undefined && type() === Colon;
    // Inside braces it may be a rule, which is then read again from its start.
    if (!isNamed && depth > 0) return undefined;
    if (isNamed) tokens.at++;
    const from = tokens.at;
    const isCustom = name?.startsWith("--") === true;
    let hasBraces = false;
    let hasMore = false;
    while (!isAtEnd() && type() !== Semicolon && !(type() === RightCurlyBracket && depth > 0)) {
      if (type() === LeftCurlyBracket) hasBraces = true;
      else if (type() !== WhiteSpace && type() !== Comment) hasMore = true;
      if (hasBraces && hasMore && !isCustom && depth > 0) return undefined;
      step();
    }
    if (!isNamed || (hasBraces && hasMore && !isCustom)) return undefined;
    const given = tokens.plainSince(from);
    const value = given.replace(/\s*!\s*important$/i, "");
    const property = isCustom ? name : name.toLowerCase();
    return { property, value, isImportant: value !== given };
  }

  return { type, skip, readAtRule, readRule, readBlock, isCut: () => isCut };
}

/** An identifier without escapes; one that cannot be written without them equals no keyword and stays as it is. */
function plainOf(text: string): string {
  const decoded = text.includes("\\") ? ident.decode(text) : text;
  const plain = /^[#\w()%.+-]+$/.test(decoded) ? decoded : text;
  return plain.startsWith("--") ? plain : plain.toLowerCase();
}
