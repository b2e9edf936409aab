import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { fetchChallenge } from "../test/payer.js";
import type { CampaignWorld } from "./campaignWorld.js";
import { attempt, createPayer, prepareCall, type Sight, SNAPSHOT_PATH } from "./paidCalls.js";
import { createVoucherPayer } from "./voucherPayers.js";

const PAYERS = 2;

/** What a day's callers do, one after another for each of them: several questions, paid both ways, and prices asked for. */
export function listLoads(
  { devnet }: CampaignWorld,
  urlOf: () => string,
  onSight: (sight: Sight) => void,
): (() => Promise<void>)[] {
  const { plainToken, bytes32Token, upgradeableProxy, weth } = devnet.contracts;
  const about = (capability: string, address: string | undefined) =>
    `/api/v1/capabilities/${capability}/invoke?address=${address}`;
  const paths = [
    about("contract.guard", upgradeableProxy),
    about("contract.guard", plainToken),
    about("contract.interface", plainToken),
    about("token.metadata", bytes32Token),
    about("token.metadata", weth),
    SNAPSHOT_PATH,
  ];
  const choices = createSeededChoices(1);
  const pause = () => new Promise<void>((resume) => setTimeout(resume, 150));
  const byTransfer = devnet.accounts.slice(0, PAYERS).map(({ privateKey }) => async () => {
    const url = urlOf();
    onSight(await attempt(url, await prepareCall(url, createPayer(privateKey), choices.pick(paths))));
    await pause();
  });
  const byVoucher = devnet.accounts.slice(PAYERS, 2 * PAYERS).map(({ privateKey }) => {
    const payer = createVoucherPayer(devnet, privateKey, choices, () => 50);
    return async () => {
      const [url, path] = [urlOf(), choices.pick(paths)];
      const call = await payer.sign(path, await fetchChallenge(url + path));
      const sight = await attempt(url, call);
      onSight(sight);
      await payer.learn(call, sight);
      await pause();
    };
  });
  return [...byTransfer, ...byVoucher];
}
