import { parseSync } from "vite";

/** Whether what a mutant changes can be chosen between while the program runs: an expression, or a call as a statement. */
const expressions = new Set([
  "BinaryExpression",
  "LogicalExpression",
  "AssignmentExpression",
  "UpdateExpression",
  "UnaryExpression",
  "Literal",
  "CallExpression",
  "ChainExpression",
]);

/** The nodes that hold `start` to `end`, the smallest last. */
function pathTo(program, start, end) {
  const path = [];
  let node = program;
  while (node) {
    path.push(node);
    node = Object.values(node)
      .flat()
      .find((child) => child?.type && child.start <= start && end <= child.end);
  }
  return path;
}

/** The smallest whole expression or statement that a mutant changes. */
function findNode(program, { kind, start, end }) {
  const path = pathTo(program, start, end);
  if (kind === "condition")
    return path.find(
      (node) => node.start === start && node.end === end && /Expression|Identifier|Literal/.test(node.type),
    );
  if (kind === "statement") return path.find((node) => node.start === start && node.end === end);
  const at = path.findLastIndex((node) => expressions.has(node.type));
  const node = path[at];
  if (!node) return undefined;
  // A part of an optional chain cannot be put into brackets: what follows it would no longer be left out.
  const links = new Set(["CallExpression", "MemberExpression", "TSNonNullExpression"]);
  for (let outer = at - 1; links.has(path[outer + 1].type) && path[outer]; outer--) {
    const [parent, child] = [path[outer], path[outer + 1]];
    if (parent.type === "ChainExpression") return parent;
    const isLink =
      links.has(parent.type) &&
      (parent.callee === child || parent.object === child || parent.expression === child);
    if (!isLink) break;
  }
  return node;
}

/** The source with all of these mutants in it, each of them behind `assayMutant(id)`: one program that can be any of them. */
export function switchMutants(path, text, mutants) {
  const { program } = parseSync(path, text);
  const byNode = new Map();
  for (const mutant of mutants) {
    const node = findNode(program, mutant);
    const place = node && `${node.start} ${node.end}`;
    if (!node)
      throw new Error(`${path}:${mutant.line}: ${mutant.kind} changes neither an expression nor a statement`);
    if (byNode.has(place)) byNode.get(place).mutants.push(mutant);
    else byNode.set(place, { start: node.start, end: node.end, mutants: [mutant] });
  }
  // The innermost first, so that the outer ones hold them.
  const nodes = [...byNode.values()].sort((a, b) => a.end - a.start - (b.end - b.start));
  const edits = [];
  for (const { start, end, mutants: own } of nodes) {
    const inner = edits.filter((edit) => start <= edit.start && edit.end <= end && !edit.isInside);
    for (const edit of inner) edit.isInside = true;
    const original = apply(text.slice(start, end), inner, start);
    const isStatement = own[0].kind === "statement";
    const to = isStatement
      ? `{ if (!globalThis.assayMutant?.(${own[0].id})) ${original} }`
      : `(${own.map(({ id, ...mutant }) => `globalThis.assayMutant?.(${id}) ? (${change(text, start, end, mutant)}) : `).join("")}(${original}))`;
    edits.push({ start, end, to, isInside: false });
  }
  return apply(
    text,
    edits.filter(({ isInside }) => !isInside),
    0,
  );
}

const change = (text, start, end, mutant) =>
  text.slice(start, mutant.start) + mutant.to + text.slice(mutant.end, end);

function apply(text, edits, from) {
  return [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce(
      (changed, { start, end, to }) => changed.slice(0, start - from) + to + changed.slice(end - from),
      text,
    );
}
