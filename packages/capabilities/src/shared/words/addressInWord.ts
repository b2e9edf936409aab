import { type Hex, type Reading, unanswered, valueReading } from "@assay/protocol";

/** The low 20 bytes of a 32-byte word, as the EVM takes an address from it. */
export function addressInWord(word: Hex): Hex {
  return `0x${word.slice(-40)}`;
}

export function isZeroWord(word: Hex): boolean {
  return /^0x0*$/.test(word);
}

/** True when nothing but an address is in the word. */
export function isAddressWord(word: Hex): boolean {
  return /^0x0{24}[0-9a-f]{40}$/.test(word);
}

/** The first word of an answer, if it is an address and nothing else. */
export function decodeAddress(answer: Reading<Hex>): Reading<Hex> {
  if (answer.status !== "value") return answer;
  const word = answer.value.slice(0, 66).toLowerCase() as Hex;
  return isAddressWord(word) ? valueReading(addressInWord(word)) : unanswered("malformed_answer");
}
