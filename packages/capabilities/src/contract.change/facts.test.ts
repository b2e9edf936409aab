import { valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import { fingerprintBytecode } from "../shared/code/fingerprintBytecode.js";
import { noDelegation } from "../shared/proxies/delegationReading.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { ADDRESS, codeReading, PLAIN_CODE, silence, word } from "../shared/proxies/testing/sampleReadings.js";
import { listContractChangeFacts } from "./facts.js";
import type { ContractChangeReadings } from "./readings.js";

test("code and slots that were read are facts; calls, the beacon's word and the earlier record are not", () => {
  const slots: ContractChangeReadings["slots"] = {
    eip1967Implementation: valueReading(word(1n)),
    eip1967Admin: silence,
    eip1967Beacon: silence,
    eip1822Implementation: silence,
    zeppelinosImplementation: silence,
    zeppelinosAdmin: silence,
    diamondFacets: silence,
    safeSingleton: silence,
    openZeppelinPausable: valueReading(word(0n)),
  };
  const readings: ContractChangeReadings = {
    block: { number: 1, hash: word(7n), timestamp: 1 },
    code: codeReading(PLAIN_CODE),
    slots,
    paused: valueReading(word(0n)),
    masterCopy: silence,
    beaconImplementation: valueReading(word(2n)),
    program: null,
    delegation: noDelegation,
    inner: null,
    facets: silence,
    previous: null,
    baseline: null,
  };
  const words = [
    { slot: knownSlots.eip1967Implementation, value: word(1n) },
    { slot: knownSlots.openZeppelinPausable, value: word(0n) },
  ];
  const list = (code: ContractChangeReadings["code"]) =>
    listContractChangeFacts({ address: ADDRESS }, { ...readings, code });
  expect(list(readings.code)).toEqual([
    { address: ADDRESS, codeHash: fingerprintBytecode(PLAIN_CODE).codeHash, slots: words },
  ]);
  expect(list(codeReading("0x"))).toEqual([{ address: ADDRESS, codeHash: null, slots: words }]);
  expect(list(silence)).toEqual([{ address: ADDRESS, slots: words }]);
});
