import { expect, test } from "vitest";
import { createRenewals, type Renewed } from "./renewals.js";

const readAt = (number: number) => ({ artifact: { block: { number } } }) as Renewed;
const isGoodFrom = (least: number) => (artifact: Renewed["artifact"]) => artifact.block.number >= least;
const never = () => Promise.reject(new Error("read once more"));

test("all who ask while an answer is read anew, and until it is about to end itself, get the one that was read", async () => {
  const { share } = createRenewals();
  let finish = (_renewed: Renewed): void => undefined;
  const reading = new Promise<Renewed>((resolve) => {
    finish = resolve;
  });
  const first = share("0x01", isGoodFrom(7), () => reading);
  const meanwhile = [share("0x01", isGoodFrom(7), never), share("0x01", isGoodFrom(8), never)];
  finish(readAt(8));
  expect(await Promise.all([first, ...meanwhile])).toEqual([readAt(8), readAt(8), readAt(8)]);
  expect(await share("0x01", isGoodFrom(8), never)).toEqual(readAt(8));
  // Control: another question is read by itself.
  await expect(share("0x02", isGoodFrom(8), never)).rejects.toThrow("read once more");
});

test("where it will not do, the first who waited has it read once more, for the others too", async () => {
  const { share } = createRenewals();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return readAt(reads);
  };
  const first = share("0x01", isGoodFrom(0), read);
  const others = [1, 2, 3].map(() => share("0x01", isGoodFrom(2), read));
  expect(await Promise.all([first, ...others])).toEqual([1, 2, 2, 2].map(readAt));
  expect(reads).toBe(2);
});

test("a failure is answered to those who wait, and not kept", async () => {
  const { share } = createRenewals();
  const failed = [never, () => Promise.resolve(readAt(1))].map((read) => share("0x01", isGoodFrom(0), read));
  expect(await Promise.allSettled(failed)).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  expect(await share("0x01", isGoodFrom(0), async () => readAt(3))).toEqual(readAt(3));
});

test("where no answer will do for another caller, each has it read by itself, and nobody waits for more than two", async () => {
  const { share } = createRenewals();
  let [reads, underWay, most] = [0, 0, 0];
  const read = async () => {
    reads += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((done) => setTimeout(done, 5));
    underWay -= 1;
    return readAt(0);
  };
  await Promise.all(Array.from({ length: 8 }, () => share("0x01", isGoodFrom(1), read)));
  expect([reads, most]).toEqual([8, 6]);
});
