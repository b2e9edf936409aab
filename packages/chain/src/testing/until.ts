/** Asks again until the answer is not undefined. Throws after `timeoutMs`. */
export async function until<T>(ask: () => Promise<T | undefined>, timeoutMs = 20_000): Promise<T> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > endMs) throw new Error(`Still undefined after ${timeoutMs} ms: ${ask}`);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}
