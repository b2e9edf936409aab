import type { CssNode } from "css-tree";
import { type Certainty, certaintyOf, NO, PERHAPS, YES } from "./certainty.js";
import type { TreeElement } from "./elementTree.js";

export interface PseudoClassContext {
  /** The argument of `:nth-child()` and similar ones. */
  readonly nth: CssNode | undefined;
  /** The siblings that count; undefined for all. */
  readonly counted: ((element: TreeElement) => Certainty) | undefined;
  readonly argument: CssNode | undefined;
  countTest(): void;
}

/** States that need a pointer, a keyboard or a player; a page that was just opened has none of them. */
const AT_REST = new Set(
  [
    "active autofill buffering current focus focus-visible focus-within fullscreen future hover modal muted past paused",
    "picture-in-picture playing popover-open seeking stalled target target-current target-within user-invalid user-valid",
    "visited volume-locked -webkit-autofill -moz-focusring -moz-focus-inner -ms-expand -webkit-full-screen",
    // Of shadow trees, into which no selector of the page reaches.
    "host host-context state",
  ].flatMap((line) => line.split(" ")),
);

const hasOpen = ({ element, name }: TreeElement) =>
  /^(details|dialog|select)$/.test(name) && element.hasAttribute("open");
const isControl = ({ name }: TreeElement) =>
  /^(button|input|select|textarea|fieldset|option|optgroup)$/.test(name);
const isLink = ({ element, name }: TreeElement) => /^(a|area)$/.test(name) && element.hasAttribute("href");
const isChecked = ({ element, name }: TreeElement) =>
  (name === "input" && element.hasAttribute("checked")) ||
  (name === "option" && element.hasAttribute("selected"));

const PLAIN: Readonly<Record<string, (element: TreeElement) => boolean>> = {
  root: ({ parent }) => parent === null,
  empty: ({ element }) => element.childNodes.every(({ nodeType }) => nodeType !== 1 && nodeType !== 3),
  "first-child": ({ before }) => before === null,
  "last-child": (element) => element.parent?.children.at(-1) === element || element.parent === null,
  "only-child": ({ parent }) => parent === null || parent.children.length === 1,
  "any-link": isLink,
  link: isLink,
  "-webkit-any-link": isLink,
  "-moz-any-link": isLink,
  checked: isChecked,
  default: isChecked,
  disabled: (element) => isControl(element) && element.element.hasAttribute("disabled"),
  enabled: (element) => isControl(element) && !element.element.hasAttribute("disabled"),
  required: ({ element, name }) => /^(input|select|textarea)$/.test(name) && element.hasAttribute("required"),
  optional: ({ element, name }) =>
    /^(input|select|textarea)$/.test(name) && !element.hasAttribute("required"),
  open: hasOpen,
  defined: () => true,
};

/** Whether a pseudo-class matches on a page that was just opened; perhaps for one that is not known here. */
export function matchPseudoClass(
  name: string,
  context: PseudoClassContext,
): (element: TreeElement) => Certainty {
  const plain = PLAIN[name];
  if (plain) return (element) => certaintyOf(plain(element));
  if (AT_REST.has(name)) return () => NO;
  const [, isLast, isOfType] = /^nth-(last-)?(?:child|(of-type))$/.exec(name) ?? [];
  if (/^nth-(last-)?(child|of-type)$/.test(name)) {
    const pattern = readNth(context.nth);
    if (pattern === undefined) return () => PERHAPS;
    return (element) => {
      if (context.counted && context.counted(element) !== YES) return context.counted(element);
      const place = placeOf(element, isLast !== undefined, isOfType !== undefined, context);
      const { a, b } = pattern;
      return certaintyOf(a === 0 ? place === b : (place - b) / a >= 0 && Number.isInteger((place - b) / a));
    };
  }
  const [, edge] = /^(first|last|only)-of-type$/.exec(name) ?? [];
  if (edge !== undefined)
    return (element) =>
      certaintyOf(
        (edge === "last" || placeOf(element, false, true, context) === 1) &&
          (edge === "first" || placeOf(element, true, true, context) === 1),
      );
  if (name === "lang" || name === "dir") return (element) => matchLanguage(element, name, context.argument);
  return () => PERHAPS;
}

function placeOf(
  element: TreeElement,
  isLast: boolean,
  isOfType: boolean,
  { counted, countTest }: PseudoClassContext,
): number {
  const siblings = element.parent?.children ?? [element];
  let place = 0;
  for (let at = 0; at < siblings.length; at++) {
    const sibling = siblings[isLast ? siblings.length - 1 - at : at];
    if (!sibling) break;
    if (at % 16 === 0) countTest();
    const counts = (!isOfType || sibling.name === element.name) && (!counted || counted(sibling) === YES);
    if (counts) place++;
    if (sibling === element) break;
  }
  return place;
}

function readNth(node: CssNode | undefined): { a: number; b: number } | undefined {
  if (node?.type === "Identifier") {
    const name = node.name.toLowerCase();
    return name === "odd" ? { a: 2, b: 1 } : name === "even" ? { a: 2, b: 0 } : undefined;
  }
  if (node?.type !== "AnPlusB") return undefined;
  const a = Number(node.a ?? 0);
  const b = Number(node.b ?? 0);
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : { a, b };
}

function matchLanguage(element: TreeElement, name: "lang" | "dir", argument: CssNode | undefined): Certainty {
  const wanted =
    argument?.type === "Identifier"
      ? argument.name
      : argument?.type === "String"
        ? argument.value
        : undefined;
  if (wanted === undefined) return PERHAPS;
  for (let at: TreeElement | null = element; at !== null; at = at.parent) {
    const has = at.element.getAttribute(name)?.toLowerCase();
    if (has) return certaintyOf(has === wanted.toLowerCase() || has.startsWith(`${wanted.toLowerCase()}-`));
  }
  return certaintyOf(name === "dir" && wanted.toLowerCase() === "ltr");
}
