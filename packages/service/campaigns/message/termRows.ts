import type { Hex } from "@assay/protocol";
import { concatHex, parseEther, size, toHex } from "viem";
import { encode } from "../accuracy/accuracyWorld.js";
import { approve, transfer, usd } from "../accuracy/caseTools.js";
import { UNIVERSAL_ROUTER, USDC, WETH } from "../accuracy/setUp.js";
import * as make from "./documents.js";
import type { MessageWorld } from "./messageWorld.js";
import { ENTRY_POINT } from "./operationRows.js";
import * as orders from "./orderDocuments.js";
import { collect, type TableRow } from "./rowTools.js";

const EEE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
/** LI.FI's proxy for Permit2, which makes any call of its bridge whose hash is signed. It is not on the local chain. */
const BRIDGE: Hex = "0x89c6340b1a1f4b25d36cd8b063d49045caf3f818";
const CALIBUR: Hex = "0x000000009b1d0af20d8c6d0a44e162d11f9b8f00";
/** A key's account that runs Calibur. */
const KEYED: Hex = "0x00000000000000000000000000000000a11ce0d1";
/** Writes a word into its own storage, whatever it is called with. */
const WRITER: Hex = "0x00000000000000000000000c0de517100c0de517";
const WRITES: Hex = "0x6001365500";
/** Sells alice's first item for one unit, and her second for twenty dollars. */
const [CHEAP, FAIR]: [Hex, Hex] = [
  "0x00000000000000000000000c0de51711c0de5171",
  "0x00000000000000000000000c0de51712c0de5172",
];

/** Code that makes these calls, one after the other. */
function program(calls: readonly { readonly to: Hex; readonly data: Hex }[]): Hex {
  /** Bytes of one call. */
  const STEP = 44;
  let at = calls.length * STEP + 1;
  const steps = calls.map(({ to, data }) => {
    const [length, from] = [toHex(size(data), { size: 2 }), toHex(at, { size: 2 })];
    at += size(data);
    // CODECOPY(0, from, length), then CALL(gas, to, 0, 0, length, 0, 0) without its answer.
    return concatHex([
      "0x61",
      length,
      "0x61",
      from,
      "0x600039",
      "0x60006000",
      "0x61",
      length,
      "0x60006000",
      "0x73",
      to,
      "0x5af150",
    ]);
  });
  return concatHex([...steps, "0x00", ...calls.map(({ data }) => data)]);
}

/** Contracts that these rows call. */
export async function prepareTerms({ world, alice, thief, collection }: MessageWorld): Promise<void> {
  const { devnet, send } = world;
  const setCode = (address: Hex, code: Hex) => devnet.request("hardhat_setCode", [address, code]);
  await setCode(WRITER, WRITES);
  await setCode(CALIBUR, WRITES);
  await setCode(KEYED, concatHex(["0xef0100", CALIBUR]));
  await devnet.request("hardhat_setBalance", [KEYED, toHex(parseEther("1"))]);
  for (const [address, id, price] of [
    [CHEAP, 1n, 1n],
    [FAIR, 2n, usd(20)],
  ] as const) {
    const sale = [
      { to: collection, data: encode("transferFrom(address f, address t, uint256 i)", [alice, thief, id]) },
      { to: USDC, data: transfer(alice, price) },
    ];
    await setCode(address, program(sale));
    await send({ from: alice, to: collection, data: encode("approve(address s, uint256 i)", [address, id]) });
    await send({ from: alice, to: USDC, data: transfer(address, price) });
  }
}

/** Terms that look like something, and are nothing or something else where they are carried out. */
export function listTermRows(world: MessageWorld): TableRow[] {
  return [
    ...listMarkRows(world),
    ...listWitnessRows(world),
    ...listFeeRows(world),
    ...listPlacedRows(world),
    ...listConsentRows(world),
    ...listKeyRows(),
  ];
}

/** What stands for ether at one exchange is at another an address without code, of which nothing can be had. */
function listMarkRows({ alice, collection }: MessageWorld): TableRow[] {
  const swap = (tokenOut: Hex): orders.Swap => ({
    tokenIn: USDC,
    amountIn: usd(3000),
    tokenOut,
    amountOut: parseEther("1"),
    recipient: alice,
    swapper: alice,
  });
  const sale = (currency: Hex) => {
    const order = orders.zeroExNft(alice, collection, 1n, parseEther("0.1"), alice, 0n);
    return { ...order, message: { ...order.message, erc20Token: currency, fees: [] } };
  };
  return collect(alice, (add) => {
    const nothing = ["block", "ORDER_GIVES_AWAY"] as const;
    for (const mark of [EEE, make.ZERO]) {
      add(...nothing, `a 0x limit order for ${mark}`, { typedData: orders.zeroExLimit(swap(mark)) });
      add(...nothing, `a 0x RFQ order for ${mark}`, { typedData: orders.zeroExRfq(swap(mark)) });
      // The taker may choose a function that transfers tokens in place of ether.
      add(...nothing, `a 0x OTC order for ${mark}`, { typedData: orders.zeroExOtc(swap(mark)) });
    }
    add(...nothing, "a UniswapX order for 0xee", { typedData: orders.priorityOrder(swap(EEE)) });
    add(...nothing, "an item for the zero address at 0x", { typedData: sale(make.ZERO) });
    const fair = ["allow", "BALANCED_RETURN"] as const;
    add(...fair, "a 0x limit order for wrapped ether", { typedData: orders.zeroExLimit(swap(WETH)) });
    add(...fair, "a UniswapX order for ether", { typedData: orders.priorityOrder(swap(make.ZERO)) });
    add("allow", "UNPRICED_SOLD", "an item for ether at 0x", { typedData: sale(EEE) });
    const any = (count: bigint, dollars: number) => {
      const gives = { ...orders.nftItem(collection, 0n), itemType: 4, startAmount: count, endAmount: count };
      return {
        typedData: orders.seaportOrder(alice, [gives], [orders.tokenItem(USDC, usd(dollars), alice)]),
      };
    };
    add("review", "PRICE_LOW", "ten items of a collection for seven dollars", any(10n, 7));
    add("review", "PRICE_UNKNOWN", "any item of a collection", any(1n, 20));
  });
}

