/**
 * What signs a payment, sends it and reads its answer. A page that only asks loads none of them; one that pays loads all before it signs, because a
 * signed payment must not wait for a file that a newer release may have replaced.
 */
export async function loadPaying() {
  const [{ createPaymentId }, { preparePayment }, { readAnswer }, { sendPayment }] = await Promise.all([
    import("./paymentId.js"),
    import("./preparePayment.js"),
    import("./readAnswer.js"),
    import("./sendPayment.js"),
  ]);
  return { createPaymentId, preparePayment, readAnswer, sendPayment };
}
