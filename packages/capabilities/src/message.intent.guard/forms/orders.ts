import type { Hex } from "@assay/protocol";
import { type Meaning, mean, type Trade, type TradeItem } from "../meaning.js";
import type { TypedStruct } from "../typedDocument.js";
import {
  address,
  encodeCall,
  type Forms,
  max,
  min,
  NATIVE_MARK,
  runAsOwner,
  struct,
  structs,
  text,
  ZERO,
} from "./form.js";
import { fungible } from "./tradeItems.js";

const orZero = (receiver: unknown, maker: Hex): Hex =>
  address(receiver) === ZERO ? maker : address(receiver);
const named = (value: unknown): Hex[] => (address(value) === ZERO ? [] : [address(value)]);

/** Orders of exchanges: what is given, what must come, and who receives it. */
export const orderForms: Forms = {
  "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)":
    ({ signer, message }) =>
      mean({
        form: "cow.order",
        title: "a CoW order",
        owner: signer,
        venue: "cow",
        until: text(message.validTo),
        canEnd: true,
        notes: text(message.buyTokenBalance) === "erc20" ? [] : [{ code: "PROCEEDS_INSIDE_VAULT" }],
        trades: [
          {
            maker: signer,
            gives: [
              fungible(
                address(message.sellToken),
                (BigInt(text(message.sellAmount)) + BigInt(text(message.feeAmount))).toString(),
                null,
                null,
              ),
            ],
            gets: [
              fungible(
                address(message.buyToken),
                text(message.buyAmount),
                orZero(message.receiver, signer),
                NATIVE_MARK,
              ),
            ],
          },
        ],
      }),
  "Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)":
    ({ message }) => {
      // Bits 80 to 119 of the traits hold the end, zero where there is none. Bit 249 says that an extension belongs to the order.
      const traits = BigInt(text(message.makerTraits));
      const end = (traits >> 80n) & 0xff_ffff_ffffn;
      const read = readMaking("1inch.order.v4", "a 1inch limit order (v4)", message, end.toString());
      // An extension may change both amounts, and only its hash is signed.
      return (traits >> 249n) & 1n ? { ...read, notes: [{ code: "ORDER_CALLS_OUT" }] } : read;
    },
  "Order(uint256 salt,address makerAsset,address takerAsset,address maker,address receiver,address allowedSender,uint256 makingAmount,uint256 takingAmount,uint256 offsets,bytes interactions)":
    ({ message }) => readMaking("1inch.order.v3", "a 1inch limit order (v3)", message, "0"),
  "LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)":
    ({ message }) => readZeroEx("0x.limit", "a 0x limit order", message, text(message.expiry)),
  "RfqOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)":
    ({ message }) => readZeroEx("0x.rfq", "a 0x RFQ order", message, text(message.expiry)),
  "OtcOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,address maker,address taker,address txOrigin,uint256 expiryAndNonce)":
    ({ message }) =>
      readZeroEx(
        "0x.otc",
        "a 0x OTC order",
        message,
        (BigInt(text(message.expiryAndNonce)) >> 192n).toString(),
      ),
  "ERC721Order(uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties)Fee(address recipient,uint256 amount,bytes feeData)Property(address propertyValidator,bytes propertyData)":
    ({ message }) => readItemOrder("0x.erc721", message),
  "ERC1155Order(uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address erc1155Token,uint256 erc1155TokenId,Property[] erc1155TokenProperties,uint128 erc1155TokenAmount)Fee(address recipient,uint256 amount,bytes feeData)Property(address propertyValidator,bytes propertyData)":
    ({ message }) => readItemOrder("0x.erc1155", message),
  "MetaTransactionData(address signer,address sender,uint256 minGasPrice,uint256 maxGasPrice,uint256 expirationTimeSeconds,uint256 salt,bytes callData,uint256 value,address feeToken,uint256 feeAmount)":
    ({ verifier, message }) => {
      const owner = address(message.signer);
      if (verifier === null) return undefined;
      return mean({
        form: "0x.metaTransaction",
        title: "a call of the 0x exchange in the signer's name",
        owner,
        venue: "zeroEx",
        until: text(message.expirationTimeSeconds),
        canEnd: true,
        run: runAsOwner(owner, [
          { to: verifier, data: address(message.callData), value: text(message.value) },
        ]),
        notes: text(message.feeAmount) === "0" ? [] : [{ code: "FEE_TO_RELAYER" }],
      });
    },
};

function readMaking(form: string, title: string, message: TypedStruct, until: string): Meaning {
  const maker = address(message.maker);
  return mean({
    form,
    title,
    owner: maker,
    venue: "oneInch",
    until: until === "0" ? null : until,
    canEnd: true,
    trades: [
      {
        maker,
        gives: [fungible(address(message.makerAsset), text(message.makingAmount), null, null)],
        gets: [
          fungible(
            address(message.takerAsset),
            text(message.takingAmount),
            orZero(message.receiver, maker),
            null,
          ),
        ],
      },
    ],
    // Calls that come with the order run when it is filled.
    notes:
      message.interactions !== undefined && text(message.interactions) !== "0x"
        ? [{ code: "ORDER_CALLS_OUT" }]
        : [],
  });
}