/** A form is its whole type, and terms of another type may send what is transferred to anybody. */
function listWitnessRows({ alice, thief, bob }: MessageWorld): TableRow[] {
  const terms = (name: string, type: string, witness: object, spender: Hex) => ({
    typedData: make.witnessed(name, [type], USDC, usd(5), spender, witness as Record<string, unknown>),
  });
  return collect(alice, (add) => {
    const unknown = ["review", "TERMS_UNKNOWN"] as const;
    const bridge = { diamondAddress: thief, diamondCalldataHash: make.nonce32(7) };
    const type = "LiFiCall(address diamondAddress,bytes32 diamondCalldataHash)";
    add(...unknown, "a bridge's terms", terms("LiFiCall", type, bridge, BRIDGE));
    add(...unknown, "a hash for terms", {
      typedData: make.witnessed("bytes32", [], USDC, usd(5), UNIVERSAL_ROUTER, make.nonce32(7)),
    });
    // Names of known terms with other fields, which no contract takes.
    add(
      ...unknown,
      "x402's terms without a time",
      terms("Witness", "Witness(address to)", { to: bob }, make.X402_PROXY),
    );
    add(
      ...unknown,
      "an order of text",
      terms(
        "LimitOrder",
        "LimitOrder(string info,string inputToken)",
        { info: "x", inputToken: "y" },
        make.PRIORITY_REACTOR,
      ),
    );
    add("allow", "PAYS_KNOWN_RECIPIENT", "x402's terms", { typedData: make.x402Permit2(bob, usd(5)) });
    add("allow", "EXACT_APPROVAL", "a transfer without terms", {
      typedData: make.permitTransfer(USDC, usd(5), UNIVERSAL_ROUTER),
    });
  });
}

/** The zero address is no paymaster, and a paymaster may ask the account for what it pays. */
function listFeeRows({ alice, thief }: MessageWorld): TableRow[] {
  const operation = (maxFeePerGas: string, paymaster: Hex | null) => ({
    userOperation: {
      entryPoint: ENTRY_POINT,
      sender: alice,
      nonce: "0",
      callData: encode("execute(address t, uint256 v, bytes d)", [USDC, 0n, transfer(alice, 1n)]),
      callGasLimit: "200000",
      verificationGasLimit: "150000",
      preVerificationGas: "50000",
      maxFeePerGas,
      maxPriorityFeePerGas: maxFeePerGas,
      paymaster,
    },
  });
  return collect(alice, (add) => {
    const excessive = ["block", "FEE_EXCESSIVE"] as const;
    add(...excessive, "two ether of fees and the zero paymaster", operation("5000000000000", make.ZERO));
    add(...excessive, "two ether of fees and a paymaster", operation("5000000000000", thief));
    add("review", "PAYMASTER_PAYS", "a usual fee and a paymaster", operation("1000000", thief));
  });
}

const ITEM =
  "(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount)[] offer";
const ASKED =
  "(uint8 itemType, address token, uint256 identifierOrCriteria, uint256 startAmount, uint256 endAmount, address recipient)[] consideration";
const ORDER = `(address offerer, address zone, ${ITEM}, ${ASKED}, uint8 orderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 conduitKey, uint256 totalOriginalConsiderationItems)`;
const LISTING =
  "(address assetContract, uint256 tokenId, uint256 quantity, address currency, uint256 pricePerToken, uint128 startTimestamp, uint128 endTimestamp, bool reserved)";

/** A call that leaves an order with the market, for which no signature is needed. */
export function placeOrder(offerer: Hex, gives: orders.SeaportItem, gets: orders.SeaportItem) {
  const parameters = {
    offerer,
    zone: make.ZERO,
    offer: [gives],
    consideration: [gets],
    orderType: 0,
    startTime: 0n,
    endTime: make.soon(),
    zoneHash: make.ZERO_32,
    salt: 1n,
    conduitKey: make.ZERO_32,
    totalOriginalConsiderationItems: 1n,
  };
  const data = encode(`validate((${ORDER} parameters, bytes signature)[] orders)`, [
    [{ parameters, signature: "0x" }],
  ]);
  return { calls: [{ to: make.SEAPORT, data }] };
}

