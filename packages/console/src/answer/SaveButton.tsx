/** Saves a file that `assay verify` and the Verify page read without the network. */
export function SaveButton({ name, value }: { readonly name: string; readonly value: unknown }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(value)], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" className="quiet" onClick={save}>
      Save to verify later
    </button>
  );
}
