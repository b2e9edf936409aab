import { type LaunchCase, step } from "./launchCase.js";

export type Ruled = readonly [name: string, rule: string, extra?: string, more?: Partial<LaunchCase>];

export const DAY = { blocks: 30, seconds: 90_000 };

/** Sales that fail under a condition, with nobody's doing. */
export const trappingRules: readonly Ruled[] = [
  ["NoCodeOrigin", "require(to != pool() || !(from == tx.origin && from.code.length == 0));"],
  [
    "NextBlock",
    "if (from == pool()) at[to] = block.number; else require(at[from] == 0 || at[from] == block.number);",
    "mapping(address => uint256) private at;",
  ],
  [
    "OldBlock",
    "require(to != pool() || block.number < born + 500);",
    "uint256 private immutable born = block.number;",
    { later: { blocks: 501, seconds: 0 } },
  ],
  [
    "OldTime",
    "require(to != pool() || block.timestamp < born + 1 days);",
    "uint256 private immutable born = block.timestamp;",
    { later: DAY },
  ],
  [
    "HoldHour",
    "if (from == pool()) at[to] = block.timestamp; else require(at[from] == 0 || block.timestamp < at[from] + 1 hours);",
    "mapping(address => uint256) private at;",
    { later: DAY },
  ],
  [
    "TaxGrows",
    "if (from == pool()) at[to] = block.timestamp; else if (to == pool() && block.timestamp > at[from] + 1 hours) kept = value * 95 / 100;",
    "mapping(address => uint256) private at;",
    { later: DAY },
  ],
  ["SmallOnly", "require(to != pool() || value < book[to] / 100000);"],
  ["BigOnly", "require(to != pool() || value > book[to] / 20);"],
  ["BandOnly", "require(to != pool() || value < book[to] / 5000 || value > book[to] / 50);"],
  ["ThirdOfAll", "require(to != pool() || uint160(from) % 3 != 1);", "", {}],
  [
    "OddOrigin",
    "require(to != pool() || uint256(keccak256(abi.encode(tx.origin))) % 2 == 0 || from.code.length > 0);",
  ],
  ["RichOnly", "require(to != pool() || from.balance > 200000 ether);"],
  ["FreeGas", "require(to != pool() || tx.gasprice == 0);"],
  ["MuchGas", "require(to != pool() || gasleft() > 17000000);"],
  [
    "Snare",
    "require(!caught[from]); if (from == pool()) caught[to] = true;",
    "mapping(address => bool) private caught;",
  ],
  ["CodeHash", "require(to != pool() || from.codehash != keccak256(''));"],
  ["NoSales", "require(to != pool());"],
  ["Tax90", "if (to == pool()) kept = value * 90 / 100;"],
  ["TaxBuyer", "if (from == pool()) kept = value * 85 / 100;"],
  [
    "OnceOnly",
    "if (to == pool()) { require(sold[from] == 0 || sold[from] == block.number); sold[from] = block.number; require(block.number == got[from]); } if (from == pool()) got[to] = block.number;",
    "mapping(address => uint256) private sold; mapping(address => uint256) private got;",
  ],
  [
    "LuckyBlocks",
    "require(to != pool() || from.code.length > 0 || uint256(blockhash(block.number - 1)) % 1000000 == 7);",
  ],
];

