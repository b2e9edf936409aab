/**
 * Runs in the page, in a world of its own, where the page's scripts have changed nothing: the document as HTML, without scripts,
 * with the rules that scripts have added to its sheets. Null where that is longer than `maxCharacters`.
 */
export const captureDom = (maxCharacters: number) => `(() => {
  const list = (items) => Array.from(items, (rule) => rule.cssText).join("\\n");
  for (const style of document.querySelectorAll("style"))
    try { if (style.sheet) style.textContent = list(style.sheet.cssRules); } catch {}
  for (const sheet of document.adoptedStyleSheets) {
    const style = document.createElement("style");
    style.textContent = list(sheet.cssRules);
    document.head.append(style);
  }
  for (const script of document.querySelectorAll("script, noscript")) script.remove();
  const html = "<!DOCTYPE html>" + document.documentElement.outerHTML;
  return html.length > ${maxCharacters} ? null : html;
})()`;
