/** Templates that launches on Base are made of, written anew: OpenZeppelin's hook, and the taxed token of most launches. */
const HEAD = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;
interface IPairs { function createPair(address, address) external returns (address); function getPair(address, address) external view returns (address); }
interface IRouter { function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[] calldata, address, uint256) external; }
interface IPair { function sync() external; function getReserves() external view returns (uint112, uint112, uint32); }
address constant PAIRS = 0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6;
address constant ROUTER = 0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24;
address constant WETH = 0x4200000000000000000000000000000000000006;
`;

interface OzParts {
  readonly imports?: string;
  readonly bases?: string;
  readonly before?: string;
  readonly members?: string;
  readonly created?: string;
  readonly args?: string;
  /** Statements before the balances change; `pair` is the pool. */
  readonly rule?: string;
  /** Overrides that several bases ask for, in place of the plain one. */
  readonly update?: string;
  readonly withPair?: boolean;
}

/** OpenZeppelin's token with parts added. */
export function writeOz(parts: OzParts): string {
  const {
    imports = "",
    bases = "",
    before = "",
    members = "",
    created = "",
    args = "",
    rule,
    update,
  } = parts;
  const hasPair = parts.withPair ?? /\bpair\b/.test(`${rule}${members}${created}${update}`);
  return `${HEAD}
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
${imports}
${before}
contract Coin is ERC20${bases} {
  ${hasPair ? "address public immutable pair;" : ""}
  ${members}
  constructor(${args}) ERC20("Meadow", "MDW") ${parts.bases?.includes("Ownable") ? "Ownable(msg.sender)" : ""}${parts.bases?.includes("Permit") ? ' ERC20Permit("Meadow")' : ""} {
    ${hasPair ? "pair = IPairs(PAIRS).createPair(address(this), WETH);" : ""}
    _mint(msg.sender, 1_000_000_000e18);
    ${created}
  }
  ${update ?? (rule ? `function _update(address from, address to, uint256 value) internal override { ${rule} super._update(from, to, value); }` : "")}
}
`;
}

interface TaxedParts {
  readonly members?: string;
  readonly created?: string;
  /** Statements that may refuse, or change \`fee\`, a part in a hundred. */
  readonly rule?: string;
  readonly before?: string;
  readonly buyFee?: number;
  readonly sellFee?: number;
  /** Sells what was kept and pays it out in ether. */
  readonly swapsBack?: boolean;
  readonly after?: string;
  readonly args?: string;
  readonly allowanceRule?: string;
}

/** The taxed token that most launches copy: pair made at creation, exempt accounts, sale of what was kept. */
export function writeTaxed(parts: TaxedParts): string {
  const { members = "", created = "", rule = "", before = "", buyFee = 0, sellFee = 0, after = "" } = parts;
  return `${HEAD}
${before}
contract Coin {
  string public constant name = "Puddle";
  string public constant symbol = "PDL";
  uint8 public constant decimals = 9;
  uint256 private _total = 420_690_000_000e9;
  mapping(address => uint256) internal _balances;
  mapping(address => mapping(address => uint256)) internal _allowances;
  mapping(address => bool) internal _exempt;
  address internal _owner;
  address payable internal _taxWallet;
  address public pair;
  uint256 public buyFee = ${buyFee};
  uint256 public sellFee = ${sellFee};
  bool private inSwap;
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
  modifier onlyOwner() { require(_owner == msg.sender, "Ownable: caller is not the owner"); _; }
  ${members}
  constructor(${parts.args ?? ""}) {
    _owner = msg.sender;
    _taxWallet = payable(msg.sender);
    _exempt[msg.sender] = true;
    _exempt[address(this)] = true;
    pair = IPairs(PAIRS).createPair(address(this), WETH);
    _balances[msg.sender] = _total;
    emit Transfer(address(0), msg.sender, _total);
    ${created}
  }
  receive() external payable ${parts.members?.includes("onReceive") ? "{ onReceive(); }" : "{}"}
  function owner() public view returns (address) { return _owner; }
  function totalSupply() public view returns (uint256) { return _total; }
  function balanceOf(address account) public view ${members.includes("function shown(") ? "returns (uint256) { return shown(account); }" : "returns (uint256) { return _balances[account]; }"}
  function allowance(address holder, address spender) public view returns (uint256) { return _allowances[holder][spender]; }
  function approve(address spender, uint256 value) external returns (bool) { _approve(msg.sender, spender, value); return true; }
  function _approve(address holder, address spender, uint256 value) internal { _allowances[holder][spender] = value; emit Approval(holder, spender, value); }
  function transfer(address to, uint256 value) external returns (bool) { _transfer(msg.sender, to, value); return true; }
  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    ${parts.allowanceRule ?? 'uint256 left = _allowances[from][msg.sender]; require(left >= value, "allowance"); if (left != type(uint256).max) _approve(from, msg.sender, left - value);'}
    _transfer(from, to, value);
    return true;
  }
  function renounceOwnership() external onlyOwner { emit OwnershipTransferred(_owner, address(0)); _owner = address(0); }
  function _transfer(address from, address to, uint256 value) internal {
    require(from != address(0) && to != address(0), "zero");
    require(value > 0, "nothing");
    uint256 fee;
    if (!_exempt[from] && !_exempt[to]) {
      if (from == pair) fee = buyFee;
      if (to == pair) fee = sellFee;
      ${rule}
      ${
        parts.swapsBack
          ? `uint256 kept_ = _balances[address(this)];
      if (to == pair && !inSwap && kept_ > _total / 10000) {
        inSwap = true;
        address[] memory path = new address[](2);
        (path[0], path[1]) = (address(this), WETH);
        _approve(address(this), ROUTER, kept_);
        IRouter(ROUTER).swapExactTokensForETHSupportingFeeOnTransferTokens(kept_ > value ? value : kept_, 0, path, address(this), block.timestamp);
        (bool paid, ) = _taxWallet.call{value: address(this).balance}("");
        paid;
        inSwap = false;
      }`
          : ""
      }
    }
    uint256 kept = value * fee / 100;
    _balances[from] -= value;
    _balances[to] += value - kept;
    if (kept > 0) { _balances[address(this)] += kept; emit Transfer(from, address(this), kept); }
    emit Transfer(from, to, value - kept);
    ${after}
  }
}
`;
}

export const writeSource = (text: string): string => HEAD + text;