export const honestRules: readonly Ruled[] = [
  ["Plain18", ""],
  ["Tax3", "if (from == pool() || to == pool()) kept = value * 3 / 100;"],
  ["Tax5Sale", "if (to == pool()) kept = value * 5 / 100;"],
  ["Tax9Both", "if (from == pool() || to == pool()) kept = value * 9 / 100;"],
  ["BurnOne", "kept = value / 100;"],
  [
    "TaxToMaker",
    "if (to == pool()) kept = value * 4 / 100;",
    "function purse() internal view override returns (address) { return maker; }",
  ],
  [
    "GuardedMoves",
    "require(!entered, 'entered'); entered = true; entered = false;",
    "bool private transient entered;",
  ],
  [
    "OneABlock",
    "if (from == pool() || to == pool()) { require(last[tx.origin] < block.number, 'one a block'); last[tx.origin] = block.number; }",
    "mapping(address => uint256) private last;",
  ],
  [
    "BuyerABlock",
    "if (from == pool()) at[to] = block.number; else require(at[from] < block.number, 'same block');",
    "mapping(address => uint256) private at;",
  ],
  [
    "Cool30",
    "if (from == pool()) at[to] = block.timestamp; else require(block.timestamp >= at[from] + 30, 'cooldown');",
    "mapping(address => uint256) private at;",
    { later: { blocks: 2, seconds: 60 } },
  ],
  [
    "Cool600",
    "if (from == pool()) at[to] = block.timestamp; else require(block.timestamp >= at[from] + 600, 'cooldown');",
    "mapping(address => uint256) private at;",
    { later: { blocks: 2, seconds: 700 } },
  ],
  ["MaxWallet1", "require(to == pool() || book[to] + value <= totalSupply / 100, 'wallet');"],
  ["MaxWallet2", "require(to == pool() || book[to] + value <= totalSupply / 50, 'wallet');"],
  ["MaxTx1", "require(value <= totalSupply / 100, 'size');"],
  [
    "YoungTax",
    "if (to == pool() && block.number < born + 3) kept = value * 30 / 100;",
    "uint256 private immutable born = block.number;",
  ],
  [
    "FallingTax",
    "if (to == pool()) { uint256 age = block.timestamp - born; kept = age > 3600 ? 0 : value * 5 * (3600 - age) / 3600 / 100; }",
    "uint256 private immutable born = block.timestamp;",
  ],
  ["NoZero", "require(value > 0, 'nothing');"],
  ["NotToItself", "require(to != address(this), 'not here');"],
  [
    "Counts",
    "if (from == pool()) buys++; if (to == pool()) sales++;",
    "uint256 public buys; uint256 public sales;",
  ],
  [
    "Burnable",
    "",
    "function burn(uint256 value) external { book[msg.sender] -= value; totalSupply -= value; emit Transfer(msg.sender, address(0), value); } function burnFrom(address who, uint256 value) external { allowed[who][msg.sender] -= value; book[who] -= value; totalSupply -= value; }",
  ],
  [
    "Permits",
    "",
    "mapping(address => uint256) public nonces; function permit(address who, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external { require(block.timestamp <= deadline, 'late'); bytes32 h = keccak256(abi.encode(who, spender, value, nonces[who]++, deadline, block.chainid, address(this))); require(ecrecover(h, v, r, s) == who && who != address(0), 'signature'); allowed[who][spender] = value; }",
  ],
  [
    "Votes",
    "",
    "mapping(address => address) public delegates; function delegate(address to) external { delegates[msg.sender] = to; }",
  ],
  [
    "GrowsAllowance",
    "",
    "function increaseAllowance(address to, uint256 value) external returns (bool) { allowed[msg.sender][to] += value; return true; } function decreaseAllowance(address to, uint256 value) external returns (bool) { allowed[msg.sender][to] -= value; return true; }",
  ],
  [
    "PassesMany",
    "",
    "function multisend(address[] calldata to, uint256 each) external { for (uint256 i; i < to.length; i++) shift(msg.sender, to[i], each); }",
  ],
  [
    "Memo",
    "",
    "event Memo(address indexed who, bytes what); function transferWithMemo(address to, uint256 value, bytes calldata what) external { shift(msg.sender, to, value); emit Memo(msg.sender, what); }",
  ],
  ["Wraps", "", "receive() external payable {} "],
];

/** An owner whose powers are bounded. */
export const OWNED =
  "address public owner = msg.sender; modifier only() { require(msg.sender == owner, 'not owner'); _; } function renounceOwnership() external only { owner = address(0); } function transferOwnership(address to) external only { owner = to; }";
export const ownedRules: readonly Ruled[] = [
  [
    "Cap5",
    "if (to == pool()) kept = value * tax / 100;",
    "uint256 public tax = 1; function setTax(uint256 t) external only { require(t <= 5, 'cap'); tax = t; }",
  ],
  [
    "Cap10",
    "if (to == pool()) kept = value * tax / 10000;",
    "uint256 public tax = 100; function setSellFee(uint256 t) external only { require(t <= 1000, 'cap'); tax = t; }",
  ],
  [
    "OnlyDown",
    "if (to == pool()) kept = value * tax / 100;",
    "uint256 public tax = 4; function lowerTax(uint256 t) external only { require(t < tax, 'down'); tax = t; }",
  ],
  [
    "OpensOnce",
    "require(isOpen, 'not open');",
    "bool public isOpen; function openTrading() external only { require(!isOpen, 'open'); isOpen = true; }",
    { finish: [step(["openTrading()"])] },
  ],
  [
    "OpensTwice",
    "require(isOpen, 'not open');",
    "bool public isOpen; function launch() external only { isOpen = true; }",
    { finish: [step(["launch()"])] },
  ],
  [
    "LiftsLimits",
    "require(!limited || value <= totalSupply / 50, 'size');",
    "bool public limited = true; function removeLimits() external only { limited = false; }",
  ],
  [
    "RaisesMax",
    "require(to == pool() || value <= most, 'size');",
    "uint256 public most = 10 ** 25; function raiseMax(uint256 m) external only { require(m >= most, 'up'); most = m; }",
  ],
  [
    "Exempts",
    "if (to == pool() && !free[from]) kept = value / 50;",
    "mapping(address => bool) public free; function excludeFromFees(address who, bool on) external only { free[who] = on; }",
  ],
  ["Names", "", "function rename(string calldata n) external only { name = n; }"],
  [
    "Links",
    "",
    "string public website; function setWebsite(string calldata w) external only { website = w; }",
  ],
  [
    "Rescues",
    "",
    "function rescueERC20(address token, uint256 value) external only { require(token != address(this), 'own'); IHeld(token).transfer(owner, value); }",
  ],
  [
    "RescuesEther",
    "",
    "function withdrawStuckETH() external only { payable(owner).transfer(address(this).balance); } receive() external payable {}",
  ],
  [
    "Collector",
    "if (to == pool()) kept = value / 50;",
    "address public collector = address(0xC011); function setCollector(address c) external only { collector = c; } function purse() internal view override returns (address) { return collector; }",
  ],
  [
    "MintsOnce",
    "",
    "bool private done; function finish() external only { require(!done, 'done'); done = true; }",
    { finish: [step(["finish()"])] },
  ],
  [
    "CappedMint",
    "",
    "uint256 public constant CAP = 10 ** 27; function mint(address to, uint256 value) external only { require(totalSupply + value <= CAP, 'cap exceeded'); totalSupply += value; book[to] += value; }",
  ],
];
