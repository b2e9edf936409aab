import { type DragEvent, useId, useState } from "react";

const MOST_BYTES = 20_000_000;

interface Props {
  /** What to drop, in a few words. */
  readonly what: string;
  /** Undefined where the input cannot be read: an earlier input no longer counts. */
  onSaved(value: unknown, name: string): void;
}

/** Takes a saved file by drop, by choice or as pasted text. It stays in the browser. */
export function SavedInput({ what, onSaved }: Props) {
  const [isOver, setIsOver] = useState(false);
  const [pasted, setPasted] = useState("");
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const refuse = (words: string) => {
    setProblem(words);
    onSaved(undefined, "");
  };
  const read = (text: string, name: string) => {
    try {
      const value: unknown = JSON.parse(text);
      setProblem(undefined);
      onSaved(value, name);
    } catch (error) {
      refuse(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > MOST_BYTES) return refuse(`${file.name} is larger than any answer.`);
    read(await file.text(), file.name);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div className="stack">
      <label
        className={isOver ? "drop drop-over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <span className="drop-title">Drop {what} here, or choose a file</span>
        <span className="soft">It stays in this browser.</span>
        <input
          type="file"
          accept="application/json,.json"
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </label>
      <details>
        <summary>Paste JSON instead</summary>
        <form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            read(pasted, "The text");
          }}
        >
          <label htmlFor={id}>JSON</label>
          <textarea
            id={id}
            className="mono"
            rows={6}
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
          />
          <div>
            <button type="submit" className="quiet" disabled={pasted.trim() === ""}>
              Verify this text
            </button>
          </div>
        </form>
      </details>
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
