import { type LaunchCase, step } from "./launchCase.js";
import { writeOz, writeSource, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const EXT = (name: string) =>
  `import {${name}} from "@openzeppelin/contracts/token/ERC20/extensions/${name}.sol";`;
const PERMIT = EXT("ERC20Permit");
const RENOUNCE = step(["renounceOwnership()"]);
const TIMELOCK =
  'import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";\ncontract Maker { TimelockController public lock; constructor() { address[] memory p = new address[](1); p[0] = msg.sender; lock = new TimelockController(3 days, p, p, address(0)); } }';

type Honest = Omit<LaunchCase, "label" | "contract" | "name">;

const KEEPER = (members: string): string => `${writeOz({})}
interface IShares { function transfer(address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); }
contract Keeper { ${members} }`;

/** Tokens that other teams write: whole templates, rules against bots, owners who are bound, and lockers of several forms. */
const honest: Readonly<Record<string, Honest>> = {
  WizardAll: {
    kind: "wizard with every part that needs no key",
    source: writeOz({
      imports: `${PERMIT}${EXT("ERC20Burnable")}${EXT("ERC20FlashMint")}${EXT("ERC1363")}`,
      bases: ", ERC20Burnable, ERC20Permit, ERC1363, ERC20FlashMint",
    }),
  },
  LimitsTemplate: {
    kind: "launch template with a delay for each origin, opened and given up",
    source: writeTaxed({
      buyFee: 4,
      sellFee: 4,
      swapsBack: true,
      members:
        "bool public limitsInEffect = true; bool public tradingActive; bool public transferDelayEnabled = true; uint256 public maxTransactionAmount = 4_206_900_000e9; uint256 public maxWallet = 8_413_800_000e9; mapping(address => uint256) private _holderLastTransferTimestamp; function enableTrading() external onlyOwner { tradingActive = true; } function removeLimits() external onlyOwner { limitsInEffect = false; } function disableTransferDelay() external onlyOwner { transferDelayEnabled = false; } function updateBuyFees(uint256 b) external onlyOwner { require(b <= 5, 'Must keep fees at 5% or less'); buyFee = b; } function updateSellFees(uint256 s) external onlyOwner { require(s <= 5, 'Must keep fees at 5% or less'); sellFee = s; }",
      rule: 'require(tradingActive, "Trading is not active."); if (limitsInEffect) { if (transferDelayEnabled && to != ROUTER && to != pair) { require(_holderLastTransferTimestamp[tx.origin] < block.number, "delay"); _holderLastTransferTimestamp[tx.origin] = block.number; } if (from == pair) { require(value <= maxTransactionAmount); require(value + _balances[to] <= maxWallet); } }',
    }),
    finish: [step(["enableTrading()"]), step(["removeLimits()"]), RENOUNCE],
  },
  DelayStanding: {
    kind: "one purchase a block for each origin",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "bool public delayed = true; mapping(address => uint256) private last; function endDelay() external onlyOwner { delayed = false; }",
      rule: 'if (delayed && from == pair) { require(last[tx.origin] < block.number, "one a block"); last[tx.origin] = block.number; }',
    }),
  },
  BuysInBlock: {
    kind: "ten purchases in a block",
    source: writeOz({
      members: "mapping(uint256 => uint256) private buys;",
      rule: 'if (from == pair) require(++buys[block.number] <= 10, "busy");',
    }),
  },
  OriginABlock: {
    kind: "one trade a block, before there is a pair too",
    source: writeOz({
      members: "mapping(address => uint256) private lastBlock;",
      rule: 'address pool = IPairs(PAIRS).getPair(address(this), WETH); if (pool != address(0) && from != address(0) && (from == pool || to == pool)) { require(lastBlock[tx.origin] < block.number, "one per block"); lastBlock[tx.origin] = block.number; }',
    }),
  },
  FirstMinutes: {
    kind: "no sales in the first minutes",
    source: writeOz({
      members:
        "uint256 private immutable opened = block.timestamp; address private immutable first = msg.sender;",
      rule: 'if (to == pair && from != first && from != address(0)) require(block.timestamp >= opened + 120, "cooling down");',
    }),
    later: { blocks: 20, seconds: 200 },
  },
  ThreeBlocks: {
    kind: "tax that ends with the third block",
    source: writeTaxed({
      buyFee: 1,
      sellFee: 1,
      members: "uint256 private immutable born = block.number;",
      rule: "if (block.number < born + 3) fee = 20 - 5 * (block.number - born);",
    }),
    finish: [RENOUNCE],
  },
  BpsCapped: {
    kind: "two fees of at most three percent",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "uint16 public buyBps = 100; uint16 public sellBps = 200; address public immutable treasury = address(0x7E0); error FeeTooHigh(); event FeesSet(uint16 b, uint16 s); function setFees(uint16 b, uint16 s) external onlyOwner { if (b > 300 || s > 300) revert FeeTooHigh(); buyBps = b; sellBps = s; emit FeesSet(b, s); }",
      update:
        "function _update(address from, address to, uint256 value) internal override { uint256 bps = from == address(0) || from == owner() || to == owner() ? 0 : from == pair ? buyBps : to == pair ? sellBps : 0; if (bps > 0) { uint256 cut = value * bps / 10_000; super._update(from, treasury, cut); value -= cut; } super._update(from, to, value); }",
    }),
  },
  ThreeWallets: {
    kind: "fixed tax to three wallets",
    source: writeOz({
      members:
        "address public immutable team = address(0x7EA); address public immutable marketing = address(0x3A7);",
      update:
        "function _update(address from, address to, uint256 value) internal override { if (from != address(0) && (from == pair || to == pair) && balanceOf(pair) > 0) { uint256 part = value / 100; super._update(from, team, part); super._update(from, marketing, part); super._update(from, address(0xdead), part); value -= part * 3; } super._update(from, to, value); }",
    }),
  },
  WalletUp: {
    kind: "limit of a wallet that only rises",
    source: writeTaxed({
      members:
        "uint256 public maxWallet = 8_413_800_000e9; function raiseMaxWallet(uint256 next) external onlyOwner { require(next >= maxWallet); maxWallet = next; }",
      rule: "if (from == pair) require(_balances[to] + value <= maxWallet);",
    }),
  },
  TeamVests: {
    kind: "team's share in a published vesting wallet",
    source: writeOz({
      imports: 'import {VestingWallet} from "@openzeppelin/contracts/finance/VestingWallet.sol";',
      members:
        "VestingWallet public immutable vesting = new VestingWallet(msg.sender, uint64(block.timestamp + 365 days), 730 days);",
      created: "_transfer(msg.sender, address(vesting), 150_000_000e18);",
    }),
  },
  RewardsPool: {
    kind: "rewards from what the token holds",
    source: writeOz({
      members:
        "mapping(address => uint256) public staked; mapping(address => uint256) private since; function stake(uint256 value) external { require(staked[msg.sender] == 0); _transfer(msg.sender, address(0x57A), value); staked[msg.sender] = value; since[msg.sender] = block.timestamp; } function reward(address who) external view returns (uint256) { return staked[who] * (block.timestamp - since[who]) / 3650 days; }",
    }),
  },
  YearlyByTimelock: {
    kind: "inflation of two percent a year by a timelock",
    source: writeOz({
      imports: TIMELOCK,
      args: "address m",
      members:
        "address public minter; uint256 public mintingAllowedAfter; function setMinter(address next) external { require(msg.sender == minter); minter = next; } function mint(address to, uint256 value) external { require(msg.sender == minter && block.timestamp >= mintingAllowedAfter && value <= totalSupply() * 2 / 100); mintingAllowedAfter = block.timestamp + 365 days; _mint(to, value); }",
      created: "minter = address(Maker(m).lock()); mintingAllowedAfter = block.timestamp + 365 days;",
    }),
    companions: ["Maker"],
  },
  PauserTimelock: {
    kind: "pauser's role with a timelock",
    source: writeOz({
      imports: `import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";${EXT("ERC20Pausable")}${TIMELOCK}`,
      bases: ", ERC20Pausable, AccessControl",
      args: "address m",
      members:
        "bytes32 public constant PAUSER_ROLE = keccak256('PAUSER_ROLE'); function pause() external onlyRole(PAUSER_ROLE) { _pause(); } function unpause() external onlyRole(PAUSER_ROLE) { _unpause(); }",
      created:
        "address l = address(Maker(m).lock()); _grantRole(DEFAULT_ADMIN_ROLE, l); _grantRole(PAUSER_ROLE, l);",
      update:
        "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) { super._update(from, to, value); }",
    }),
    companions: ["Maker"],
  },
  Snapshots: {
    kind: "owner who counts snapshots",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "uint256 public epochs; event Snapshot(uint256 id, uint256 supply); function snapshot() external onlyOwner returns (uint256) { emit Snapshot(++epochs, totalSupply()); return epochs; }",
    }),
  },
  NoForwarder: {
    kind: "context of a forwarder that is nobody",
    source: writeOz({
      imports:
        'import {Context} from "@openzeppelin/contracts/utils/Context.sol";import {ERC2771Context} from "@openzeppelin/contracts/metatx/ERC2771Context.sol";',
      bases: ", ERC2771Context",
      members:
        "function _msgSender() internal view override(Context, ERC2771Context) returns (address) { return ERC2771Context._msgSender(); } function _msgData() internal view override(Context, ERC2771Context) returns (bytes calldata) { return ERC2771Context._msgData(); } function _contextSuffixLength() internal view override(Context, ERC2771Context) returns (uint256) { return ERC2771Context._contextSuffixLength(); }",
    }).replace('ERC20("Meadow", "MDW")', 'ERC20("Meadow", "MDW") ERC2771Context(address(0))'),
  },
  OldDappsys: {
    kind: "old book with a stop that nobody has",
    source: writeSource(`
contract Coin { bytes32 public symbol = "DST"; bytes32 public name = "Stone"; uint256 public decimals = 18; uint256 public totalSupply; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; bool public stopped; address public owner; event Transfer(address indexed src, address indexed dst, uint256 wad); event Approval(address indexed src, address indexed guy, uint256 wad); event LogSetOwner(address indexed owner);
  constructor() { owner = msg.sender; totalSupply = 1e27; balanceOf[msg.sender] = 1e27; emit Transfer(address(0), msg.sender, 1e27); }
  modifier auth { require(msg.sender == owner, "ds-auth-unauthorized"); _; } modifier stoppable { require(!stopped, "ds-stop-is-stopped"); _; }
  function setOwner(address next) external auth { owner = next; emit LogSetOwner(next); } function stop() external auth { stopped = true; } function start() external auth { stopped = false; }
  function approve(address guy, uint256 wad) external stoppable returns (bool) { allowance[msg.sender][guy] = wad; emit Approval(msg.sender, guy, wad); return true; }
  function transfer(address dst, uint256 wad) external returns (bool) { return transferFrom(msg.sender, dst, wad); } function push(address dst, uint256 wad) external { transferFrom(msg.sender, dst, wad); } function pull(address src, uint256 wad) external { transferFrom(src, msg.sender, wad); }
  function transferFrom(address src, address dst, uint256 wad) public stoppable returns (bool) { if (src != msg.sender && allowance[src][msg.sender] != type(uint256).max) { require(allowance[src][msg.sender] >= wad, "ds-token-insufficient-approval"); allowance[src][msg.sender] -= wad; } require(balanceOf[src] >= wad, "ds-token-insufficient-balance"); balanceOf[src] -= wad; balanceOf[dst] += wad; emit Transfer(src, dst, wad); return true; }
  function burn(uint256 wad) external stoppable { balanceOf[msg.sender] -= wad; totalSupply -= wad; emit Transfer(msg.sender, address(0), wad); } }`),
    finish: [step(["setOwner(address)", "nobody"])],
  },
  ListsHolders: {
    kind: "list of its holders",
    source: writeOz({
      imports: 'import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";',
      members:
        "using EnumerableSet for EnumerableSet.AddressSet; EnumerableSet.AddressSet private holders; function holderCount() external view returns (uint256) { return holders.length(); }",
      update:
        "function _update(address from, address to, uint256 value) internal override { super._update(from, to, value); if (balanceOf(from) == 0) holders.remove(from); if (to != address(0) && balanceOf(to) > 0) holders.add(to); }",
    }),
  },
  NotesTimes: {
    kind: "notes when an account traded last",
    source: writeOz({
      members: "mapping(address => uint256) public lastMoved;",
      rule: "lastMoved[from] = block.timestamp; lastMoved[to] = block.timestamp;",
    }),
  },
  Distributed: {
    kind: "supply given to several accounts at creation",
    source: writeOz({
      created:
        "_transfer(msg.sender, address(0xA11), 10_000_000e18); _transfer(msg.sender, address(0xA12), 10_000_000e18); _transfer(msg.sender, address(0xA13), 10_000_000e18);",
    }),
  },
  MateABlock: {
    kind: "another library's book, one trade a block",
    source: writeSource(`
contract Coin { string public constant name = "Mate"; string public constant symbol = "MTE"; uint8 public constant decimals = 18; uint256 public totalSupply = 1e27; address public immutable pair; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; mapping(address => uint256) private turn; error TooSoon(); event Transfer(address indexed from, address indexed to, uint256 amount); event Approval(address indexed owner, address indexed spender, uint256 amount);
  constructor() { pair = IPairs(PAIRS).createPair(address(this), WETH); balanceOf[msg.sender] = 1e27; emit Transfer(address(0), msg.sender, 1e27); }
  function approve(address spender, uint256 amount) public returns (bool) { allowance[msg.sender][spender] = amount; emit Approval(msg.sender, spender, amount); return true; }
  function transfer(address to, uint256 amount) public returns (bool) { _move(msg.sender, to, amount); return true; }
  function transferFrom(address from, address to, uint256 amount) public returns (bool) { uint256 allowed = allowance[from][msg.sender]; if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount; _move(from, to, amount); return true; }
  function _move(address from, address to, uint256 amount) private { if (from == pair) { if (turn[to] == block.number) revert TooSoon(); turn[to] = block.number; } else if (to == pair) { if (turn[from] == block.number) revert TooSoon(); turn[from] = block.number; } balanceOf[from] -= amount; unchecked { balanceOf[to] += amount; } emit Transfer(from, to, amount); } }`),
  },
  DollarTax: {
    kind: "fixed tax, traded against the stablecoin",
    source: writeOz({
      members:
        "address public immutable treasury = address(0x7E0); address private immutable first = msg.sender;",
      update:
        "function _update(address from, address to, uint256 value) internal override { if (from != address(0) && from != first && to != first) { uint256 cut = value / 100; super._update(from, treasury, cut); value -= cut; } super._update(from, to, value); }",
    }),
    pool: "stablecoin",
  },
  TransferableLock: {
    kind: "locker whose receiver may pass on its place",
    source: KEEPER(
      'address public immutable token; address public owner; uint256 public unlockTime; event LockExtended(uint256 until); constructor(address t, address o, uint256 u) { token = t; owner = o; unlockTime = u; } function transferLock(address next) external { require(msg.sender == owner); owner = next; } function extend(uint256 next) external { require(msg.sender == owner && next > unlockTime); unlockTime = next; emit LockExtended(next); } function withdraw() external { require(msg.sender == owner && block.timestamp >= unlockTime, "locked"); IShares(token).transfer(owner, IShares(token).balanceOf(address(this))); }',
    ),
    keeper: "Keeper",
  },
  NumberedLocks: {
    kind: "locker with numbered locks",
    source: KEEPER(
      'struct Lock { address token; address owner; uint256 amount; uint256 unlockAt; } mapping(uint256 => Lock) public locks; constructor(address t, address o, uint256 u) { locks[1] = Lock(t, o, type(uint256).max, u); } function withdraw(uint256 id) external { Lock storage one = locks[id]; require(msg.sender == one.owner && block.timestamp >= one.unlockAt, "locked"); IShares(one.token).transfer(one.owner, IShares(one.token).balanceOf(address(this))); delete locks[id]; } function prolong(uint256 id, uint256 until) external { Lock storage one = locks[id]; require(msg.sender == one.owner && until > one.unlockAt); one.unlockAt = until; }',
    ),
    keeper: "Keeper",
  },
  FixedLock: {
    kind: "locker with a time in its code",
    source: KEEPER(
      'IShares private immutable token; address private immutable to; uint256 private immutable at; constructor(address t, address o, uint256 u) { token = IShares(t); to = o; at = u; } function release() external { require(block.timestamp > at, "TokenTimelock: current time is before release time"); uint256 amount = token.balanceOf(address(this)); require(amount > 0); token.transfer(to, amount); }',
    ),
    keeper: "Keeper",
  },
  UupsByTimelock: {
    kind: "upgradeable by a timelock",
    source: writeSource(`
${TIMELOCK}
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Logic is ERC20("", ""), UUPSUpgradeable { address public owner; function begin(address holder, address keeper) external { require(owner == address(0)); owner = keeper; _mint(holder, 1e27); } function _authorizeUpgrade(address) internal view override { require(msg.sender == owner); } }
contract Coin is ERC1967Proxy { constructor(address logic, address m) ERC1967Proxy(logic, abi.encodeCall(Logic.begin, (msg.sender, address(Maker(m).lock())))) {} }`),
    companions: ["Logic", "Maker"],
  },
  BurnsToEarn: {
    kind: "burning earns points",
    source: writeOz({
      members:
        "mapping(address => uint256) public points; function burnForPoints(uint256 value) external { _burn(msg.sender, value); points[msg.sender] += value; } function spend(uint256 value) external { points[msg.sender] -= value; }",
    }),
  },
};

export const furtherHonest: readonly LaunchCase[] = Object.entries(honest).map(([name, one]) => ({
  name: `${name}Further`,
  label: "honest",
  contract: "Coin",
  ...one,
}));
