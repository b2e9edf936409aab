import { type Address, type Hex, keccak256, stringToHex } from "viem";

/** An account whose private key anyone can derive: it holds play money on a chain in memory. */
export interface DevnetAccount {
  name: string;
  address: Address;
  privateKey: Hex;
}

// Addresses are constants because deriving one takes five milliseconds of start-up; a test derives them all.
const addresses = {
  alice: "0x73B54E0e58fe9f54E9Ac5CB8147e06C87Db655F1",
  bob: "0xb622A4174d13da40f3FE6AbaF39e5703EaF40403",
  carol: "0x5f9ea0d8E4C60865E67281E60a290de3b396A16e",
  dave: "0x64A0932b656F489efC9eA1E56411815fd37aec6e",
  erin: "0x0Bc69e56F9Bb5E65a5Aa86926DE5093ACF67B722",
  frank: "0x288d56a62de3f7fDB43Ba99E464b1F10c59D4004",
  grace: "0x76a318BA0C81c6a64335ad51E7aC44CdF093bBbD",
  heidi: "0x7e0BCb5a471F14a7e8C23de63EF1dCAD857fCF10",
  ivan: "0x2B31Dd371BC9F237b0e5CA09C281808E88e110B5",
  judy: "0x03E5dcD78693F9f894Dba0EcAc9546b250054467",
  deployer: "0x3757698F6b7944E0af0dd6b1fCB94159d41289b3",
  settler: "0x60136Ee4201B60B40C21c1B05BdBeDFE0Ac91A5F",
  payTo: "0x7cFD3008066278D336c5432F5A7b5E87DFFC9aCD",
} satisfies Record<string, Address>;

function describeAccount(name: keyof typeof addresses): DevnetAccount {
  return { name, address: addresses[name], privateKey: keccak256(stringToHex(`devnet account ${name}`)) };
}

/** All accounts of the devnet: ten users, the deployer and owner of the contracts, the settler, and the payee. */
export const devnetAccounts = {
  users: (["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy"] as const).map(
    describeAccount,
  ),
  alice: describeAccount("alice"),
  deployer: describeAccount("deployer"),
  settler: describeAccount("settler"),
  payTo: describeAccount("payTo"),
};
