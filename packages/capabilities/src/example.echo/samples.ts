import type { Sample } from "../localChain.js";

export function listSamples(): Sample[] {
  return [
    { name: "A greeting", input: { text: "Hello, Base" } },
    { name: "A greeting beyond ASCII", input: { text: "Grüß dich" } },
  ];
}
