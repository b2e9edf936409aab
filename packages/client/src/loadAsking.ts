/** What writes a question of a capability and reads it back. It holds what every capability takes, so a page loads it with its first question. */
export async function loadAsking() {
  const [{ findOtherInput }, { holdsOwnKey }, { buildInvokeRequest, readQuotedQuestion, toQuery }] =
    await Promise.all([
      import("./findOtherQuestion.js"),
      import("./holdsOwnKey.js"),
      import("./invokeRequest.js"),
    ]);
  return { buildInvokeRequest, findOtherInput, holdsOwnKey, readQuotedQuestion, toQuery };
}
