import { createClient } from "@assay/client";
import type { CapabilityResult, Receipt } from "@assay/protocol";
import type { Locator, Page } from "playwright-core";
import { service } from "./service.js";

export interface Saved {
  answer: CapabilityResult;
  receipt: Receipt;
}

/** An answer and its receipt, as a visitor saves them. */
export async function buySaved(contract: string): Promise<Saved> {
  const client = createClient({ baseUrl: service.url, account: service.wallet("alice") });
  const { answer } = await client.call("contract.guard", { address: service.contract(contract) });
  return { answer, receipt: await client.receipt(answer.invocationId) };
}

/** Differs from it in one digit, and not in length. */
export function makeSimilar(saved: Saved): Saved {
  const block = String(saved.answer.result.computedAtBlock);
  const similar = structuredClone(saved);
  similar.answer.result.computedAtBlock = Number(
    block.replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
  );
  if (JSON.stringify(similar).length !== JSON.stringify(saved).length) throw new Error("it is not similar");
  return similar;
}

/** Drops a file where a visitor would. */
export async function drop(page: Page, value: unknown): Promise<void> {
  const transfer = await page.evaluateHandle((text) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], "answer.json", { type: "application/json" }));
    return carried;
  }, JSON.stringify(value));
  await page.dispatchEvent(".drop", "drop", { dataTransfer: transfer });
}

export async function outcomeOf(within: Page | Locator): Promise<string> {
  const outcome = within.locator(".check-outcome strong");
  await outcome.waitFor();
  return outcome.innerText();
}

/** Each step that is shown, with its state. */
export const statesOf = (within: Page | Locator): Promise<Record<string, string>> =>
  within
    .locator("[data-step]")
    .evaluateAll((steps) =>
      Object.fromEntries(
        steps.map((step) => [step.getAttribute("data-step"), step.getAttribute("data-state")]),
      ),
    );
