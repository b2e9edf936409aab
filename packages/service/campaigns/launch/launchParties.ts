import { type LaunchCase, step } from "./launchCase.js";
import { writeRuledToken, writeSource } from "./tokenSources.js";

const plainSource = (name: string, places = 18) => writeRuledToken(name, "", "", places);

/** Who holds the liquidity and the supply. */
export const holdings: readonly LaunchCase[] = [
  {
    name: "PullPair",
    label: "trap",
    kind: "liquidity with the deployer",
    source: plainSource("PullPair"),
    contract: "PullPair",
    liquidity: "dev",
    rug: "pull",
  },
  {
    name: "PullNine",
    label: "trap",
    kind: "liquidity with the deployer",
    source: plainSource("PullNine", 9),
    contract: "PullNine",
    liquidity: "dev",
    rug: "pull",
  },
  {
    name: "PullPosition",
    label: "trap",
    kind: "position with the deployer",
    source: plainSource("PullPosition"),
    contract: "PullPosition",
    pool: "concentrated",
    liquidity: "dev",
    rug: "pull",
  },
  {
    name: "PullDollars",
    label: "trap",
    kind: "liquidity with the deployer",
    source: plainSource("PullDollars"),
    contract: "PullDollars",
    pool: "stablecoin",
    liquidity: "dev",
    rug: "pull",
  },
  {
    name: "FalseLock",
    label: "trap",
    kind: "locker that opens for its maker",
    source: plainSource("FalseLock"),
    contract: "FalseLock",
    liquidity: "freeLock",
    rug: "pull",
  },
  {
    name: "ShortLock",
    label: "trap",
    kind: "lock that ends in an hour",
    source: plainSource("ShortLock"),
    contract: "ShortLock",
    liquidity: "shortLock",
    rug: "pull",
    later: { blocks: 2, seconds: 4_000 },
  },
  {
    name: "HalfKept",
    label: "trap",
    kind: "supply with the deployer",
    source: plainSource("HalfKept"),
    contract: "HalfKept",
    keptBps: 6_000,
    rug: "dump",
  },
  {
    name: "MostKept",
    label: "trap",
    kind: "supply with the deployer",
    source: plainSource("MostKept"),
    contract: "MostKept",
    keptBps: 9_000,
    rug: "dump",
  },
  {
    name: "Locked",
    label: "honest",
    kind: "liquidity locked",
    source: plainSource("Locked"),
    contract: "Locked",
    liquidity: "locked",
  },
  {
    name: "LockedSix",
    label: "honest",
    kind: "liquidity locked",
    source: plainSource("LockedSix", 6),
    contract: "LockedSix",
    liquidity: "locked",
  },
  {
    name: "Buried",
    label: "honest",
    kind: "liquidity in a contract without functions",
    source: plainSource("Buried"),
    contract: "Buried",
    liquidity: "buried",
  },
  {
    name: "Position",
    label: "honest",
    kind: "position burnt",
    source: plainSource("Position"),
    contract: "Position",
    pool: "concentrated",
  },
  {
    name: "PositionEight",
    label: "honest",
    kind: "position burnt",
    source: plainSource("PositionEight", 8),
    contract: "PositionEight",
    pool: "concentrated",
  },
  {
    name: "Dollars",
    label: "honest",
    kind: "stablecoin pool burnt",
    source: plainSource("Dollars"),
    contract: "Dollars",
    pool: "stablecoin",
  },
  {
    name: "DollarsSix",
    label: "honest",
    kind: "stablecoin pool burnt",
    source: plainSource("DollarsSix", 6),
    contract: "DollarsSix",
    pool: "stablecoin",
  },
  {
    name: "Vested",
    label: "honest",
    kind: "supply that nobody can move yet",
    source: plainSource("Vested"),
    contract: "Vested",
    keptBps: 4_000,
    vested: true,
  },
  ...[0, 2, 6, 8, 9].map(
    (places): LaunchCase => ({
      name: `Places${places}`,
      label: "honest",
      kind: "decimals",
      source: plainSource(`Places${places}`, places),
      contract: `Places${places}`,
    }),
  ),
];

