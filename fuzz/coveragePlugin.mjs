import { createHash } from "node:crypto";
import { parseSync, Visitor } from "vite";

/** Characters of a text in the sources that may be a word of the format. */
const MAX_WORD = 64;

/**
 * Marks every branch of our sources while they are loaded: functions, both ways of a condition, the right side of `&&`, `||` and
 * `??`, loops, cases and handlers. `words` collects the texts that the sources compare with, which inputs are made of.
 */
export const coveragePlugin = (words) => ({
  name: "coverage",
  enforce: "pre",
  transform(text, id) {
    const path = id.split("?")[0];
    if (!/\/packages\/[^/]+\/src\/.*\.ts$/.test(path)) return undefined;
    return markBranches(path, text, words);
  },
});

/** The source with a call of `__fuzzHit` in every branch. */
export function markBranches(path, text, words = new Set()) {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const marks = [];
  let count = 0;
  const next = () => {
    count += 1;
    return createHash("sha256")
      .update(`${path.split("/packages/").at(-1)}:${count}`)
      .digest()
      .readUInt16LE(0);
  };
  const add = (at, mark) => marks.push({ at, mark });
  const wrap = (node) => {
    add(node.start, `(__fuzzHit(${next()}), `);
    add(node.end, ")");
  };
  const enter = (node) => {
    if (!node) return;
    if (node.type === "BlockStatement" || node.type === "FunctionBody")
      add(node.start + 1, `__fuzzHit(${next()});`);
    else {
      add(node.start, `{__fuzzHit(${next()});`);
      add(node.end, "}");
    }
  };
  const loop = ({ body }) => enter(body);
  const callable = ({ body }) => {
    if (body) enter(body);
  };
  new Visitor({
    FunctionDeclaration: callable,
    FunctionExpression: callable,
    ArrowFunctionExpression: ({ body }) =>
      body.type === "BlockStatement" || body.type === "FunctionBody" ? enter(body) : wrap(body),
    IfStatement({ consequent, alternate }) {
      enter(consequent);
      enter(alternate);
    },
    ConditionalExpression({ consequent, alternate }) {
      wrap(consequent);
      wrap(alternate);
    },
    LogicalExpression: ({ right }) => wrap(right),
    ForStatement: loop,
    ForOfStatement: loop,
    ForInStatement: loop,
    WhileStatement: loop,
    DoWhileStatement: loop,
    SwitchCase: ({ consequent: [first] }) => {
      if (first) add(first.start, `__fuzzHit(${next()});`);
    },
    CatchClause: ({ body }) => enter(body),
    Literal: ({ value }) => {
      if (typeof value === "string" && value.length > 0 && value.length <= MAX_WORD) words.add(value);
    },
    Property: ({ key }) => {
      if (key.type === "Identifier") words.add(key.name);
    },
  }).visit(program);
  // At one place, what was entered first is outside. Brackets that end at one place are all round ones.
  marks.sort((a, b) => a.at - b.at);
  let marked = "";
  let done = 0;
  for (const { at, mark } of marks) {
    marked += text.slice(done, at) + mark;
    done = at;
  }
  return `${marked}${text.slice(done)}\n`;
}
