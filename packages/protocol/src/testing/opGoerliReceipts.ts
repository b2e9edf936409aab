/**
 * The receipts of a block of OP Goerli between the Regolith and Canyon upgrades: the node tells the deposit's nonce, and the
 * root does not hold it. Published as the vector of that rule. Facts of a public chain, without their blooms.
 */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TRANSFER_SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const SYNC = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";
const V2_SWAP = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";
const word = (hex: string) => hex.padStart(64, "0");
const topic = (hex: string) => `0x${word(hex)}`;
const log = (address: string, topics: readonly string[], data: string) => ({
  address: `0x${address}`,
  topics,
  data: `0x${data}`,
});

const crafted = (holder: string) => {
  const items = "ddb6dcce6b794415145eb5caa6cd335aeda9c272";
  const who = topic(holder);
  return [
    log(items, [TRANSFER_SINGLE, who, who, topic("0")], word("2") + word("1")),
    log(items, [TRANSFER_SINGLE, who, topic("0"), who], word("3") + word("1")),
    log(items, ["0x0eb774bb9698a73583fe07b6972cf2dcc08d1d97581a22861f45feb86b395820", who, who], word("3")),
  ];
};

const TRADER = topic("c3feb4ef4c2a5af77add15c95bd98f6b43640cc8");
const ROUTER = topic("29843613c7211d014f5dd5718cf32bcd314914cb");
const FIRST_PAIR = "2992607c1614484fe6d865088e5c048f0650afd4";
const SECOND_PAIR = "8dbffe4c8bf3caf5deae3a99b50cfcf3648cbc09";
const IN = "18de76816d8000";
const BETWEEN = "2d24d8e9ac1aa79e2";
const OUT = "14bc73062aea8093";

const swap = [
  log("4200000000000000000000000000000000000006", [TRANSFER, TRADER, topic(FIRST_PAIR)], word(IN)),
  log(
    "cf8e7e6b26f407dee615fc4db18bf829e7aa8c09",
    [TRANSFER, topic(FIRST_PAIR), topic(SECOND_PAIR)],
    word(BETWEEN),
  ),
  log(FIRST_PAIR, [SYNC], word("9bd50642785c15736") + word("11bb7ac324f724a29bbbf")),
  log(FIRST_PAIR, [V2_SWAP, ROUTER, topic(SECOND_PAIR)], word(IN) + word("0") + word("0") + word(BETWEEN)),
  log("6d0f8d488b669aa9ba2d0f0b7b75a88bf5051cd3", [TRANSFER, topic(SECOND_PAIR), TRADER], word(OUT)),
  log(SECOND_PAIR, [SYNC], word("2f122cfadc1ca82a35") + word("665879dc0609945d6d1")),
  log(SECOND_PAIR, [V2_SWAP, ROUTER, TRADER], word("0") + word(BETWEEN) + word(OUT) + word("0")),
];

const COLLECTION = "ac6564f3718837caadd42eed742d75c12b90a052";
const MINTER = topic("a4fa7f3fbf0677f254ebdb1646146864c305b76e");
const ITEM = topic("11a1d3");
const mint = [
  log(COLLECTION, [TRANSFER, topic("0"), MINTER, ITEM], ""),
  log(
    COLLECTION,
    ["0x9d89e36eadf856db0ad9ffb5a569e07f95634dddd9501141ecf04820484ad0dc", MINTER, ITEM],
    "00000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000037697066733a2f2f516d515141646b33736538396b47716577395256567a316b68643548375562476d4d4a485a62566f386a6d346f4a2f30000000000000000000",
  ),
  log(
    COLLECTION,
    [
      "0x110d160a1bedeea919a88fbc4b2a9fb61b7e664084391b6ca2740db66fef80fe",
      topic("84d47f6eea8f8d87910448325519d1bb45c2972a"),
      MINTER,
      ITEM,
    ],
    "0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000a4fa7f3fbf0677f254ebdb1646146864c305b76e00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001400000000000000000000000000000000000000000000000000000000000000000000000000000000000000000eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007717500762343034303661353035646234633961386163316433306335633332303265370000000000000000000000000000000000000000000000000000000000000037697066733a2f2f516d515141646b33736538396b47716577395256567a316b68643548375562476d4d4a485a62566f386a6d346f4a2f30000000000000000000",
  ),
];

export const opGoerliReceipts = {
  receiptsRoot: "0xe255fed45eae7ede0556fe4fabc77b0d294d18781a5a581cab09127bc4cd9ffb",
  receipts: [
    { type: "0x7e", status: "0x1", cumulativeGasUsed: "0xb741", logs: [], depositNonce: "0x3d3bbf" },
    {
      type: "0x2",
      status: "0x1",
      cumulativeGasUsed: "0x1cd43",
      logs: crafted("c498902843af527e674846bb7edefa8ad62b8fb9"),
    },
    {
      type: "0x2",
      status: "0x1",
      cumulativeGasUsed: "0x2e345",
      logs: crafted("9d521a04bee134ff8136d2ec957e5bc8c50394ec"),
    },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x54b59", logs: swap },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x98291", logs: mint },
  ],
} as const;