/** Other contracts that decide. */
export const companions: readonly LaunchCase[] = [
  {
    name: "AsksGate",
    label: "trap",
    kind: "controller armed later",
    source:
      writeSource(`contract Gate { address private k = msg.sender; bool private on; function flip() external { require(msg.sender == k); on = true; } function ok(address) external view returns (bool) { return !on; } }
contract AsksGate is Coin { Gate private gate; constructor(Gate g) Coin(18) { gate = g; } function charge(address from, address to, uint256) internal view override returns (uint256) { require(to != pool() || gate.ok(from)); return 0; } }`),
    contract: "AsksGate",
    companions: ["Gate"],
    arm: [step(["flip()"], "Gate")],
  },
  {
    name: "AsksGateFixed",
    label: "trap",
    kind: "controller armed later",
    source:
      writeSource(`contract Toll { address private immutable k = msg.sender; uint256 private r; function set(uint256 x) external { require(msg.sender == k); r = x; } function rate() external view returns (uint256) { return r; } }
contract AsksGateFixed is Coin { Toll private immutable toll; constructor(Toll t) Coin(18) { toll = t; } function charge(address, address to, uint256 value) internal view override returns (uint256) { return to == pool() ? value * toll.rate() / 100 : 0; } }`),
    contract: "AsksGateFixed",
    companions: ["Toll"],
    arm: [step(["set(uint256)", 98n], "Toll")],
  },
  {
    name: "AsksNumbers",
    label: "honest",
    kind: "schedule that cannot change",
    source:
      writeSource(`contract Numbers { function part(uint256 v) external pure returns (uint256) { return v / 40; } }
contract AsksNumbers is Coin { Numbers private immutable n; constructor(Numbers x) Coin(18) { n = x; } function charge(address, address to, uint256 value) internal view override returns (uint256) { return to == pool() ? n.part(value) : 0; } }`),
    contract: "AsksNumbers",
    companions: ["Numbers"],
  },
  {
    name: "Swappable",
    label: "trap",
    kind: "code that can be exchanged",
    source:
      writeSource(`contract Rules { mapping(uint256 => uint256) private gap; function judge(address, address, uint256) external pure returns (uint256) { return 0; } }
contract Shut { function judge(address, address, uint256) external pure returns (uint256) { revert("shut"); } }
contract Swappable is Coin { address private k = msg.sender; address private rules; constructor(address r, address) Coin(18) { rules = r; } function swapRules(address r) external { require(msg.sender == k); rules = r; } function charge(address from, address to, uint256 value) internal override returns (uint256) { if (from == k || to != pool()) return 0; (bool ok, bytes memory out) = rules.delegatecall(abi.encodeWithSignature("judge(address,address,uint256)", from, to, value)); require(ok); return abi.decode(out, (uint256)); } }`),
    contract: "Swappable",
    companions: ["Rules", "Shut"],
    arm: [{ signature: "swapRules(address)", args: ["Shut" as never] }],
  },
  {
    name: "LocksUp",
    label: "trap",
    kind: "ownership taken back",
    source: writeSource(
      `contract LocksUp is Coin { address public owner = msg.sender; address private former; bool private halted; constructor() Coin(18) {} function lock() external { require(msg.sender == owner); former = owner; owner = address(0); } function unlock() external { require(msg.sender == former); owner = former; } function halt() external { require(msg.sender == owner); halted = true; } function charge(address from, address, uint256) internal view override returns (uint256) { require(!halted || from == former); return 0; } }`,
    ),
    contract: "LocksUp",
    finish: [step(["lock()"])],
    arm: [step(["unlock()"]), step(["halt()"])],
  },
  {
    name: "TwoOwners",
    label: "trap",
    kind: "ownership taken back",
    source: writeSource(
      `contract TwoOwners is Coin { address public owner = msg.sender; address private second = msg.sender; mapping(address => bool) private bad; constructor() Coin(18) {} function renounceOwnership() external { require(msg.sender == owner); owner = address(0); } function setOwner() external { require(msg.sender == second); owner = second; } function ban(address who) external { require(msg.sender == owner); bad[who] = true; } function charge(address from, address, uint256) internal view override returns (uint256) { require(!bad[from]); return 0; } }`,
    ),
    contract: "TwoOwners",
    finish: [step(["renounceOwnership()"])],
    arm: [step(["setOwner()"]), step(["ban(address)", "victim"])],
  },
  {
    name: "Begins",
    label: "honest",
    kind: "initializer that is used up",
    source: writeSource(
      `contract Begins is Coin { bool private begun; constructor() Coin(18) {} function initialize(address to) external { require(!begun, "begun"); begun = true; book[to] += 0; } function charge(address, address, uint256) internal pure override returns (uint256) { return 0; } }`,
    ),
    contract: "Begins",
    finish: [step(["initialize(address)", "dev"])],
  },
  {
    name: "Reflects",
    label: "honest",
    kind: "reflection",
    source: writeSource(
      `contract Reflects is Coin { mapping(address => uint256) private parts; uint256 private all; constructor() Coin(9) { all = type(uint128).max - (type(uint128).max % totalSupply); parts[msg.sender] = all; } function rate() private view returns (uint256) { return all / totalSupply; } function balanceOf(address who) public view override returns (uint256) { return parts[who] / rate(); } function charge(address, address, uint256) internal pure override returns (uint256) { return 0; } function shift(address from, address to, uint256 value) internal override { uint256 r = rate(); uint256 fee = value / 50; parts[from] -= value * r; parts[to] += (value - fee) * r; all -= fee * r; emit Transfer(from, to, value - fee); } }`,
    ),
    contract: "Reflects",
  },
];
