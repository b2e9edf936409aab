import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Hex } from "@assay/protocol";
import { keccak256, serializeErc6492Signature, toHex, zeroAddress } from "viem";
import type { SettlementFixture, SignedPayment, SignOptions } from "./settlementFixture.js";

/** A payment to be judged, and what was done to it. */
export interface HostilePayload extends SignedPayment {
  readonly kind: string;
}

type Maker = (world: SettlementFixture, choose: SeededChoices) => Promise<SignedPayment> | SignedPayment;
type Change = (signed: SignedPayment, choose: SeededChoices, world: SettlementFixture) => void;

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const OTHER: Hex = "0x1111111111111111111111111111111111111111";
const nowSeconds = () => BigInt(Math.floor(Date.now() / 1000));

/** Accounts set up once per world: one without money, and two with code in the place of none. */
export const specialKeys = {
  pauper: keccak256(toHex("pauper")),
  delegatedToWallet: keccak256(toHex("delegated to a wallet that knows another owner")),
  delegatedToNothing: keccak256(toHex("delegated to code without ERC-1271")),
} as const;

const authorizationOf = ({ payment }: SignedPayment) =>
  payment.payload.authorization as Record<string, string>;
const signatureOf = ({ payment }: SignedPayment) => payment.payload.signature as Hex;
function setSignature(signed: SignedPayment, signature: string): void {
  (signed.payment.payload as { signature: string }).signature = signature;
}

function sign(world: SettlementFixture, choose: SeededChoices, options: SignOptions = {}): SignedPayment {
  const names = ["alice", "bob", "carol", "dave", "erin", "frank"];
  return world.sign({
    key: world.keyOf(choose.pick(names)),
    nonce: choose.hex(32),
    value: BigInt(choose.integer(1, 100_000)),
    ...options,
  });
}

const signForWallet = (world: SettlementFixture, choose: SeededChoices, options: SignOptions = {}) =>
  sign(world, choose, { key: world.keyOf("alice"), from: world.devnet.contracts.wallet1271, ...options });

/** The same change to a plain account's payment, or to a contract wallet's. */
const tampered =
  (change: Change): Maker =>
  (world, choose) => {
    const signed = choose.chance(0.3) ? signForWallet(world, choose) : sign(world, choose);
    change(signed, choose, world);
    return signed;
  };

const flipBit = (hex: string, choose: SeededChoices, fromByte: number, toByte: number): string => {
  const bytes = Buffer.from(hex.slice(2), "hex");
  const at = choose.integer(fromByte, toByte);
  bytes[at] = (bytes[at] as number) ^ (1 << choose.integer(0, 7));
  return `0x${bytes.toString("hex")}`;
};
const withLastByte = (signature: string, v: number) =>
  `${signature.slice(0, -2)}${v.toString(16).padStart(2, "0")}`;
const setExtra = (signed: SignedPayment, extra: Record<string, string>) =>
  Object.assign(signed.requirements.extra, extra);

