/** A progress line on stderr: rewritten in place on a terminal, otherwise one line for each step. */
export function createProgress(sectionCount) {
  const { isTTY } = process.stderr;
  const startedAt = performance.now();
  const readClock = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const write = (line) => process.stderr.write(isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
  return {
    inSection: (number, title) => (step) =>
      write(`${readClock()}  ${number}/${sectionCount} ${title}: ${step}`),
    end: () => write(isTTY ? "" : `${readClock()}  done`),
  };
}
