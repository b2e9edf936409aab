/**
 * What signs and what sends a payment. A page that only asks loads neither; one that pays loads both before it signs, because a
 * signed payment must not wait for a file that a newer release may have replaced.
 */
export async function loadPaying() {
  const [{ preparePayment }, { sendPayment }] = await Promise.all([
    import("./preparePayment.js"),
    import("./sendPayment.js"),
  ]);
  return { preparePayment, sendPayment };
}