export const hostileKinds: Record<string, Maker> = {
  "valid, plain account": sign,
  "valid, contract wallet": signForWallet,
  "valid, lowercase addresses": (world, choose) => {
    const signed = sign(world, choose);
    const authorization = authorizationOf(signed);
    authorization.from = String(authorization.from).toLowerCase();
    authorization.to = String(authorization.to).toLowerCase();
    return signed;
  },
  "from with a wrong checksum": tampered((signed) => {
    const authorization = authorizationOf(signed);
    authorization.from = String(authorization.from).replace(/[a-fA-F](?=[^a-fA-F]*$)/, (digit) =>
      digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
    );
  }),
  "another from": tampered((signed, choose, world) => {
    authorizationOf(signed).from = choose.pick([OTHER, world.devnet.payTo, world.devnet.settler.address]);
  }),
  "another to": tampered((signed, choose) => {
    authorizationOf(signed).to = choose.pick([OTHER, zeroAddress]);
  }),
  "another to, required so": tampered((signed) => {
    authorizationOf(signed).to = OTHER;
    (signed.requirements as { payTo: string }).payTo = OTHER;
  }),
  "another value": tampered((signed) => {
    const authorization = authorizationOf(signed);
    authorization.value = String(BigInt(authorization.value as string) + 1n);
  }),
  "another value, required so": tampered((signed) => {
    const authorization = authorizationOf(signed);
    authorization.value = String(BigInt(authorization.value as string) + 1n);
    (signed.requirements as { amount: string }).amount = authorization.value;
  }),
  "another validAfter": tampered((signed) => {
    authorizationOf(signed).validAfter = "0";
  }),
  "another validBefore": tampered((signed) => {
    const authorization = authorizationOf(signed);
    authorization.validBefore = String(BigInt(authorization.validBefore as string) + 1n);
  }),
  "another nonce": tampered((signed, choose) => {
    authorizationOf(signed).nonce = choose.hex(32);
  }),
  "a bit of r or s flipped": tampered((signed, choose) =>
    setSignature(signed, flipBit(signatureOf(signed), choose, 0, 63)),
  ),
  "a truncated signature": tampered((signed, choose) =>
    setSignature(signed, signatureOf(signed).slice(0, 2 + 2 * choose.integer(1, 64))),
  ),
  "an extended signature": tampered((signed, choose) =>
    setSignature(signed, signatureOf(signed) + choose.hex(choose.integer(1, 40)).slice(2)),
  ),
  "a compact signature (EIP-2098)": tampered((signed) => {
    const signature = signatureOf(signed);
    const parity = BigInt(Number.parseInt(signature.slice(-2), 16) - 27);
    const s = BigInt(`0x${signature.slice(66, 130)}`) | (parity << 255n);
    setSignature(signed, signature.slice(0, 66) + s.toString(16).padStart(64, "0"));
  }),
  "v of 0 or 1": tampered((signed) => {
    const signature = signatureOf(signed);
    setSignature(signed, withLastByte(signature, Number.parseInt(signature.slice(-2), 16) - 27));
  }),
  "the other v": tampered((signed) => {
    const signature = signatureOf(signed);
    setSignature(signed, withLastByte(signature, signature.endsWith("1b") ? 28 : 27));
  }),
  "v of 29 and others": tampered((signed, choose) =>
    setSignature(signed, withLastByte(signatureOf(signed), choose.pick([2, 26, 29, 31, 32, 255]))),
  ),
  "the high-s twin": tampered((signed) => {
    const signature = signatureOf(signed);
    const s = CURVE_ORDER - BigInt(`0x${signature.slice(66, 130)}`);
    const v = signature.endsWith("1b") ? 28 : 27;
    setSignature(signed, withLastByte(`${signature.slice(0, 66)}${s.toString(16).padStart(64, "0")}00`, v));
  }),
  "a signature of zeros": tampered((signed) => setSignature(signed, `0x${"00".repeat(65)}`)),
  "signed under another name": (world, choose) => sign(world, choose, { domain: { name: "USDC" } }),
  "signed under another name, required so": (world, choose) => {
    const signed = sign(world, choose, { domain: { name: "USDC" } });
    setExtra(signed, { name: "USDC" });
    return signed;
  },
  "another name required than signed": tampered((signed) => setExtra(signed, { name: "USDC" })),
  "another version required than signed": tampered((signed) => setExtra(signed, { version: "1" })),
  "no name": tampered((signed) => setExtra(signed, { name: "" })),
  "no version": tampered((signed) => setExtra(signed, { version: "" })),
  "signed for another chain": (world, choose) => sign(world, choose, { domain: { chainId: 84_532 } }),
  "another network accepted": tampered((signed) => {
    (signed.payment.accepted as { network: string }).network = "eip155:84532";
  }),
  "another network required and accepted": (world, choose) => {
    const signed = sign(world, choose, { domain: { chainId: 84_532 } });
    (signed.payment.accepted as { network: string }).network = "eip155:84532";
    (signed.requirements as { network: string }).network = "eip155:84532";
    return signed;
  },
  "another scheme": tampered((signed, choose) => {
    const target = choose.pick([signed.payment.accepted, signed.requirements]);
    (target as { scheme: string }).scheme = "upto";
  }),
  "an asset without EIP-3009": (world, choose) => {
    const { plainToken, multicall3 } = world.devnet.contracts;
    const asset = choose.pick([plainToken, multicall3]);
    const signed = sign(world, choose, { domain: { verifyingContract: asset } });
    (signed.requirements as { asset: string }).asset = asset;
    return signed;
  },
  "an asset that is no contract": (world, choose) => {
    const signed = sign(world, choose, { domain: { verifyingContract: OTHER } });
    (signed.requirements as { asset: string }).asset = OTHER;
    return signed;
  },
  "an asset that takes every call": (world, choose) => {
    const { weth } = world.devnet.contracts;
    const signed = sign(world, choose, { domain: { verifyingContract: weth } });
    (signed.requirements as { asset: string }).asset = weth;
    return signed;
  },
  "another payTo required": tampered((signed) => {
    (signed.requirements as { payTo: string }).payTo = OTHER;
  }),
  "another amount required": tampered((signed, choose) => {
    const amount = BigInt(signed.requirements.amount) + (choose.chance(0.5) ? 1n : -1n);
    (signed.requirements as { amount: string }).amount = String(amount);
  }),
  "a used nonce": async (world, choose) => {
    const signed = choose.chance(0.3) ? signForWallet(world, choose) : sign(world, choose);
    await world.send(world.keyOf("judy"), world.devnet.stablecoin.address, world.toDelivery(signed).call);
    return signed;
  },
  "a cancelled nonce": async (world, choose) => {
    const signed = sign(world, choose);
    await world.cancel(signed);
    return signed;
  },
  "no money": (world, choose) => sign(world, choose, { key: specialKeys.pauper }),
  "more than there is": (world, choose) => sign(world, choose, { value: 10n ** 15n }),
  "valid from later": (world, choose) =>
    sign(world, choose, { validAfter: nowSeconds() + BigInt(choose.integer(2, 600)) }),
  "just expired": (world, choose) =>
    sign(world, choose, { validBefore: nowSeconds() - BigInt(choose.integer(0, 5)) }),
  "about to expire": (world, choose) =>
    sign(world, choose, { validBefore: nowSeconds() + BigInt(choose.integer(1, 4)) }),
  "expiring soon, but not too soon": (world, choose) =>
    sign(world, choose, { validBefore: nowSeconds() + BigInt(choose.integer(9, 15)) }),
  "delegated to a wallet that knows another owner": (world, choose) =>
    sign(world, choose, { key: specialKeys.delegatedToWallet }),
  "delegated, signed by the wallet's owner": (world, choose) => {
    const delegated = sign(world, choose, { key: specialKeys.delegatedToWallet });
    const { from } = delegated.payment.payload.authorization;
    return sign(world, choose, { key: world.keyOf("alice"), from });
  },
  "delegated to code without ERC-1271": (world, choose) =>
    sign(world, choose, { key: specialKeys.delegatedToNothing }),
  "ERC-6492 around a deployed wallet's signature": (world, choose) => wrapped(signForWallet(world, choose)),
  "ERC-6492 around a plain account's signature": (world, choose) => wrapped(sign(world, choose)),
  "ERC-6492 around a forged signature": (world, choose) => {
    const signed = signForWallet(world, choose, { key: world.keyOf("bob") });
    return wrapped(signed);
  },
  "ERC-6492 without a factory": (world, choose) =>
    wrapped(choose.chance(0.5) ? sign(world, choose) : signForWallet(world, choose), zeroAddress),
  "a broken ERC-6492 wrapper": tampered((signed) =>
    setSignature(signed, `${signatureOf(signed).slice(0, 60)}${"6492".repeat(16)}`),
  ),
};

