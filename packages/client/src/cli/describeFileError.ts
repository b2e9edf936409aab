const sentences: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "there is no such folder"],
  ["ENOTDIR", "a part of its path is not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "permission is denied"],
  ["EPERM", "permission is denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
]);

/** Why a file cannot be written, in plain words where there are any. */
export function describeFileError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return sentences.get(code) ?? (error instanceof Error ? error.message : String(error));
}