/** Orders that a call leaves with a market need no signature, and offers that are accepted are sales. */
function listPlacedRows({ alice, collection }: MessageWorld): TableRow[] {
  const validate = (gives: orders.SeaportItem, gets: orders.SeaportItem) => placeOrder(alice, gives, gets);
  const list = (currency: Hex, price: bigint) => ({
    calls: [
      {
        to: WRITER,
        data: encode(`createListing(${LISTING} p)`, [
          {
            assetContract: collection,
            tokenId: 1n,
            quantity: 1n,
            currency,
            pricePerToken: price,
            startTimestamp: 0n,
            endTimestamp: make.soon(),
            reserved: false,
          },
        ]),
      },
    ],
  });
  const dollars = (amount: number) => orders.tokenItem(USDC, usd(amount));
  const asked = (amount: number) => orders.tokenItem(USDC, usd(amount), alice);
  const item = orders.nftItem(collection, 1n);
  return collect(alice, (add) => {
    const away = ["block", "ORDER_GIVES_AWAY"] as const;
    add("block", "VALUE_LOST", "a placed order of all for little", validate(dollars(900_000), asked(0.002)));
    add(...away, "a placed order of an item for little", validate(item, asked(0.002)));
    add("review", "VALUE_REDUCED", "a placed order of an item for two dollars", validate(item, asked(2)));
    add("allow", "NO_LOSS_MEASURED", "a placed order of an item for its price", validate(item, asked(20)));
    add(
      "allow",
      "NO_LOSS_MEASURED",
      "a placed order of dollars for ether",
      validate(dollars(3000), orders.etherItem(parseEther("1"), alice)),
    );
    add(...away, "a listing for one unit", list(USDC, 1n));
    add("allow", "NO_LOSS_MEASURED", "a listing for ether", list(EEE, parseEther("0.1")));
    const accept = (to: Hex) => ({ calls: [{ to, data: encode("accept()") }] });
    add(...away, "an offer of one unit for an item", accept(CHEAP));
    add("allow", "UNPRICED_SOLD", "an offer of twenty dollars for an item", accept(FAIR));
  });
}

/** Consent to a hash, names that lead elsewhere, owners who leave, and calls that stay closed. */
function listConsentRows({ alice, bob, thief }: MessageWorld): TableRow[] {
  const node = make.nonce32(7);
  return collect(alice, (add) => {
    const call = (verdict: TableRow["verdict"], code: string, name: string, data: Hex, to: Hex = WRITER) =>
      add(verdict, code, name, { calls: [{ to, data }] });
    const order = concatHex([node, alice, "0xffffffff"]);
    const preSign = (isSigned: boolean) => encode("setPreSignature(bytes u, bool s)", [order, isSigned]);
    call("review", "HASH_APPROVED", "an order signed in advance", preSign(true));
    call("allow", "NO_LOSS_MEASURED", "such an order withdrawn", preSign(false));
    call("review", "HASH_APPROVED", "a message signed by a call", encode("signMessage(bytes d)", [node]));
    const lead = (to: Hex) => encode("setAddr(bytes32 n, address a)", [node, to]);
    call("review", "CONTROL_CALL", "a name that leads to another", lead(thief));
    call("allow", "NO_LOSS_MEASURED", "a name that leads to oneself", lead(alice));
    const remove = (owner: Hex, threshold: bigint) =>
      encode("removeOwner(address p, address o, uint256 t)", [bob, owner, threshold]);
    call("review", "CONTROL_CALL", "an owner who removes himself", remove(alice, 2n));
    call("review", "CONTROL_CALL", "an owner less, and one signature enough", remove(thief, 1n));
    call("allow", "CONTROL_REDUCED", "an owner less", remove(thief, 2n));
    const stream = (receiver: Hex) =>
      encode("callAgreement(address c, bytes d, bytes u)", [
        USDC,
        encode("createFlow(address t, address r, int96 f, bytes c)", [USDC, receiver, 1000n, "0x"]),
        "0x",
      ]);
    call("review", "STRANGER_NAMED", "a stream to a stranger", stream(thief));
    call("allow", "NO_LOSS_MEASURED", "a stream to oneself", stream(alice));
    call("allow", "EXACT_APPROVAL", "an approval for a router", approve(UNIVERSAL_ROUTER, usd(5)), USDC);
  });
}

/** Keys that command an account need not have an address. */
function listKeyRows(): TableRow[] {
  return collect(KEYED, (add) => {
    const key = { keyType: 1, publicKey: concatHex([make.nonce32(8), make.nonce32(9)]) };
    const data = encode("register((uint8 keyType, bytes publicKey) k)", [key]);
    add("review", "UNKNOWN_FUNCTION_AT_PARTY", "a passkey for an account", { calls: [{ to: KEYED, data }] });
    // The same function where it concerns no account.
    add("allow", "UNKNOWN_FUNCTION", "a passkey elsewhere", { calls: [{ to: WRITER, data }] });
  });
}
