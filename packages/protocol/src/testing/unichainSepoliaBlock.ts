/**
 * Block 35,535,698 of Unichain Sepolia (chain 1301, OP stack after Isthmus), of 5 November 2025, with the receipts that its
 * sequencer announced: a deposit and five others. Facts of a public chain; what the hashes do not cover is left out.
 */
const logOf = (count: string) => ({
  address: "0xf878f0340bf132c28f3211e8b46c569edf817495",
  topics: ["0xfaddd0b06e793a583e92393ad3f98637e560462ee98db1f2888f141124ee64ca"],
  data: `0x${count.padStart(64, "0")}`,
});

const counted = (nonce: string, v: string, r: string, s: string) => ({
  type: "0x2",
  chainId: "0x515",
  nonce,
  maxPriorityFeePerGas: "0x0",
  maxFeePerGas: "0x33",
  gas: "0x8809",
  to: "0xf878f0340bf132c28f3211e8b46c569edf817495",
  value: "0x0",
  input: "0x3fd553e8",
  accessList: [],
  yParity: v,
  v,
  r,
  s,
});

export const unichainSepoliaBlock = {
  hash: "0xc463a3120c35268f610d969f5608b479332ef10953af77c7a6be806195831196",
  header: {
    parentHash: "0x06ff95a9cd23b0328da74a984aa986b2e01d377dab1825f1029e39ece6c4a3ea",
    sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
    miner: "0x4200000000000000000000000000000000000011",
    stateRoot: "0x5615e4342d231c352438f0ba6a8f0f641459f67961961764b781a909969b28ad",
    transactionsRoot: "0x3dc5956bbd482687508f25d0e057282192067bb0eb80b2ac869320ef7f45cdeb",
    receiptsRoot: "0x588e1d47b0618d7e935b20c3945cba3b7b8c00141904f79ceed20312ea502e63",
    logsBloom:
      "0x00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002000000001000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000040000000000000000000000000000000000000000000000000004040000000000000000000000000000000000000000000000000000000000000000000000",
    difficulty: "0x0",
    number: "0x21e3b52",
    gasLimit: "0x3938700",
    gasUsed: "0x32138",
    timestamp: "0x690be89e",
    extraData: "0x00000000320000000c",
    mixHash: "0x8beee738d20a9d77c5f27e9cb799ebe5b536f0985efad5f7d77ebff47f092c4a",
    nonce: "0x0000000000000000",
    baseFeePerGas: "0x33",
    withdrawalsRoot: "0x62ed62e0391b081bf172f287fbbe75e87d8a6c22f1d3b1f1aef4788c134633d2",
    blobGasUsed: "0x0",
    excessBlobGas: "0x0",
    parentBeaconBlockRoot: "0xf6d335a6b2b4fd8fb539cd51a49769df4d53c31a90c54dd270e54542638ff101",
    requestsHash: "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  },
  transactions: [
    {
      type: "0x7e",
      sourceHash: "0x35dd2ec802504a143048c7830f8f570e0d6cf5147217af869939c6b4ba710a36",
      from: "0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001",
      to: "0x4200000000000000000000000000000000000015",
      mint: "0x0",
      value: "0x0",
      gas: "0xf4240",
      input:
        "0x098999be000007d0000dbba0000000000000000800000000690be848000000000092042e000000000000000000000000000000000000000000000000000000000000000900000000000000000000000000000000000000000000000000000000000000010ffd7e2fb2c36e5f27c015872ce733a7b4f3fc0f4ee668d7469c557c48f8250f0000000000000000000000004ab3387810ef500bfe05a49dc53a44c222cbab3e000000000000000000000000",
    },
    {
      ...counted(
        "0x1c8ea91",
        "0x0",
        "0x91f83058c881d9ad71c179ce680326501702eb68150d20b2bf7786e388f954a2",
        "0x180185d83e503f11bf3c265c1f9296ed8d3d7c04031cd8bb30509ad188ce7bbc",
      ),
      gas: "0x5578",
      to: "0x0000000000000000000000000000000000000000",
      input: "0x426c6f636b204e756d6265723a203335353335363938",
    },
    counted(
      "0x1c8ea92",
      "0x1",
      "0xd73ce313aafea312e0b7244767e45f8b05d50305e0f4e4c3c564ddc751666815",
      "0x2ee015ce2363311823c0b2e96bfb0e8090fd53c6cdd99be8cf343af123036dfc",
    ),
    counted(
      "0x1c8ea93",
      "0x1",
      "0xf8cd94080642e116bc772f36a02d002505227aa542e1c13e5129ab40b8b037fb",
      "0x608318d3895388e39b218bcb275380cebc566e68f26d3d434e32b8b58366cdf",
    ),
    counted(
      "0x1c8ea94",
      "0x0",
      "0x4368492ec1d087703aaf6f5fefe4427b3bf382e5cd07133f638bb6701f15fe61",
      "0x5e28757fbdc7e744118be36d5a1548eb7c009eefcb5dc5c5040e09c2fc6de9d8",
    ),
    counted(
      "0x1c8ea95",
      "0x0",
      "0x802ba6d4f37e3b8de96095bd0b216144f276171d16dc62a004f1a89009af5dee",
      "0xf0c6250cfd1a062a1bc2bc353a5c227a980cac0f233b7be8932f2192342ec4f",
    ),
  ],
  transactionHashes: [
    "0x613834aaeeb676fb45e312531c0cac40485a2c1b7b8ad8d648e5034dddfb5f03",
    "0x89f7852587dca7dd2f31b02f3a93f47669a82784025d607ec7c336b66af84a19",
    "0x8416aa3bb024ea5dce8fc00d21a500df4e782743bdf245589b5aba920324df11",
    "0x9afeb04e8858ec2c17d1f6543fc3c00772ef05a7177733770c186cee02c67112",
    "0x68e4cb3cafd045680f66411af5c22bd4f239972551c668fde34fb495a07c06e7",
    "0x6d65b11050eee84c3f492106ca95057825d34274b5ca9bcf533885a7ff238d39",
  ],
  sender: "0xc0043c50ba044a5f948d32faed806913d781d428",
  /** Without their blooms, which follow from the logs. */
  receipts: [
    {
      type: "0x7e",
      status: "0x1",
      cumulativeGasUsed: "0xb41c",
      logs: [],
      depositNonce: "0x21e3b52",
      depositReceiptVersion: "0x1",
    },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x10994", logs: [] },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x18f7d", logs: [logOf("29ac5c")] },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x21566", logs: [logOf("29ac5d")] },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x29b4f", logs: [logOf("29ac5e")] },
    { type: "0x2", status: "0x1", cumulativeGasUsed: "0x32138", logs: [logOf("29ac5f")] },
  ],
} as const;
