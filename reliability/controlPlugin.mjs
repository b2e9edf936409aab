/**
 * Leaves one protection out of a source while it is loaded, for the control of a campaign. `control` is `{ file, from, to }`, where
 * `file` is a path from the root and `from` stands in it once. No file is changed.
 */
export const controlPlugin = (control) => ({
  name: "control",
  enforce: "pre",
  transform(text, id) {
    if (!id.split("?")[0].endsWith(`/${control.file}`)) return undefined;
    if (text.split(control.from).length !== 2)
      throw new Error(`${control.file} does not hold "${control.from}" once.`);
    return text.replace(control.from, () => control.to);
  },
});
