/** What package managers say when a download failed. Nothing else is tried again. */
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|E?SOCKETTIMEDOUT|ETIMEDOUT|ECONNRESET|EPIPE|ERR_SOCKET_TIMEOUT|ERR_PNPM_(META_)?FETCH|socket hang up|fetch failed|trouble with your network|UND_ERR|\b(408|429|502|503|504)\b/i;
const TRIES = 4;
const PAUSE_MS = 5_000;

/** Runs an installation again where a download failed, and returns how often it ran. Every other failure is thrown at once. */
export async function retryDownloads(install) {
  for (let tries = 1; ; tries += 1) {
    try {
      await install();
      return tries;
    } catch (error) {
      const said = `${error.stdout ?? ""}${error.stderr ?? ""}${error.message}`;
      if (tries === TRIES || !NETWORK.test(said)) throw error;
      await new Promise((done) => setTimeout(done, PAUSE_MS * tries));
    }
  }
}
