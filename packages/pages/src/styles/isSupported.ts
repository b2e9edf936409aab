import { lexer } from "css-tree";
import { type Certainty, PERHAPS, YES } from "./certainty.js";
import { evaluateCondition } from "./evaluateCondition.js";

/** Whether current browsers fulfil an `@supports` condition; perhaps where the syntax is not in css-tree's grammar. */
export function isSupported(condition: string): Certainty {
  return evaluateCondition(condition, (feature) => {
    const [, property, value] = /^([-\w]+)\s*:(.*)$/s.exec(feature) ?? [];
    if (property === undefined || value === undefined || /^-|^\s*-(webkit|moz|ms)-/.test(property + value))
      return PERHAPS;
    return lexer.matchProperty(property.toLowerCase(), value.trim()).error === null ? YES : PERHAPS;
  });
}
