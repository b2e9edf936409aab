import { type LaunchCase, step } from "./launchCase.js";
import { writeOz, writeSource, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const EXT = (name: string) =>
  `import {${name}} from "@openzeppelin/contracts/token/ERC20/extensions/${name}.sol";`;
const PERMIT = EXT("ERC20Permit");
const RENOUNCE = step(["renounceOwnership()"]);
const VOTES = `${PERMIT}${EXT("ERC20Votes")}import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";`;
const VOTES_UPDATE =
  "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) { super._update(from, to, value); } function nonces(address who) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(who); }";

type Honest = Omit<LaunchCase, "label" | "contract" | "name"> & { readonly contract?: string };

const honest: Readonly<Record<string, Honest>> = {
  Plain: { kind: "plain", source: writeOz({}) },
  Burnable: { kind: "wizard", source: writeOz({ imports: EXT("ERC20Burnable"), bases: ", ERC20Burnable" }) },
  Permitted: { kind: "wizard", source: writeOz({ imports: PERMIT, bases: ", ERC20Permit" }) },
  Voting: {
    kind: "wizard",
    source: writeOz({ imports: VOTES, bases: ", ERC20Permit, ERC20Votes", update: VOTES_UPDATE }),
  },
  FlashMint: {
    kind: "wizard",
    source: writeOz({ imports: EXT("ERC20FlashMint"), bases: ", ERC20FlashMint" }),
  },
  Payable1363: { kind: "wizard", source: writeOz({ imports: EXT("ERC1363"), bases: ", ERC1363" }) },
  CappedFull: {
    kind: "wizard",
    source: writeOz({
      imports: EXT("ERC20Capped") + OWNABLE,
      bases: ", ERC20Capped, Ownable",
      update:
        "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped) { super._update(from, to, value); }",
      members: "function mint(address to, uint256 value) external onlyOwner { _mint(to, value); }",
    }).replace('ERC20("Meadow", "MDW")', 'ERC20("Meadow", "MDW") ERC20Capped(1_000_000_000e18)'),
  },
  PausableGone: {
    kind: "renounced",
    source: writeOz({
      imports: EXT("ERC20Pausable") + OWNABLE,
      bases: ", ERC20Pausable, Ownable",
      update:
        "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) { super._update(from, to, value); }",
      members:
        "function pause() external onlyOwner { _pause(); } function unpause() external onlyOwner { _unpause(); }",
    }),
    finish: [RENOUNCE],
  },
  RolesGone: {
    kind: "renounced",
    source: writeOz({
      imports: 'import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";',
      bases: ", AccessControl",
      members:
        'bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE"); function mint(address to, uint256 value) external onlyRole(MINTER_ROLE) { _mint(to, value); } function leave() external { _revokeRole(MINTER_ROLE, msg.sender); _revokeRole(DEFAULT_ADMIN_ROLE, msg.sender); }',
      created: "_grantRole(DEFAULT_ADMIN_ROLE, msg.sender); _grantRole(MINTER_ROLE, msg.sender);",
    }),
    finish: [step(["leave()"])],
  },
  MintGone: {
    kind: "renounced",
    source: writeOz({
      imports: OWNABLE + PERMIT,
      bases: ", ERC20Permit, Ownable",
      members: "function mint(address to, uint256 value) external onlyOwner { _mint(to, value); }",
    }),
    finish: [RENOUNCE],
  },
  BlacklistGone: {
    kind: "renounced",
    source: writeTaxed({
      members:
        "mapping(address => bool) public bots; function setBots(address[] calldata list, bool on) external onlyOwner { for (uint256 i; i < list.length; i++) bots[list[i]] = on; }",
      rule: "require(!bots[from]);",
    }),
    finish: [RENOUNCE],
  },
  FeesGone: {
    kind: "renounced",
    source: writeTaxed({
      buyFee: 3,
      sellFee: 3,
      swapsBack: true,
      members:
        "function setFees(uint256 b, uint256 s) external onlyOwner { buyFee = b; sellFee = s; } function setTaxWallet(address payable to) external onlyOwner { _taxWallet = to; }",
    }),
    finish: [RENOUNCE],
  },
  LimitsLifted: {
    kind: "launch template",
    source: writeTaxed({
      members:
        "uint256 public maxTx = 8_413_800_000e9; uint256 public maxWallet = 8_413_800_000e9; bool private open; function removeLimits() external onlyOwner { maxTx = _total; maxWallet = _total; } function openTrading() external onlyOwner { open = true; }",
      rule: 'require(open); if (from == pair) { require(value <= maxTx, "max tx"); require(_balances[to] + value <= maxWallet, "max wallet"); }',
    }),
    finish: [step(["openTrading()"]), step(["removeLimits()"])],
  },
  LimitsStanding: {
    kind: "launch template",
    source: writeTaxed({
      members:
        "uint256 public maxWallet = 8_413_800_000e9; function removeLimits() external onlyOwner { maxWallet = _total; }",
      rule: 'if (from == pair) require(_balances[to] + value <= maxWallet, "max wallet");',
    }),
  },
  FallingTax: {
    kind: "launch template",
    source: writeTaxed({
      swapsBack: true,
      members: "uint256 private bought; uint256 private initial = 20; uint256 private constant LAST = 2;",
      created: "bought = 30;",
      rule: "if (from == pair) { bought++; fee = bought > 25 ? LAST : initial; } else if (to == pair) fee = bought > 25 ? LAST : initial;",
    }),
    finish: [RENOUNCE],
  },
  FeesOnlyDown: {
    kind: "bounded owner",
    source: writeTaxed({
      buyFee: 4,
      sellFee: 4,
      members:
        'function reduceFee(uint256 next) external onlyOwner { require(next <= buyFee, "only down"); buyFee = next; sellFee = next; }',
    }),
  },
  FeesCapped: {
    kind: "bounded owner",
    source: writeTaxed({
      buyFee: 2,
      sellFee: 2,
      swapsBack: true,
      members:
        'function setFees(uint256 b, uint256 s) external onlyOwner { require(b <= 5 && s <= 5, "at most 5"); buyFee = b; sellFee = s; }',
    }),
  },
  ExemptSet: {
    kind: "bounded owner",
    source: writeTaxed({
      buyFee: 3,
      sellFee: 3,
      members: "function excludeFromFees(address who, bool on) external onlyOwner { _exempt[who] = on; }",
    }),
  },
  WalletSet: {
    kind: "bounded owner",
    source: writeTaxed({
      buyFee: 1,
      sellFee: 1,
      swapsBack: true,
      members: "function setMarketingWallet(address payable to) external onlyOwner { _taxWallet = to; }",
    }),
  },
  Uri: {
    kind: "harmless owner",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "string public uri; string public site; function setUri(string calldata next) external onlyOwner { uri = next; } function setSite(string calldata next) external onlyOwner { site = next; }",
    }),
  },
  Rescues: {
    kind: "harmless owner",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      before: "interface IAny { function transfer(address, uint256) external returns (bool); }",
      members:
        "receive() external payable {} function rescueToken(address coin, uint256 value) external onlyOwner { require(coin != address(this)); IAny(coin).transfer(owner(), value); } function rescueEther() external onlyOwner { payable(owner()).transfer(address(this).balance); }",
    }),
  },
  Clanked: {
    kind: "launchpad",
    source: writeOz({
      imports: VOTES + EXT("ERC20Burnable"),
      bases: ", ERC20Permit, ERC20Votes, ERC20Burnable",
      update: VOTES_UPDATE,
      members:
        "address private constant BRIDGE = 0x4200000000000000000000000000000000000028; address private _admin = msg.sender; string private _image; string private _metadata; bool private _verified; event UpdateImage(string image); function updateAdmin(address next) external { require(msg.sender == _admin); _admin = next; } function updateImage(string memory image) external { require(msg.sender == _admin); _image = image; emit UpdateImage(image); } function updateMetadata(string memory text) external { require(msg.sender == _admin); _metadata = text; } function verify() external { require(msg.sender == _admin && !_verified); _verified = true; } function crosschainMint(address to, uint256 value) external { require(msg.sender == BRIDGE); _mint(to, value); } function crosschainBurn(address from, uint256 value) external { require(msg.sender == BRIDGE); _burn(from, value); } function isVerified() external view returns (bool) { return _verified; } function image() external view returns (string memory) { return _image; }",
    }),
  },
  Bridged: {
    kind: "bridge",
    source: writeOz({
      members:
        "address public constant BRIDGE = 0x4200000000000000000000000000000000000010; address public immutable REMOTE_TOKEN = address(0x1234); function mint(address to, uint256 value) external { require(msg.sender == BRIDGE); _mint(to, value); } function burn(address from, uint256 value) external { require(msg.sender == BRIDGE); _burn(from, value); }",
    }),
  },
  Reflected: {
    kind: "reflection",
    source: writeSource(`
contract Coin { string public constant name = "Mirror"; string public constant symbol = "MRR"; uint8 public constant decimals = 9; uint256 private constant MAX = ~uint256(0); uint256 private constant _tTotal = 1e12 * 1e9; uint256 private _rTotal = MAX - (MAX % _tTotal); mapping(address => uint256) private _rOwned; mapping(address => mapping(address => uint256)) public allowance; mapping(address => bool) private _free; uint256 public fees; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
  constructor() { _rOwned[msg.sender] = _rTotal; _free[msg.sender] = true; emit Transfer(address(0), msg.sender, _tTotal); }
  function totalSupply() external pure returns (uint256) { return _tTotal; } function balanceOf(address a) public view returns (uint256) { return _rOwned[a] / (_rTotal / _tTotal); }
  function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
  function transfer(address to, uint256 v) external returns (bool) { move(msg.sender, to, v); return true; }
  function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; move(f, to, v); return true; }
  function move(address f, address to, uint256 v) private { uint256 rate = _rTotal / _tTotal; uint256 fee = _free[f] || _free[to] ? 0 : v * 2 / 100; _rOwned[f] -= v * rate; _rOwned[to] += (v - fee) * rate; _rTotal -= fee * rate; fees += fee; emit Transfer(f, to, v - fee); } }`),
  },
  AutoBurn: {
    kind: "burn on transfer",
    source: writeOz({
      update:
        "function _update(address from, address to, uint256 value) internal override { if (from != address(0) && to != address(0) && (from == pair || to == pair)) { uint256 gone = value / 100; super._update(from, address(0), gone); value -= gone; } super._update(from, to, value); }",
    }),
  },
  DeadTax: {
    kind: "burn on transfer",
    source: writeOz({
      update:
        "function _update(address from, address to, uint256 value) internal override { uint256 gone = to == pair && from != address(0) ? value * 4 / 100 : 0; if (gone > 0) super._update(from, address(0xdead), gone); super._update(from, to, value - gone); }",
    }),
  },
  AutoLiquidity: {
    kind: "fees to the pool",
    source: writeTaxed({
      buyFee: 2,
      sellFee: 2,
      swapsBack: true,
      members: "uint256 public swapped;",
      after: "swapped += 0;",
    }),
    finish: [RENOUNCE],
  },
  Dividends: {
    kind: "dividends in another contract",
    source: writeOz({
      before:
        "contract Tracker { address private immutable coin; mapping(address => uint256) public units; uint256 public all; constructor() { coin = msg.sender; } function set(address who, uint256 value) external { require(msg.sender == coin); all = all + value - units[who]; units[who] = value; } }",
      members: "Tracker public immutable tracker = new Tracker();",
      update:
        "function _update(address from, address to, uint256 value) internal override { super._update(from, to, value); try tracker.set(from, balanceOf(from)) {} catch {} try tracker.set(to, balanceOf(to)) {} catch {} }",
    }),
  },
  OneATurn: {
    kind: "against bots",
    source: writeOz({
      members: "mapping(address => uint256) private seen;",
      rule: 'if (from == pair || to == pair) { address who = from == pair ? to : from; require(seen[who] != block.number, "one a block"); seen[who] = block.number; }',
    }),
  },
  ShortCooldown: {
    kind: "against bots",
    source: writeTaxed({
      members: "mapping(address => uint256) private last;",
      rule: 'if (from == pair) last[to] = block.timestamp; if (to == pair) require(block.timestamp >= last[from] + 30, "wait");',
    }),
    finish: [RENOUNCE],
    later: { blocks: 20, seconds: 40 },
  },
  SniperTax: {
    kind: "against bots",
    source: writeTaxed({
      members: "uint256 private immutable born = block.number;",
      rule: "if (block.number < born + 3) fee = 90;",
    }),
    finish: [RENOUNCE],
  },
  OnceOpened: {
    kind: "launch template",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members: "bool public launched; function launch() external onlyOwner { launched = true; }",
      rule: 'require(launched || from == owner() || to == owner() || from == address(0), "not yet");',
    }),
    finish: [step(["launch()"])],
  },
  Sender: {
    kind: "extra functions for all",
    source: writeOz({
      members:
        "function multiSend(address[] calldata to, uint256[] calldata values) external { for (uint256 i; i < to.length; i++) _transfer(msg.sender, to[i], values[i]); }",
    }),
  },
  Staked: {
    kind: "extra functions for all",
    source: writeOz({
      members:
        "mapping(address => uint256) public staked; function stake(uint256 value) external { _transfer(msg.sender, address(this), value); staked[msg.sender] += value; } function unstake(uint256 value) external { staked[msg.sender] -= value; _transfer(address(this), msg.sender, value); }",
    }),
  },
  MerkleClaim: {
    kind: "extra functions for all",
    source: writeOz({
      imports: 'import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";',
      members:
        'bytes32 public constant ROOT = keccak256("root"); mapping(address => bool) public claimed; function claim(uint256 value, bytes32[] calldata proof) external { require(!claimed[msg.sender]); require(MerkleProof.verify(proof, ROOT, keccak256(abi.encode(msg.sender, value)))); claimed[msg.sender] = true; _transfer(address(this), msg.sender, value); }',
      created: "_transfer(msg.sender, address(this), 20_000_000e18);",
    }),
  },
  Authorised3009: {
    kind: "extra functions for all",
    source: writeOz({
      members:
        "mapping(address => mapping(bytes32 => bool)) public used; function transferWithAuthorization(address from, address to, uint256 value, uint256 after_, uint256 before_, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external { require(block.timestamp > after_ && block.timestamp < before_ && !used[from][nonce]); address signer = ecrecover(keccak256(abi.encode(address(this), block.chainid, from, to, value, after_, before_, nonce)), v, r, s); require(signer != address(0) && signer == from); used[from][nonce] = true; _transfer(from, to, value); }",
    }),
  },
  Checkpointed: {
    kind: "votes of old",
    source: writeSource(`
contract Coin { string public constant name = "Council"; string public constant symbol = "CNC"; uint8 public constant decimals = 18; uint256 public constant totalSupply = 10_000_000e18; struct Point { uint32 fromBlock; uint96 votes; } mapping(address => uint96) private balances; mapping(address => mapping(address => uint96)) private allowances; mapping(address => address) public delegates; mapping(address => mapping(uint32 => Point)) public checkpoints; mapping(address => uint32) public numCheckpoints; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
  constructor() { balances[msg.sender] = uint96(totalSupply); emit Transfer(address(0), msg.sender, totalSupply); }
  function balanceOf(address a) external view returns (uint256) { return balances[a]; } function allowance(address a, address s) external view returns (uint256) { return allowances[a][s]; }
  function approve(address s, uint256 raw) external returns (bool) { uint96 v = raw == type(uint256).max ? type(uint96).max : safe(raw); allowances[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
  function safe(uint256 n) private pure returns (uint96) { require(n < 2**96, "exceeds 96 bits"); return uint96(n); }
  function transfer(address to, uint256 raw) external returns (bool) { move(msg.sender, to, safe(raw)); return true; }
  function transferFrom(address f, address to, uint256 raw) external returns (bool) { uint96 v = safe(raw); uint96 left = allowances[f][msg.sender]; if (f != msg.sender && left != type(uint96).max) allowances[f][msg.sender] = left - v; move(f, to, v); return true; }
  function delegate(address to) external { address old = delegates[msg.sender]; delegates[msg.sender] = to; shift(old, to, balances[msg.sender]); }
  function move(address f, address to, uint96 v) private { require(to != address(0)); balances[f] -= v; balances[to] += v; emit Transfer(f, to, v); shift(delegates[f], delegates[to], v); }
  function shift(address a, address b, uint96 v) private { if (a == b || v == 0) return; if (a != address(0)) write(a, now_(a) - v); if (b != address(0)) write(b, now_(b) + v); }
  function now_(address a) private view returns (uint96) { uint32 n = numCheckpoints[a]; return n > 0 ? checkpoints[a][n - 1].votes : 0; }
  function write(address a, uint96 votes) private { uint32 n = numCheckpoints[a]; if (n > 0 && checkpoints[a][n - 1].fromBlock == block.number) checkpoints[a][n - 1].votes = votes; else { checkpoints[a][n] = Point(uint32(block.number), votes); numCheckpoints[a] = n + 1; } } }`),
  },
  Controllerless: {
    kind: "minime",
    source: writeSource(`
contract Coin { string public name = "Mini"; string public symbol = "MINI"; uint8 public decimals = 18; address public controller; bool public transfersEnabled = true; struct Checkpoint { uint128 fromBlock; uint128 value; } mapping(address => Checkpoint[]) private balances; mapping(address => mapping(address => uint256)) public allowance; Checkpoint[] private supply; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value); modifier onlyController() { require(msg.sender == controller); _; }
  constructor() { controller = msg.sender; set(supply, 1e26); set(balances[msg.sender], 1e26); emit Transfer(address(0), msg.sender, 1e26); }
  function changeController(address next) external onlyController { controller = next; } function enableTransfers(bool on) external onlyController { transfersEnabled = on; } function generateTokens(address to, uint256 v) external onlyController { set(supply, get(supply) + v); set(balances[to], get(balances[to]) + v); emit Transfer(address(0), to, v); }
  function totalSupply() external view returns (uint256) { return get(supply); } function balanceOf(address a) public view returns (uint256) { return get(balances[a]); } function approve(address s, uint256 v) external returns (bool) { require(transfersEnabled); allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
  function transfer(address to, uint256 v) external returns (bool) { require(transfersEnabled); move(msg.sender, to, v); return true; } function transferFrom(address f, address to, uint256 v) external returns (bool) { if (msg.sender != controller) { require(transfersEnabled); allowance[f][msg.sender] -= v; } move(f, to, v); return true; }
  function move(address f, address to, uint256 v) private { require(to != address(0) && to != address(this)); set(balances[f], get(balances[f]) - v); set(balances[to], get(balances[to]) + v); emit Transfer(f, to, v); }
  function get(Checkpoint[] storage c) private view returns (uint256) { return c.length == 0 ? 0 : c[c.length - 1].value; } function set(Checkpoint[] storage c, uint256 v) private { if (c.length == 0 || c[c.length - 1].fromBlock < block.number) c.push(Checkpoint(uint128(block.number), uint128(v))); else c[c.length - 1].value = uint128(v); } }`),
    finish: [step(["changeController(address)", "nobody"])],
  },
  Cloned: {
    kind: "proxy that nobody changes",
    contract: "Clone",
    source: writeSource(`
contract Logic { string public name; uint256 public totalSupply; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); function symbol() external pure returns (string memory) { return "CLN"; } function decimals() external pure returns (uint8) { return 18; } function begin(address to) external { require(totalSupply == 0); name = "Clone"; totalSupply = 1e27; balanceOf[to] = 1e27; emit Transfer(address(0), to, 1e27); } function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; return true; } function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; } function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true; } }
contract Clone { constructor(address logic) { (bool ok, ) = logic.delegatecall(abi.encodeWithSignature("begin(address)", msg.sender)); require(ok); bytes memory code = abi.encodePacked(hex"363d3d373d3d3d363d73", logic, hex"5af43d82803e903d91602b57fd5bf3"); assembly { return(add(code, 32), mload(code)) } } }`),
    companions: ["Logic"],
  },
  FixedProxy: {
    kind: "proxy that nobody changes",
    contract: "Proxy",
    source: writeSource(`
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
contract Logic { string public name; uint256 public totalSupply; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); function symbol() external pure returns (string memory) { return "FXP"; } function decimals() external pure returns (uint8) { return 18; } function begin(address to) external { require(totalSupply == 0); name = "Fixed proxy"; totalSupply = 1e27; balanceOf[to] = 1e27; emit Transfer(address(0), to, 1e27); } function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; return true; } function transfer(address to, uint256 v) external returns (bool) { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); return true; } function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); return true; } }
contract Proxy is ERC1967Proxy { constructor(address logic) ERC1967Proxy(logic, abi.encodeWithSignature("begin(address)", msg.sender)) {} }`),
    companions: ["Logic"],
  },
  SixDecimals: {
    kind: "unusual",
    source: writeOz({ members: "function decimals() public pure override returns (uint8) { return 6; }" }),
  },
  Silent: {
    kind: "unusual",
    source: writeSource(`
contract Coin { string public constant name = "Silent"; string public constant symbol = "SIL"; uint256 public constant decimals = 6; uint256 public constant totalSupply = 1e15; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); constructor() { balanceOf[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); } function approve(address s, uint256 v) external { require(v == 0 || allowance[msg.sender][s] == 0); allowance[msg.sender][s] = v; } function transfer(address to, uint256 v) external { balanceOf[msg.sender] -= v; balanceOf[to] += v; emit Transfer(msg.sender, to, v); } function transferFrom(address f, address to, uint256 v) external { allowance[f][msg.sender] -= v; balanceOf[f] -= v; balanceOf[to] += v; emit Transfer(f, to, v); } }`),
  },
  NotItself: {
    kind: "unusual",
    source: writeOz({
      rule: 'require(to != address(this), "not to the token"); require(from != to, "not to oneself");',
    }),
  },
  LockedYear: {
    kind: "holdings",
    source: writeOz({ imports: PERMIT, bases: ", ERC20Permit" }),
    liquidity: "locked",
  },
  Buried: {
    kind: "holdings",
    source: writeTaxed({ buyFee: 1, sellFee: 1 }),
    finish: [RENOUNCE],
    liquidity: "buried",
  },
  BurntPosition: {
    kind: "holdings",
    source: writeOz({ imports: PERMIT, bases: ", ERC20Permit" }),
    pool: "concentrated",
  },
  DollarPool: {
    kind: "holdings",
    source: writeOz({ imports: EXT("ERC20Burnable"), bases: ", ERC20Burnable" }),
    pool: "stablecoin",
  },
  TeamVested: { kind: "holdings", source: writeOz({}), keptBps: 2_500, vested: true },
  ManyHolders: {
    kind: "holdings",
    source: writeOz({ imports: PERMIT, bases: ", ERC20Permit" }),
    keptBps: 1_500,
    pockets: 12,
  },
};

export const wildHonest: readonly LaunchCase[] = Object.entries(honest).map(([name, one]) => ({
  name: `${name}Wild`,
  label: "honest",
  contract: "Coin",
  ...one,
}));