function readZeroEx(form: string, title: string, message: TypedStruct, until: string): Meaning {
  const maker = address(message.maker);
  return mean({
    form,
    title,
    owner: maker,
    venue: "zeroEx",
    until,
    canEnd: true,
    trades: [
      {
        maker,
        gives: [fungible(address(message.makerToken), text(message.makerAmount), null, null)],
        // Of a token without code the exchange takes nothing from the taker, and does not notice.
        gets: [fungible(address(message.takerToken), text(message.takerAmount), maker, null)],
      },
    ],
    parties: named(message.taker),
  });
}

function readItemOrder(form: "0x.erc721" | "0x.erc1155", message: TypedStruct): Meaning | undefined {
  const maker = address(message.maker);
  const direction = text(message.direction);
  // The exchange knows a sale (0) and a purchase (1).
  if (direction !== "0" && direction !== "1") return undefined;
  const isErc721 = form === "0x.erc721";
  const properties = structs(isErc721 ? message.erc721TokenProperties : message.erc1155TokenProperties);
  const item = (to: Hex | null): TradeItem => ({
    kind: isErc721 ? "erc721" : "erc1155",
    token: address(isErc721 ? message.erc721Token : message.erc1155Token),
    // With a property, its validator decides which item is taken, and not the one that is named.
    id: properties.length > 0 ? null : text(isErc721 ? message.erc721TokenId : message.erc1155TokenId),
    amount: isErc721 ? "1" : text(message.erc1155TokenAmount),
    to,
  });
  const price = text(message.erc20TokenAmount);
  const fees = structs(message.fees).map(({ recipient, amount }) =>
    fungible(address(message.erc20Token), text(amount), address(recipient), NATIVE_MARK),
  );
  const sum = fees.reduce((total, { amount }) => total + BigInt(amount), BigInt(price)).toString();
  const trade: Trade =
    direction === "0"
      ? {
          maker,
          gives: [item(null)],
          gets: [fungible(address(message.erc20Token), price, maker, NATIVE_MARK), ...fees],
        }
      : { maker, gives: [fungible(address(message.erc20Token), sum, null, null)], gets: [item(maker)] };
  return mean({
    form,
    title: "a 0x order for an item",
    owner: maker,
    venue: "zeroEx",
    until: text(message.expiry),
    canEnd: true,
    trades: [trade],
  });
}

const SEAPORT_ITEMS =
  "ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)";
const SEAPORT_ORDER =
  "OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)";
const itemKinds = ["native", "erc20", "erc721", "erc1155", "erc721", "erc1155"] as const;

function readSeaportItem(item: TypedStruct, pick: typeof max, to: Hex | null): TradeItem {
  const type = Number(item.itemType);
  const kind = itemKinds[type] ?? "erc20";
  return {
    kind,
    token: kind === "native" ? null : address(item.token),
    id: kind === "native" || kind === "erc20" || type > 3 ? null : text(item.identifierOrCriteria),
    amount: pick(text(item.startAmount), text(item.endAmount)),
    to,
  };
}

const readSeaportTrade = (order: TypedStruct): Trade => ({
  maker: address(order.offerer),
  gives: structs(order.offer).map((item) => readSeaportItem(item, max, null)),
  gets: structs(order.consideration).map((item) => readSeaportItem(item, min, address(item.recipient))),
});

function meanSeaport(
  verifier: Hex | null,
  orders: readonly TypedStruct[],
  title: string,
): Meaning | undefined {
  const [first] = orders;
  if (first === undefined || verifier === null) return undefined;
  const owner = address(first.offerer);
  return mean({
    form: orders.length > 1 ? "seaport.bulkOrder" : "seaport.order",
    title,
    owner,
    venue: "seaport",
    from: text(first.startTime),
    until: orders.map(({ endTime }) => text(endTime)).reduce(max),
    canEnd: true,
    nonce: {
      target: verifier,
      data: encodeCall("getCounter(address offerer)", [owner]),
      kind: "counter",
      expected: text(first.counter),
    },
    trades: orders.map(readSeaportTrade),
  });
}

export const seaportForms: Forms = {
  [`${SEAPORT_ORDER}${SEAPORT_ITEMS}`]: ({ verifier, message }) =>
    meanSeaport(verifier, [message], "a Seaport order"),
};

const MAX_ORDERS = 64;

/** Any number of orders in a tree, signed at once. */
export function readBulkOrder(
  type: string,
  { verifier, message }: { readonly verifier: Hex | null; readonly message: TypedStruct },
): Meaning | undefined {
  const [head = ""] = /^BulkOrder\(OrderComponents(\[2\]){1,24} tree\)/.exec(type) ?? [];
  if (head === "" || type !== `${head}${SEAPORT_ITEMS}${SEAPORT_ORDER}`) return undefined;
  const leaves = flattenTree(message.tree).filter(({ offerer }) => address(offerer) !== ZERO);
  const read = meanSeaport(verifier, leaves.slice(0, MAX_ORDERS), "several Seaport orders");
  if (read === undefined || leaves.length <= MAX_ORDERS) return read;
  return {
    ...read,
    notes: [{ code: "MESSAGE_CUT", limitation: `Only the first ${MAX_ORDERS} orders were judged.` }],
  };
}

const flattenTree = (tree: unknown): TypedStruct[] =>
  Array.isArray(tree) ? tree.flatMap(flattenTree) : [struct(tree)];
