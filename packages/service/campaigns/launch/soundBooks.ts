import type { LaunchCase } from "./launchCase.js";
import { writeOz, writeSource } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const EXT = (name: string) =>
  `import {${name}} from "@openzeppelin/contracts/token/ERC20/extensions/${name}.sol";`;
/** A timelock of two days. */
const TL =
  'import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";\ncontract Maker { TimelockController public lock; constructor() { address[] memory p = new address[](1); p[0] = msg.sender; lock = new TimelockController(2 days, p, p, address(0)); } }';

type Honest = Omit<LaunchCase, "label" | "contract" | "name">;

/** Books as published libraries keep them, and owners that projects have. */
const honest: Readonly<Record<string, Honest>> = {
  SoladyStyle: {
    kind: "solady erc20",
    source: writeSource(`
contract Coin { event Transfer(address indexed from, address indexed to, uint256 amount); event Approval(address indexed owner, address indexed spender, uint256 amount);
 uint256 private constant _TOTAL_SUPPLY_SLOT = 0x05345cdf77eb68f44c; uint256 private constant _BALANCE_SLOT_SEED = 0x87a211a2; uint256 private constant _ALLOWANCE_SLOT_SEED = 0x7f5e9f20;
 constructor() { address to = msg.sender; assembly { sstore(_TOTAL_SUPPLY_SLOT, 1000000000000000000000000000) mstore(0x0c, _BALANCE_SLOT_SEED) mstore(0x00, to) sstore(keccak256(0x0c, 0x20), 1000000000000000000000000000) } emit Transfer(address(0), to, 1e27); }
 function name() external pure returns (string memory) { return "Sol"; } function symbol() external pure returns (string memory) { return "SOL"; } function decimals() external pure returns (uint8) { return 18; }
 function totalSupply() public view returns (uint256 result) { assembly { result := sload(_TOTAL_SUPPLY_SLOT) } }
 function balanceOf(address owner) public view returns (uint256 result) { assembly { mstore(0x0c, _BALANCE_SLOT_SEED) mstore(0x00, owner) result := sload(keccak256(0x0c, 0x20)) } }
 function allowance(address owner, address spender) public view returns (uint256 result) { assembly { mstore(0x20, spender) mstore(0x0c, _ALLOWANCE_SLOT_SEED) mstore(0x00, owner) result := sload(keccak256(0x0c, 0x34)) } }
 function approve(address spender, uint256 amount) public returns (bool) { assembly { mstore(0x20, spender) mstore(0x0c, _ALLOWANCE_SLOT_SEED) mstore(0x00, caller()) sstore(keccak256(0x0c, 0x34), amount) } emit Approval(msg.sender, spender, amount); return true; }
 function transfer(address to, uint256 amount) public returns (bool) { assembly { mstore(0x0c, _BALANCE_SLOT_SEED) mstore(0x00, caller()) let fromBalanceSlot := keccak256(0x0c, 0x20) let fromBalance := sload(fromBalanceSlot) if gt(amount, fromBalance) { mstore(0x00, 0xf4d678b8) revert(0x1c, 0x04) } sstore(fromBalanceSlot, sub(fromBalance, amount)) mstore(0x00, to) let toBalanceSlot := keccak256(0x0c, 0x20) sstore(toBalanceSlot, add(sload(toBalanceSlot), amount)) } emit Transfer(msg.sender, to, amount); return true; }
 function transferFrom(address from, address to, uint256 amount) public returns (bool) { assembly { let from_ := shl(96, from) mstore(0x20, caller()) mstore(0x0c, or(from_, _ALLOWANCE_SLOT_SEED)) let allowanceSlot := keccak256(0x0c, 0x34) let allowance_ := sload(allowanceSlot) if not(allowance_) { if gt(amount, allowance_) { mstore(0x00, 0x13be252b) revert(0x1c, 0x04) } sstore(allowanceSlot, sub(allowance_, amount)) } mstore(0x0c, or(from_, _BALANCE_SLOT_SEED)) let fromBalanceSlot := keccak256(0x0c, 0x20) let fromBalance := sload(fromBalanceSlot) if gt(amount, fromBalance) { mstore(0x00, 0xf4d678b8) revert(0x1c, 0x04) } sstore(fromBalanceSlot, sub(fromBalance, amount)) mstore(0x00, to) let toBalanceSlot := keccak256(0x0c, 0x20) sstore(toBalanceSlot, add(sload(toBalanceSlot), amount)) } emit Transfer(from, to, amount); return true; } }`),
  },
  PublishedTax: {
    kind: "published tax to treasury",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "uint256 public constant TAX_BPS = 200; address public immutable treasury = address(0x7E0); mapping(address => bool) public exempt; function setExempt(address who, bool on) external onlyOwner { exempt[who] = on; }",
      update:
        "function _update(address from, address to, uint256 value) internal override { if (from != address(0) && (from == pair || to == pair) && !exempt[from] && !exempt[to]) { uint256 tax = (value * TAX_BPS) / 10_000; super._update(from, treasury, tax); value -= tax; } super._update(from, to, value); }",
    }),
  },
  TimelockedPause: {
    kind: "pausable under timelock",
    source: writeOz({
      imports: OWNABLE + EXT("ERC20Pausable") + TL,
      bases: ", ERC20Pausable, Ownable",
      args: "address m",
      created: "_transferOwnership(address(Maker(m).lock()));",
      update:
        "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Pausable) { super._update(from, to, value); }",
      members:
        "function pause() external onlyOwner { _pause(); } function unpause() external onlyOwner { _unpause(); }",
    }),
    companions: ["Maker"],
  },
  VotesPermitBurn: {
    kind: "governance",
    source: writeOz({
      imports: `${EXT("ERC20Permit")}${EXT("ERC20Votes")}${EXT("ERC20Burnable")}import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";`,
      bases: ", ERC20Burnable, ERC20Permit, ERC20Votes",
      update:
        "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) { super._update(from, to, value); } function nonces(address who) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(who); }",
      members:
        "function clock() public view override returns (uint48) { return uint48(block.timestamp); } function CLOCK_MODE() public pure override returns (string memory) { return 'mode=timestamp'; }",
    }),
  },
  ReflectSafeMoon: {
    kind: "reflection with excluded accounts",
    source: writeSource(`
contract Coin { mapping(address => uint256) private _rOwned; mapping(address => uint256) private _tOwned; mapping(address => mapping(address => uint256)) private _allowances; mapping(address => bool) private _isExcludedFromFee; mapping(address => bool) private _isExcluded; address[] private _excluded; uint256 private constant MAX = ~uint256(0); uint256 private constant _tTotal = 1e24; uint256 private _rTotal = (MAX - (MAX % _tTotal)); uint256 private _tFeeTotal; uint256 public constant _taxFee = 2; address public owner = address(0); string public name = "Safe"; string public symbol = "SF"; uint8 public decimals = 9;
 event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
 constructor() { _rOwned[msg.sender] = _rTotal; _isExcludedFromFee[msg.sender] = true; emit Transfer(address(0), msg.sender, _tTotal); }
 function totalSupply() public pure returns (uint256) { return _tTotal; }
 function balanceOf(address a) public view returns (uint256) { return tokenFromReflection(_rOwned[a]); }
 function tokenFromReflection(uint256 r) public view returns (uint256) { require(r <= _rTotal, "less"); return r / (_rTotal / _tTotal); }
 function allowance(address o, address s) public view returns (uint256) { return _allowances[o][s]; }
 function approve(address s, uint256 v) public returns (bool) { _allowances[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
 function transfer(address to, uint256 v) public returns (bool) { _t(msg.sender, to, v); return true; }
 function transferFrom(address f, address to, uint256 v) public returns (bool) { require(_allowances[f][msg.sender] >= v, "allowance"); _allowances[f][msg.sender] -= v; _t(f, to, v); return true; }
 function _t(address f, address to, uint256 v) private { require(f != address(0) && to != address(0) && v > 0); uint256 rate = _rTotal / _tTotal; uint256 fee = _isExcludedFromFee[f] || _isExcludedFromFee[to] ? 0 : v * _taxFee / 100; uint256 rAmount = v * rate; uint256 rFee = fee * rate; _rOwned[f] = _rOwned[f] - rAmount; _rOwned[to] = _rOwned[to] + (rAmount - rFee); _rTotal = _rTotal - rFee; _tFeeTotal = _tFeeTotal + fee; emit Transfer(f, to, v - fee); } }`),
  },
  BridgeToken: {
    kind: "OP superchain bridge mintable",
    source: writeOz({
      imports: EXT("ERC20Permit"),
      bases: ", ERC20Permit",
      members:
        "address public constant BRIDGE = 0x4200000000000000000000000000000000000010; address public immutable remoteToken = address(0xBEEF); event Mint(address indexed a, uint256 v); modifier onlyBridge() { require(msg.sender == BRIDGE); _; } function l1Token() external view returns (address) { return remoteToken; } function mint(address to, uint256 v) external onlyBridge { _mint(to, v); emit Mint(to, v); } function burn(address from, uint256 v) external onlyBridge { _burn(from, v); } function supportsInterface(bytes4 i) external pure returns (bool) { return i == 0x01ffc9a7; }",
    }),
  },
  CompStyle: {
    kind: "solmate permit",
    source: writeSource(`
contract Coin { string public name = "Mate"; string public symbol = "MTE"; uint8 public immutable decimals = 18; uint256 public totalSupply; mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance; mapping(address => uint256) public nonces; uint256 internal immutable C = block.chainid; event Transfer(address indexed from, address indexed to, uint256 amount); event Approval(address indexed owner, address indexed spender, uint256 amount);
 constructor() { _mint(msg.sender, 1e27); }
 function approve(address spender, uint256 amount) public returns (bool) { allowance[msg.sender][spender] = amount; emit Approval(msg.sender, spender, amount); return true; }
 function transfer(address to, uint256 amount) public returns (bool) { balanceOf[msg.sender] -= amount; unchecked { balanceOf[to] += amount; } emit Transfer(msg.sender, to, amount); return true; }
 function transferFrom(address from, address to, uint256 amount) public returns (bool) { uint256 allowed = allowance[from][msg.sender]; if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount; balanceOf[from] -= amount; unchecked { balanceOf[to] += amount; } emit Transfer(from, to, amount); return true; }
 function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public { require(deadline >= block.timestamp, "PERMIT_DEADLINE_EXPIRED"); unchecked { address rec = ecrecover(keccak256(abi.encodePacked("\\x19\\x01", DOMAIN_SEPARATOR(), keccak256(abi.encode(keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"), owner, spender, value, nonces[owner]++, deadline)))), v, r, s); require(rec != address(0) && rec == owner, "INVALID_SIGNER"); allowance[rec][spender] = value; } emit Approval(owner, spender, value); }
 function DOMAIN_SEPARATOR() public view returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(string name)"), keccak256(bytes(name)), C, address(this))); }
 function _mint(address to, uint256 amount) internal { totalSupply += amount; unchecked { balanceOf[to] += amount; } emit Transfer(address(0), to, amount); } function burn(uint256 amount) external { balanceOf[msg.sender] -= amount; unchecked { totalSupply -= amount; } emit Transfer(msg.sender, address(0), amount); } }`),
  },
  SafeMathOld: {
    kind: "old safemath taxed",
    source: writeSource(`
library SM { function add(uint256 a, uint256 b) internal pure returns (uint256) { unchecked { uint256 c = a + b; require(c >= a, "add"); return c; } } function sub(uint256 a, uint256 b) internal pure returns (uint256) { unchecked { require(b <= a, "sub"); return a - b; } } function mul(uint256 a, uint256 b) internal pure returns (uint256) { unchecked { if (a == 0) return 0; uint256 c = a * b; require(c / a == b, "mul"); return c; } } function div(uint256 a, uint256 b) internal pure returns (uint256) { require(b > 0); return a / b; } }
contract Coin { using SM for uint256; string public name = "Old"; string public symbol = "OLD"; uint8 public decimals = 18; uint256 public totalSupply = 1e27; mapping(address => uint256) private _b; mapping(address => mapping(address => uint256)) private _a; address public marketing = address(0xFEE); event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
 constructor() { _b[msg.sender] = totalSupply; emit Transfer(address(0), msg.sender, totalSupply); } function balanceOf(address w) public view returns (uint256) { return _b[w]; } function allowance(address o, address s) public view returns (uint256) { return _a[o][s]; }
 function approve(address s, uint256 v) public returns (bool) { _a[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; } function increaseAllowance(address s, uint256 v) public returns (bool) { _a[msg.sender][s] = _a[msg.sender][s].add(v); return true; } function decreaseAllowance(address s, uint256 v) public returns (bool) { _a[msg.sender][s] = _a[msg.sender][s].sub(v); return true; }
 function transfer(address to, uint256 v) public returns (bool) { move(msg.sender, to, v); return true; } function transferFrom(address f, address to, uint256 v) public returns (bool) { move(f, to, v); _a[f][msg.sender] = _a[f][msg.sender].sub(v); return true; }
 function move(address f, address to, uint256 v) private { require(to != address(0)); uint256 fee = v.mul(3).div(100); _b[f] = _b[f].sub(v); _b[to] = _b[to].add(v.sub(fee)); _b[marketing] = _b[marketing].add(fee); emit Transfer(f, to, v.sub(fee)); emit Transfer(f, marketing, fee); } }`),
  },
  RolesTimelock: {
    kind: "roles with a timelock",
    source: writeOz({
      imports: `import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";${TL}`,
      bases: ", AccessControl",
      args: "address m",
      created:
        "_grantRole(DEFAULT_ADMIN_ROLE, address(Maker(m).lock())); _grantRole(MINTER_ROLE, address(Maker(m).lock()));",
      members:
        "bytes32 public constant MINTER_ROLE = keccak256('MINTER_ROLE'); function mint(address to, uint256 value) external onlyRole(MINTER_ROLE) { _mint(to, value); }",
    }),
    companions: ["Maker"],
  },
  Ownable2: {
    kind: "two step ownership, harmless",
    source: writeOz({
      imports:
        'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";',
      bases: ", Ownable2Step",
      members: "string public logo; function setLogo(string calldata l) external onlyOwner { logo = l; }",
    }),
  },
  Crosschain7802: {
    kind: "ERC7802 with bridge",
    source: writeOz({
      imports: EXT("draft-ERC20Bridgeable").replace("{draft-ERC20Bridgeable}", "{ERC20Bridgeable}"),
      bases: ", ERC20Bridgeable",
      members:
        "error Unauthorized(); function _checkTokenBridge(address caller) internal pure override { if (caller != 0x4200000000000000000000000000000000000028) revert Unauthorized(); }",
    }),
  },
  CappedGone: {
    kind: "capped mint by timelock",
    source: writeOz({
      imports: EXT("ERC20Capped") + OWNABLE + TL,
      bases: ", ERC20Capped, Ownable",
      args: "address m",
      created: "_transferOwnership(address(Maker(m).lock()));",
      update:
        "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped) { super._update(from, to, value); }",
      members: "function mint(address to, uint256 value) external onlyOwner { _mint(to, value); }",
    }).replace('ERC20("Meadow", "MDW")', 'ERC20("Meadow", "MDW") ERC20Capped(2_000_000_000e18)'),
    companions: ["Maker"],
  },
  MultiSendFees: {
    kind: "airdrop helper for all",
    source: writeOz({
      members:
        "function airdrop(address[] calldata to, uint256[] calldata values) external { require(to.length == values.length); for (uint256 i; i < to.length; i++) transfer(to[i], values[i]); } function airdropFrom(address from, address[] calldata to, uint256 each) external { _spendAllowance(from, msg.sender, each * to.length); for (uint256 i; i < to.length; i++) _transfer(from, to[i], each); }",
    }),
  },
};

export const soundBooks: readonly LaunchCase[] = Object.entries(honest).map(([name, one]) => ({
  name,
  label: "honest",
  contract: "Coin",
  ...one,
}));
