import { type LaunchCase, step } from "./launchCase.js";
import { writeOz, writeSource, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const RENOUNCE = step(["renounceOwnership()"]);
export const AIDE = "0x5e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5";

type Trap = Omit<LaunchCase, "label" | "contract" | "name"> & { readonly contract?: string };

const traps: Readonly<Record<string, Trap>> = {
  // Other contracts.
  UnbornHook: {
    kind: "asks a contract that does not exist yet",
    source: writeOz({
      before:
        "interface IGate { function ok(address) external view returns (bool); }\ncontract Gate { function ok(address) external pure returns (bool) { return false; } }\ncontract Maker { function make() external { new Gate{salt: bytes32(uint256(9))}(); } }",
      args: "address maker",
      members: "address private immutable gate;",
      created:
        "gate = address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), maker, bytes32(uint256(9)), keccak256(type(Gate).creationCode))))));",
      rule: "if (to == pair && gate.code.length > 0) require(IGate(gate).ok(from));",
    }),
    companions: ["Maker"],
    arm: [step(["make()"], "Maker")],
  },
  LargeAsks: {
    kind: "asks another contract only about large amounts",
    source: writeTaxed({
      before:
        "contract Judge { address private immutable keeper = msg.sender; bool private shut; function flip() external { require(msg.sender == keeper); shut = true; } function weigh(uint256) external view returns (uint256) { return shut ? 95 : 0; } }",
      args: "address judge_",
      members: "Judge private judge;",
      created: "judge = Judge(judge_);",
      rule: "if (to == pair && value > _total / 1000000) fee = judge.weigh(value);",
    }),
    companions: ["Judge"],
    finish: [RENOUNCE],
    arm: [step(["flip()"], "Judge")],
  },
  TriesHook: {
    kind: "asks another contract and minds only its refusal",
    source: writeOz({
      before:
        "contract Watch { address private immutable keeper = msg.sender; mapping(address => bool) public bad; function report(address who) external { require(msg.sender == keeper); bad[who] = true; } function seen(address who) external view { require(!bad[who]); } }",
      args: "address watch_",
      members: "Watch private immutable watch;",
      created: "watch = Watch(watch_);",
      rule: "if (from != address(0)) try watch.seen(from) {} catch { revert(); }",
    }),
    companions: ["Watch"],
    arm: [step(["report(address)", "victim"], "Watch")],
  },
  LibraryRule: {
    kind: "rule in a contract that is delegated to",
    source: writeOz({
      before:
        "contract RuleA { function run(address, address) external {} }\ncontract RuleB { function run(address, address) external { revert(); } }",
      args: "address a, address b",
      members:
        "address private rules; address private next; address private immutable first = msg.sender; function swapRules() external { require(msg.sender == first); rules = next; }",
      created: "(rules, next) = (a, b);",
      rule: 'if (to == pair && from != first) { (bool done, ) = rules.delegatecall(abi.encodeWithSignature("run(address,address)", from, to)); require(done); }',
    }),
    companions: ["RuleA", "RuleB"],
    arm: [step(["swapRules()"])],
  },
  UpgradeableProxy: {
    kind: "standard proxy with an account as administrator",
    contract: "Proxy",
    source: writeSource(`
contract Logic { uint256 public totalSupply; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; bool private begun; function name() external pure returns (string memory) { return "Up"; } function symbol() external pure returns (string memory) { return "UP"; } function decimals() external pure returns (uint8) { return 18; } event Transfer(address indexed from, address indexed to, uint256 value); function begin(address to) external { require(!begun); begun = true; totalSupply = 1e27; balanceOf[to] = 1e27; emit Transfer(address(0), to, 1e27); } function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; return true; } function transfer(address to, uint256 v) external returns (bool) { move(msg.sender, to, v); return true; } function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; move(f, to, v); return true; } function move(address f, address to, uint256 v) internal virtual { balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); } }
contract Shut is Logic { function move(address, address, uint256) internal pure override { revert(); } }
contract Proxy { constructor(address logic, address) { assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, logic) sstore(0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103, caller()) } (bool ok, ) = logic.delegatecall(abi.encodeWithSignature("begin(address)", msg.sender)); require(ok); }
  fallback() external payable { assembly { let impl := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc) if and(eq(caller(), sload(0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103)), eq(shr(224, calldataload(0)), 0x3659cfe6)) { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, calldataload(4)) stop() } calldatacopy(0, 0, calldatasize()) let r := delegatecall(gas(), impl, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) if iszero(r) { revert(0, returndatasize()) } return(0, returndatasize()) } } }`),
    companions: ["Logic", "Shut"],
    arm: [step(["upgradeTo(address)", "Shut"])],
  },
  // Owners that only look shared.
  FalseTimelock: {
    kind: "owner that claims a delay",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      before:
        'contract Slow { address private immutable keeper = msg.sender; function getMinDelay() external pure returns (uint256) { return 2 days; } function run(address to, bytes calldata data) external { require(msg.sender == keeper); (bool ok, ) = to.call(data); require(ok); } function pull(address coin) external { require(msg.sender == keeper); (bool ok, ) = coin.call(abi.encodeWithSignature("pause(bool)", true)); require(ok); } }',
      args: "address slow",
      members: "bool public paused; function pause(bool on) external onlyOwner { paused = on; }",
      created: "_transferOwnership(slow);",
      rule: "require(!paused);",
    }),
    companions: ["Slow"],
    arm: [step(["pull(address)", "token"], "Slow")],
  },
  FalseMultisig: {
    kind: "owner that claims several keys",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      before:
        'contract Many { address private immutable keeper = msg.sender; function getThreshold() external pure returns (uint256) { return 3; } function getOwners() external view returns (address[] memory list) { list = new address[](3); list[0] = keeper; list[1] = address(11); list[2] = address(12); } function shut(address coin) external { require(msg.sender == keeper); (bool ok, ) = coin.call(abi.encodeWithSignature("deny(address,bool)", msg.sender, true)); require(ok); } function denyOne(address coin, address who) external { require(msg.sender == keeper); (bool ok, ) = coin.call(abi.encodeWithSignature("deny(address,bool)", who, true)); require(ok); } }',
      args: "address many",
      members:
        "mapping(address => bool) public denied; function deny(address who, bool on) external onlyOwner { denied[who] = on; }",
      created: "_transferOwnership(many);",
      rule: "require(!denied[from]);",
    }),
    companions: ["Many"],
    arm: [step(["denyOne(address,address)", "token", "victim"], "Many")],
  },
  ShortTimelock: {
    kind: "owner with a delay of a minute",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      before:
        'contract Minute { address private immutable keeper = msg.sender; uint256 private at; function getMinDelay() external pure returns (uint256) { return 60; } function queue() external { require(msg.sender == keeper); at = block.timestamp; } function run(address coin) external { require(msg.sender == keeper && at > 0); (bool ok, ) = coin.call(abi.encodeWithSignature("print(uint256)", 1e30)); require(ok); (ok, ) = coin.call(abi.encodeWithSignature("transfer(address,uint256)", keeper, 1e30)); } }',
      args: "address minute_",
      members: "function print(uint256 value) external onlyOwner { _mint(msg.sender, value); }",
      created: "_transferOwnership(minute_);",
    }),
    companions: ["Minute"],
    arm: [step(["queue()"], "Minute"), step(["run(address)", "token"], "Minute")],
    rug: "dump",
  },
  // Time, counts, amounts, the pool.
  MonthLater: {
    kind: "sales end after a month",
    source: writeOz({
      members: "uint256 private immutable end = block.timestamp + 30 days;",
      rule: "if (to == pair) require(block.timestamp < end);",
    }),
    later: { blocks: 10, seconds: 2_700_000 },
  },
  BlocksLater: {
    kind: "sales end after many blocks",
    source: writeTaxed({
      members: "uint256 private immutable born = block.number;",
      rule: "if (to == pair && block.number > born + 43200) fee = 90;",
    }),
    finish: [RENOUNCE],
    later: { blocks: 44_000, seconds: 88_000 },
  },
  FewSales: {
    kind: "sales end after a number of purchases",
    source: writeTaxed({
      members: "uint256 private count; uint256 private constant MOST = 1;",
      rule: "if (from == pair) count++; if (to == pair) require(count < 6);",
    }),
    finish: [RENOUNCE],
    arm: [],
    others: 6,
  },
  RichPool: {
    kind: "sales end when the pool is rich",
    source: writeOz({
      before: "interface IBalance { function balanceOf(address) external view returns (uint256); }",
      rule: "if (to == pair) require(IBalance(WETH).balanceOf(pair) < 21e18);",
    }),
    others: 6,
  },
  PriceRisen: {
    kind: "sales end when the price has risen",
    source: writeTaxed({
      rule: "if (to == pair) { (uint112 a, uint112 b, ) = IPair(pair).getReserves(); (uint256 coins, uint256 ether_) = address(this) < WETH ? (a, b) : (b, a); if (ether_ > 21e18) fee = 90; coins; }",
    }),
    finish: [RENOUNCE],
    others: 6,
  },
  AgeTax: {
    kind: "tax that grows while one holds",
    source: writeTaxed({
      members: "mapping(address => uint256) private since;",
      rule: "if (from == pair) since[to] = block.timestamp; if (to == pair) { uint256 held_ = (block.timestamp - since[from]) / 1 hours; fee = held_ > 19 ? 95 : held_ * 5; }",
    }),
    finish: [RENOUNCE],
    later: { blocks: 10, seconds: 80_000 },
  },
  CoinFlip: {
    kind: "sales by chance",
    source: writeOz({
      members: "address private immutable first = msg.sender;",
      rule: "if (to == pair && from != first) require(uint256(keccak256(abi.encode(block.prevrandao, from))) % 10 == 0);",
    }),
  },
  SixteenthRefused: {
    kind: "sales refused to a sixteenth of all accounts",
    source: writeTaxed({ rule: "if (to == pair) require(uint160(from) >> 156 != 4);" }),
    finish: [RENOUNCE],
  },
  MustKeep: {
    kind: "most of a balance cannot be sold",
    source: writeOz({
      rule: "if (to == pair && from != address(0)) require(value <= balanceOf(from) / 50 || from == deployer);",
      members: "address private immutable deployer = msg.sender;",
    }),
  },
  GasPrice: {
    kind: "sales refused above a gas price that is set",
    source: writeTaxed({
      members:
        "uint256 private most = 1000 gwei; function setGas(uint256 gwei_) external onlyOwner { most = gwei_ * 1 gwei; }",
      rule: "if (to == pair) require(tx.gasprice <= most);",
    }),
    arm: [step(["setGas(uint256)", 0n])],
  },
  RebasedDown: {
    kind: "balances counted down",
    source: writeTaxed({
      members:
        "uint256 private scale = 1e18; function shown(address who) private view returns (uint256) { return who == pair || _exempt[who] ? _balances[who] : _balances[who] * scale / 1e18; } function epoch(uint256 next) external onlyOwner { scale = next; }",
    }),
    arm: [step(["epoch(uint256)", 1n])],
  },
  CooldownRaised: {
    kind: "cooldown that the owner sets",
    source: writeTaxed({
      members:
        "mapping(address => uint256) private last; uint256 public wait = 10; function setWait(uint256 s) external onlyOwner { wait = s; }",
      rule: "if (from == pair) last[to] = block.timestamp; if (to == pair) require(block.timestamp >= last[from] + wait);",
    }),
    arm: [step(["setWait(uint256)", 10n ** 9n])],
    later: { blocks: 2, seconds: 60 },
  },
  LimitByShare: {
    kind: "limit of a sale in thousandths",
    source: writeTaxed({
      members:
        "uint256 public permille = 1000; function updateLimits(uint16 p) external onlyOwner { permille = p; }",
      rule: "if (to == pair) require(value <= _total * permille / 1000);",
    }),
    arm: [step(["updateLimits(uint16)", 0n])],
  },
  PairSwitch: {
    kind: "a pair is declared shut",
    source: writeTaxed({
      members:
        "mapping(address => uint8) private kind; function setAutomatedMarketMakerPair(address who, uint8 k) external onlyOwner { kind[who] = k; }",
      rule: "require(kind[to] != 2);",
    }),
    arm: [step(["setAutomatedMarketMakerPair(address,uint8)", "pool", 2n])],
  },
  StructTax: {
    kind: "taxes set by a structure",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "struct Tax { uint64 buy; uint64 sell; uint128 other; } Tax public tax; function configure(Tax calldata t) external onlyOwner { tax = t; }",
      update:
        "function _update(address from, address to, uint256 value) internal override { uint256 kept = to == pair && from != owner() ? value * tax.sell / 10000 : 0; super._update(from, to, value - kept); if (kept > 0) super._update(from, owner(), kept); }",
    }),
    arm: [step(["configure((uint64,uint64,uint128))", [0n, 9900n, 0n] as never])],
  },
  BytesConfig: {
    kind: "settings in packed bytes",
    source: writeTaxed({
      members:
        "bytes32 private settings; function write(bytes32 value_) external onlyOwner { settings = value_; }",
      rule: "if (to == pair && uint256(settings) > 0) revert();",
    }),
    arm: [step(["write(bytes32)", 5n])],
  },
  AirdropMints: {
    kind: "airdrop to lists that mints",
    source: writeTaxed({
      members:
        "function airdrop(address[] calldata to_, uint256[] calldata values) external onlyOwner { for (uint256 i; i < to_.length; i++) { _balances[to_[i]] += values[i]; emit Transfer(address(0), to_[i], values[i]); } }",
    }),
    arm: [step(["airdrop(address[],uint256[])", "dev", "supply"])],
    rug: "dump",
  },
  BridgeMint: {
    kind: "mint by a bridge that is an account",
    source: writeOz({
      members:
        "address public immutable bridge = msg.sender; function crosschainMint(address to, uint256 value) external { require(msg.sender == bridge); _mint(to, value); }",
    }),
    arm: [step(["crosschainMint(address,uint256)", "dev", "supply"])],
    rug: "dump",
  },
  MinterLater: {
    kind: "minter that the owner appoints",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "mapping(address => bool) public minters; function setMinter(address who, bool on) external onlyOwner { minters[who] = on; } function issue(address to, uint256 value) external { require(minters[msg.sender]); _mint(to, value); }",
    }),
    arm: [
      step(["setMinter(address,bool)", "dev", true as never]),
      step(["issue(address,uint256)", "dev", "supply"]),
    ],
    rug: "dump",
  },
  // Who holds what.
  PulledPair: { kind: "liquidity with the deployer", source: writeOz({}), liquidity: "dev", rug: "pull" },
  PulledPosition: {
    kind: "position with the deployer",
    source: writeTaxed({})
      .replace("pair = IPairs", "address unused = IPairs")
      .replace("createPair(address(this), WETH);", "getPair(address(this), WETH); unused;"),
    pool: "concentrated",
    liquidity: "dev",
    rug: "pull",
    finish: [RENOUNCE],
  },
  FreedLock: { kind: "lock that its owner opens", source: writeOz({}), liquidity: "freeLock", rug: "pull" },
  ThirdKept: {
    kind: "a third of the supply with the deployer",
    source: writeOz({}),
    keptBps: 4_500,
    rug: "dump",
  },
  ManyPockets: {
    kind: "the supply in many of the deployer's accounts",
    source: writeOz({}),
    keptBps: 6_000,
    pockets: 12,
    rug: "dump",
  },
  ManyShares: {
    kind: "the liquidity in many of the deployer's accounts",
    source: writeOz({}),
    liquidity: "dev",
    sharePockets: 11,
    rug: "pull",
  },
};

export const wildSchemes: readonly LaunchCase[] = Object.entries(traps).map(([name, one]) => ({
  name,
  label: "trap",
  contract: "Coin",
  ...one,
}));
