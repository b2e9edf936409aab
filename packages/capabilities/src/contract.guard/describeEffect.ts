import type { Hex } from "@assay/protocol";
import type { ProxyFindings } from "../shared/proxies/judgeProxy.js";
import type { ContractGuardReadings } from "./readings.js";
import { type ContractGuardCode, replaceableCodes } from "./reasons.js";

/** One sentence that is enough: what stands at the address, and whether it can become something else. */
export function describeEffect(
  readings: ContractGuardReadings,
  proxy: ProxyFindings | null,
  codes: readonly ContractGuardCode[],
): string {
  const has = (...wanted: readonly ContractGuardCode[]): boolean =>
    wanted.some((code) => codes.includes(code));
  if (has("NO_CODE")) return "No contract: nothing at this address runs.";
  if (has("CODE_UNREAD")) return "Unknown: the code was not read.";
  if (has("PARTY_CODE_CHANGED")) return `Not what ${nameParty(readings)} published: the code is different.`;
  if (has("DELEGATE_SWEEPS")) return "An account whose delegate passes on whatever it holds.";
  if (has("TAKES_APPROVED_TOKENS"))
    return "Takes tokens that others approved and sends them to a fixed account.";
  if (has("TAKES_ETHER_FOR_NOTHING")) return "Takes ether and gives nothing for it.";
  const subject = describeSubject(readings, proxy, codes);
  if (has("PARTY_IS_NO_PROXY")) return `Not what ${nameParty(readings)} published: a proxy is expected here.`;
  if (has("PARTY_MATCHES")) return `${subject}; its code matches the published one.`;
  if (has("KNOWN_ACCOUNT")) return `${subject}; only its owners can replace its code.`;
  const isUpgradeable = codes.some((code) => replaceableCodes.has(code)) && !has("DELEGATED_ACCOUNT");
  if (isUpgradeable && has("PARTY_LISTED"))
    return `${subject}; what it runs is not known to be published, and can be replaced${describeAdmin(proxy)}.`;
  if (isUpgradeable) return `${subject}; its code can be replaced${describeAdmin(proxy)}.`;
  return has("PARTY_LISTED") ? `${subject}, at its published address.` : `${subject}.`;
}

const nameParty = ({ known }: ContractGuardReadings): string => {
  if (known.party === null) return "an unknown party";
  const { name, protocol } = known.party;
  return name.includes(protocol) ? name : `${name} (${protocol})`;
};

function describeSubject(
  readings: ContractGuardReadings,
  proxy: ProxyFindings | null,
  codes: readonly ContractGuardCode[],
): string {
  const { known, code } = readings;
  const account = known.accounts.behind ?? known.accounts.target;
  const form = code.status === "value" ? code.value.form : null;
  if (codes.includes("KNOWN_ACCOUNT") && account)
    return `${form === "eip7702_delegation" ? "Account delegated to" : "Genuine"} ${account.name} ${account.version}`;
  if (form === "native_b20") return "A native token, run by the node";
  const isUpgradeable = codes.some(
    (found) => replaceableCodes.has(found) || found === "UPGRADEABLE_BY_KNOWN",
  );
  if (known.party !== null) return `${isUpgradeable ? "Upgradeable proxy of " : ""}${nameParty(readings)}`;
  if (form === "eip7702_delegation")
    return `Account delegated to ${readShort(proxy?.implementation)}, which is not known`;
  if (proxy === null)
    return isUpgradeable
      ? "Contract whose code can be replaced in parts"
      : "Ordinary contract; its code cannot be replaced";
  if (proxy.kind === "diamond") return "Contract of several parts (diamond)";
  if (!isUpgradeable) return `Fixed clone of ${readShort(proxy.implementation)}; its code cannot be replaced`;
  return `Upgradeable proxy of ${readShort(proxy.implementation)}`;
}

const readShort = (address: Hex | null | undefined): string => address ?? "code that was not found";
const describeAdmin = (proxy: ProxyFindings | null): string => (proxy?.admin ? ` by ${proxy.admin}` : "");
