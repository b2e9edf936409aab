import { parseSync, Visitor } from "vite";

/**
 * One change of a source that a test should notice.
 * @typedef {{ kind: string, start: number, end: number, line: number, from: string, to: string }} Mutant
 */

/** What each operator becomes. A comparison moves by its boundary and turns around: two mistakes that people make. */
const operators = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "<<": [">>"],
  ">>": ["<<"],
  "&": ["|"],
  "|": ["&"],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "++": ["--"],
  "--": ["++"],
};
const methods = {
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  startsWith: "endsWith",
  endsWith: "startsWith",
};
/** Calls that pass on what they are called on, if they are left out. */
const passing = ["filter", "toLowerCase", "trim", "reverse", "sort", "toSorted"];
/** Reason codes and the like; other texts are for people. */
const codeText = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;

/** All changes of one token, or one statement, in the order of the text. */
export function listMutants(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const found = [];
  const untouched = [];
  const sourceOf = ({ start, end }) => text.slice(start, end);
  const add = (kind, { start, end }, to) =>
    found.push({ kind, start, end, from: text.slice(start, end), to });
  const leave = (node) => untouched.push(node);
  const changeOperator = (kind, node, from, to) => {
    const start = text.indexOf(node.operator, from);
    if (start >= from && start < to)
      for (const other of operators[node.operator] ?? [])
        add(kind, { start, end: start + node.operator.length }, other);
  };
  const changeInfix = (kind) => (node) => {
    changeOperator(kind, node, node.left.end, node.right.start);
    if (node.operator === "??") add("fallback", { start: node.left.end, end: node.end }, "");
  };
  const negate = ({ test }) => {
    const isOwnMutant = test && ["BinaryExpression", "UnaryExpression", "Literal"].includes(test.type);
    if (test && !isOwnMutant) add("condition", test, `!(${sourceOf(test)})`);
  };
  new Visitor({
    BinaryExpression: changeInfix("operator"),
    LogicalExpression: changeInfix("operator"),
    AssignmentExpression: (node) => changeOperator("operator", node, node.left.end, node.right.start),
    UpdateExpression: (node) => changeOperator("operator", node, node.start, node.end),
    UnaryExpression(node) {
      if (node.operator === "!") add("negation", node, sourceOf(node.argument));
      if (node.operator === "-") add("sign", node, sourceOf(node.argument));
    },
    IfStatement: negate,
    ConditionalExpression: negate,
    WhileStatement: negate,
    Literal(node) {
      const { value, raw } = node;
      if (typeof value === "boolean") add("boolean", node, String(!value));
      else if (typeof value === "bigint") add("number", node, `${value + 1n}n`);
      else if (typeof value === "number") add("number", node, raw === "0" ? "1" : `(${raw} + 1)`);
      else if (typeof value === "string" && codeText.test(value)) add("code", node, '"MUTANT"');
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.computed) return;
      const other = Object.hasOwn(methods, callee.property.name) && methods[callee.property.name];
      if (other) add("method", callee.property, other);
      if (passing.includes(callee.property.name) && !callee.optional)
        add("call", { start: callee.object.end, end: node.end }, "");
    },
    ExpressionStatement(node) {
      const { expression } = node;
      const called = expression.type === "AwaitExpression" ? expression.argument : expression;
      if (called.type === "CallExpression") add("statement", node, ";");
    },
    ImportDeclaration: leave,
    TSTypeAliasDeclaration: leave,
    TSInterfaceDeclaration: leave,
    TSTypeAnnotation: leave,
    TSTypeParameterInstantiation: leave,
    TSTypeParameterDeclaration: leave,
    TSAsExpression: (node) => leave(node.typeAnnotation),
    TSSatisfiesExpression: (node) => leave(node.typeAnnotation),
    // A name of a field, and an address in a table, are data: another test compares them with their source.
    Property(node) {
      if (!node.computed) leave(node.key);
    },
  }).visit(program);
  const isTouched = ({ start, end }) => !untouched.some((node) => node.start <= start && end <= node.end);
  const lineOf = (at) => text.slice(0, at).split("\n").length;
  return found
    .filter(isTouched)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((mutant) => ({ ...mutant, line: lineOf(mutant.start) }));
}

export const applyMutant = (text, { start, end, to }) => text.slice(0, start) + to + text.slice(end);