function wrapped(signed: SignedPayment, address: Hex = OTHER): SignedPayment {
  const signature = signatureOf(signed);
  setSignature(signed, serializeErc6492Signature({ address, data: "0x12345678", signature }));
  return signed;
}

/** Gives the special accounts their money and their code. */
export async function prepareWorld(world: SettlementFixture): Promise<void> {
  const { wallet1271, plainToken } = world.devnet.contracts;
  const codes = { delegatedToWallet: wallet1271, delegatedToNothing: plainToken } as const;
  for (const [name, target] of Object.entries(codes)) {
    const address = world.sign({ key: specialKeys[name as keyof typeof codes] }).payment.payload.authorization
      .from;
    await world.transfer(world.keyOf("judy"), address, 1_000_000_000n);
    await world.devnet.request("hardhat_setCode", [address, `0xef0100${target.slice(2)}`]);
  }
}

/** So many payments, every kind as often as every other. */
export async function* makeHostilePayloads(
  world: SettlementFixture,
  choose: SeededChoices,
  count: number,
): AsyncGenerator<HostilePayload> {
  const kinds = Object.entries(hostileKinds);
  for (let made = 0; made < count; made++) {
    const [kind, make] = kinds[made % kinds.length] as [string, Maker];
    yield { kind, ...(await make(world, choose)) };
  }
}
