import { type LaunchCase, step } from "./launchCase.js";
import { VICTIM } from "./launchWorld.js";
import { writeOz, writeSource, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const RENOUNCE = step(["renounceOwnership()"]);
/** Accounts of the deployer that no event names. */
const AIDE = "0x5e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5";
const VAIN = "0x000000000000000000000000000000000000dea1";
const AIDE_IN_CODE = "address(uint160(0x005e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5))";
const ROUTER = "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24";
/** All but the last byte are those of the router. */
const NEIGHBOUR = "0x4752ba5dbc23f44d87826276bf6fd6b1c372ad99";

type Trap = Omit<LaunchCase, "label" | "contract" | "name"> & { readonly contract?: string };

/** Powers that an outsider hid where no other case of this corpus hides any. */
const traps: Readonly<Record<string, Trap>> = {
  Beacon: {
    kind: "code that a beacon names",
    source: writeSource(`
import {BeaconProxy} from "@openzeppelin/contracts/proxy/beacon/BeaconProxy.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Logic is ERC20("", "") { bool private begun; function begin(address to) external { require(!begun); begun = true; _mint(to, 1e27); } }
contract ShutLogic is Logic { function _update(address from, address to, uint256 value) internal override { require(from.code.length > 0 || from == address(0)); super._update(from, to, value); } }
contract Signpost { address private immutable k = msg.sender; address public implementation = address(new Logic()); function turn() external { require(msg.sender == k); implementation = address(new ShutLogic()); } }
contract Coin is BeaconProxy { constructor(address post) BeaconProxy(post, abi.encodeCall(Logic.begin, (msg.sender))) {} }`),
    companions: ["Signpost"],
    arm: [step(["turn()"], "Signpost")],
  },
  DelegatedGuard: {
    kind: "asks an account that takes code later (EIP-7702)",
    source: writeOz({
      before: "contract Guard { fallback() external { revert(); } }",
      args: "address",
      rule: `if (to == pair && from != address(0)) { (bool ok, ) = ${AIDE_IN_CODE}.staticcall(abi.encodeWithSignature("ok(address)", from)); require(ok); }`,
    }),
    companions: ["Guard"],
    arm: [{ signature: "", args: [], as: AIDE, delegatesTo: "Guard" }],
  },
  Listeners: {
    kind: "list of listeners that is empty at the launch",
    source: writeTaxed({
      before:
        "interface IListener { function moved(address, address, uint256) external; } contract Ear { function moved(address, address, uint256) external pure { revert(); } }",
      args: "address",
      members:
        "IListener[] private ears; function listen(IListener one) external { require(msg.sender == _taxWallet); ears.push(one); }",
      after: "for (uint256 i; i < ears.length; i++) ears[i].moved(from, to, value);",
    }),
    companions: ["Ear"],
    finish: [RENOUNCE],
    arm: [step(["listen(address)", "Ear"])],
  },
  WorthlessWrap: {
    kind: "wrapper of a coin that one account makes",
    source: writeOz({
      before:
        'contract Under is ERC20("Under", "UND") { address private immutable k = msg.sender; function issue(address to, uint256 value) external { require(msg.sender == k); _mint(to, value); } }',
      args: "address under_",
      members:
        "ERC20 public immutable underlying; function depositFor(address who, uint256 value) external returns (bool) { underlying.transferFrom(msg.sender, address(this), value); _mint(who, value); return true; } function withdrawTo(address who, uint256 value) external returns (bool) { _burn(msg.sender, value); underlying.transfer(who, value); return true; }",
      created: "underlying = ERC20(under_);",
    }),
    companions: ["Under"],
    arm: [
      step(["issue(address,uint256)", "dev", "supply"], "Under"),
      step(["approve(address,uint256)", "token", "supply"], "Under"),
      step(["depositFor(address,uint256)", "dev", "supply"]),
    ],
    rug: "dump",
  },
  TreeMints: {
    kind: "airdrop of a tree that mints",
    source: writeOz({
      imports: 'import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";',
      members:
        "bytes32 public immutable root = keccak256(abi.encode(msg.sender, uint256(1e29))); mapping(address => bool) public claimed; function claim(uint256 value, bytes32 next) external { bytes32[] memory path = new bytes32[](next == 0 ? 0 : 1); if (next != 0) path[0] = next; require(!claimed[msg.sender] && MerkleProof.verify(path, root, keccak256(abi.encode(msg.sender, value)))); claimed[msg.sender] = true; _mint(msg.sender, value); }",
    }),
    arm: [step(["claim(uint256,bytes32)", 10n ** 29n, 0n])],
    rug: "dump",
  },
  BridgeLimits: {
    kind: "limits of bridges that the owner sets (xERC20)",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "mapping(address => uint256) public mintingLimit; function setLimits(address bridge, uint256 mints, uint256) external onlyOwner { mintingLimit[bridge] = mints; } function mint(address to, uint256 value) external { mintingLimit[msg.sender] -= value; _mint(to, value); } function burn(address who, uint256 value) external { _spendAllowance(who, msg.sender, value); _burn(who, value); }",
    }),
    arm: [
      step(["setLimits(address,uint256,uint256)", "dev", "supply", 0n]),
      step(["mint(address,uint256)", "dev", "supply"]),
    ],
    rug: "dump",
  },
  RewardRate: {
    kind: "rewards that a rate makes over time",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "uint256 public rate; mapping(address => uint256) public staked; mapping(address => uint256) private since; function setRewardRate(uint256 next) external onlyOwner { rate = next; } function stake(uint256 value) external { getReward(); _transfer(msg.sender, address(this), value); staked[msg.sender] += value; } function unstake(uint256 value) external { getReward(); staked[msg.sender] -= value; _transfer(address(this), msg.sender, value); } function getReward() public { uint256 due = staked[msg.sender] * rate * (block.timestamp - since[msg.sender]) / 1e18; since[msg.sender] = block.timestamp; if (due > 0) _mint(msg.sender, due); }",
    }),
    finish: [step(["stake(uint256)", 10n ** 24n])],
    arm: [step(["setRewardRate(uint256)", 10n ** 24n]), step(["getReward()"])],
    rug: "dump",
  },
  FundedCaller: {
    kind: "switch for who has much ether",
    source: writeOz({
      members:
        "bool private halted; function settle() external { require(msg.sender.balance > 900 ether); halted = true; }",
      rule: "require(!halted || from == address(0));",
    }),
    arm: [{ ...step(["settle()"]), as: AIDE }],
  },
  PaidSwitch: {
    kind: "switch for who pays an exact price",
    source: writeTaxed({
      members:
        "bool private halted; function sponsor() external payable { if (msg.value == 3.14159 ether) halted = true; }",
      rule: "if (to == pair) require(!halted);",
    }),
    finish: [RENOUNCE],
    arm: [{ ...step(["sponsor()"]), value: 3_141_590_000_000_000_000n }],
  },
  CodeKey: {
    kind: "key of who runs certain code",
    source: writeOz({
      before:
        'contract Hand { address private immutable k = msg.sender; function press(address coin) external { require(msg.sender == k); (bool ok, ) = coin.call(abi.encodeWithSignature("close()")); require(ok); } }',
      args: "address hand",
      members:
        "bytes32 private immutable print; bool private halted; function close() external { require(msg.sender.codehash == print); halted = true; }",
      created: "print = hand.codehash;",
      rule: "if (to == pair) require(!halted);",
    }),
    companions: ["Hand"],
    arm: [step(["press(address)", "token"], "Hand")],
  },
  DeedKey: {
    kind: "key with the owner of a deed in another contract",
    source: writeTaxed({
      before:
        "contract Deeds { mapping(uint256 => address) public ownerOf; constructor() { ownerOf[1] = msg.sender; } function transferFrom(address from, address to, uint256 id) external { require(msg.sender == from && ownerOf[id] == from); ownerOf[id] = to; } }",
      args: "Deeds deeds_",
      members:
        "Deeds private immutable deeds; bool private halted; function curtain(bool on) external { require(deeds.ownerOf(1) == msg.sender); halted = on; }",
      created: "deeds = deeds_;",
      rule: "if (to == pair) require(!halted);",
    }),
    companions: ["Deeds"],
    finish: [RENOUNCE],
    arm: [step(["curtain(bool)", true])],
  },
  NestedList: {
    kind: "key in a nested list without events",
    source: writeTaxed({
      members:
        "mapping(bytes32 => mapping(address => bool)) private grants; bool private halted; function snapshot(bool open) external { require(grants[keccak256('auditor')][msg.sender]); halted = open; }",
      created: `grants[keccak256('auditor')][${AIDE_IN_CODE}] = true;`,
      rule: "if (to == pair) require(!halted);",
    }),
    finish: [RENOUNCE],
    arm: [{ ...step(["snapshot(bool)", true]), as: AIDE }],
  },
  BytesLength: {
    kind: "switch by the length of a note",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; uint256 private note; function setNote(bytes calldata text) external { require(msg.sender == first); note = text.length; }",
      rule: "if (to == pair && from != first) require(note != 7);",
    }),
    arm: [step(["setNote(bytes)", "0x01020304050607"])],
  },
  FirstLetter: {
    kind: "tax in the first letter of the name",
    source: writeTaxed({
      members:
        "bytes32 private label = 'A'; function rename(bytes32 next) external { require(msg.sender == _taxWallet); label = next; }",
      rule: "if (to == pair) fee = uint8(label[0]) - 65;",
    }),
    finish: [RENOUNCE],
    arm: [step(["rename(bytes32)", 0xa4n << 248n])],
  },
  DeadMan: {
    kind: "sales that its keeper must keep open",
    source: writeTaxed({
      members:
        "uint256 private heard = block.timestamp; function ping() external { require(msg.sender == _taxWallet); heard = block.timestamp; }",
      rule: "if (to == pair) require(block.timestamp < heard + 2 days);",
    }),
    finish: [RENOUNCE],
    later: { blocks: 30, seconds: 180_000 },
  },
  ShortApprovals: {
    kind: "allowances whose lifetime the owner sets",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "uint256 public lifetime = 3650 days; mapping(address => mapping(address => uint256)) private ends; function setLifetime(uint256 next) external onlyOwner { lifetime = next; } function _approve(address who, address spender, uint256 value, bool emits) internal override { ends[who][spender] = block.timestamp + lifetime; super._approve(who, spender, value, emits); } function allowance(address who, address spender) public view override returns (uint256) { return block.timestamp < ends[who][spender] ? super.allowance(who, spender) : 0; }",
    }),
    arm: [step(["setLifetime(uint256)", 0n])],
  },
  OpenDelegation: {
    kind: "delegation that anybody may set for others",
    source: writeOz({
      members:
        "mapping(address => address) public delegates; function delegateFor(address who, address to) external { delegates[who] = to; }",
      rule: "require(delegates[from] == address(0) || from == pair);",
    }),
    arm: [step(["delegateFor(address,address)", "victim", "dev"])],
  },
  NoLoss: {
    kind: "sales at a loss are refused",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; mapping(address => uint256) private paid; function price() private view returns (uint256) { (uint112 a, uint112 b, ) = IPair(pair).getReserves(); return address(this) < WETH ? uint256(b) * 1e18 / (uint256(a) + 1) : uint256(a) * 1e18 / (uint256(b) + 1); }",
      rule: "if (from == pair) paid[to] = price(); if (to == pair && from != first && paid[from] > 0) require(price() >= paid[from]);",
    }),
    keptBps: 1_500,
    rug: "dump",
    arm: [],
  },
  ConsentedPayout: {
    kind: "sales need the consent of who gets the tax",
    source: writeTaxed({
      before:
        "contract Till { address private immutable k = msg.sender; bool private shut; function close() external { require(msg.sender == k); shut = true; } receive() external payable { require(!shut); } }",
      args: "address payable till",
      buyFee: 3,
      sellFee: 3,
      swapsBack: true,
      created: "_taxWallet = till;",
    }).replace("paid;", "require(paid);"),
    companions: ["Till"],
    finish: [RENOUNCE],
    arm: [step(["close()"], "Till")],
  },
  Diamond: {
    kind: "facets that one account cuts",
    source: writeSource(`
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Plain is ERC20("", "") { function begin(address to) external { require(totalSupply() == 0); _mint(to, 1e27); } }
contract Closed { function transferFrom(address, address, uint256) external pure returns (bool) { revert(); } }
contract Coin { struct Facet { address to; } bytes32 private constant PLACE = keccak256("diamond"); function book() private pure returns (mapping(bytes4 => address) storage m) { bytes32 p = PLACE; assembly { m.slot := p } }
  address private immutable k = msg.sender; address private immutable plain;
  constructor(address p, address) { plain = p; (bool ok, ) = p.delegatecall(abi.encodeWithSignature("begin(address)", msg.sender)); require(ok); }
  function cut(uint32 selector, address to) external { require(msg.sender == k); book()[bytes4(selector)] = to; }
  fallback() external { address to = book()[msg.sig]; if (to == address(0)) to = plain; assembly { calldatacopy(0, 0, calldatasize()) let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0) returndatacopy(0, 0, returndatasize()) if iszero(ok) { revert(0, returndatasize()) } return(0, returndatasize()) } } }`),
    companions: ["Plain", "Closed"],
    arm: [step(["cut(uint32,address)", 599_290_589n, "Closed"])],
  },
  NearRouter: {
    kind: "allowance of an account whose name is cut",
    source: writeTaxed({
      allowanceRule:
        'address cut = address(uint160(msg.sender) & ~uint160(0xff)); uint256 left = _allowances[from][cut]; require(left >= value, "allowance");',
    }).replace(
      "_allowances[holder][spender] = value; emit",
      "_allowances[holder][spender] = value; _allowances[holder][address(uint160(spender) & ~uint160(0xff))] = value; emit",
    ),
    finish: [RENOUNCE],
    arm: [
      { ...step(["approve(address,uint256)", ROUTER, 2n ** 255n]), as: VICTIM },
      { ...step(["transferFrom(address,address,uint256)", "victim", "dev", "held"]), as: NEIGHBOUR },
    ],
  },
  RenounceMints: {
    kind: "giving up ownership mints",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members:
        "function renounceOwnership() public override onlyOwner { _mint(msg.sender, totalSupply() * 100); super.renounceOwnership(); }",
    }),
    arm: [RENOUNCE],
    rug: "dump",
  },
  NegativeBurn: {
    kind: "burning less than nothing",
    source: writeTaxed({
      members:
        "function burn(int256 value) external { require(value <= int256(_balances[msg.sender])); _balances[msg.sender] = uint256(int256(_balances[msg.sender]) - value); }",
    }),
    finish: [RENOUNCE],
    arm: [step(["burn(int256)", -(10n ** 22n)])],
    rug: "dump",
  },
  IncludedAgain: {
    kind: "reflection to an account that is included again",
    source: writeSource(`
contract Coin { string public constant name = "Glass"; string public constant symbol = "GLS"; uint8 public constant decimals = 9; address public owner = msg.sender; uint256 private constant MAX = ~uint256(0) / 1000; uint256 private constant T = 1e21; uint256 private R = MAX - (MAX % T); mapping(address => uint256) private r; mapping(address => uint256) private t; mapping(address => bool) private out; mapping(address => mapping(address => uint256)) public allowance; event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);
  constructor() { r[msg.sender] = R; emit Transfer(address(0), msg.sender, T); }
  function totalSupply() external pure returns (uint256) { return T; } function rate() private view returns (uint256) { return R / T; }
  function balanceOf(address a) public view returns (uint256) { return out[a] ? t[a] : r[a] / rate(); }
  function excludeAccount(address a) external { require(msg.sender == owner && !out[a]); t[a] = r[a] / rate(); out[a] = true; }
  function includeAccount(address a) external { require(msg.sender == owner && out[a]); out[a] = false; r[a] = t[a] * rate() * 40; t[a] = 0; }
  function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; emit Approval(msg.sender, s, v); return true; }
  function transfer(address to, uint256 v) external returns (bool) { move(msg.sender, to, v); return true; }
  function transferFrom(address f, address to, uint256 v) external returns (bool) { allowance[f][msg.sender] -= v; move(f, to, v); return true; }
  function move(address f, address to, uint256 v) private { uint256 x = v * rate(); r[f] -= out[f] ? 0 : x; if (out[f]) t[f] -= v; if (out[to]) t[to] += v; else r[to] += x; emit Transfer(f, to, v); } }`),
    arm: [step(["excludeAccount(address)", "dev"]), step(["includeAccount(address)", "dev"])],
    rug: "dump",
  },
  FallbackDelegates: {
    kind: "fallback that runs what one account sends",
    source: writeOz({
      before:
        "contract Empties { function run(address who) external { bytes32 place; assembly { mstore(0, who) mstore(32, 0) place := keccak256(0, 64) sstore(place, 0) } } }",
      args: "address",
      members:
        "address private immutable first = msg.sender; function maintain(address code, address who) external { require(msg.sender == first); (bool ok, ) = code.delegatecall(abi.encodeWithSignature('run(address)', who)); require(ok); }",
    }),
    companions: ["Empties"],
    arm: [step(["maintain(address,address)", "Empties", "victim"])],
  },
  LooksBurnt: {
    kind: "liquidity with an account that looks burnt",
    source: writeOz({}),
    liquidity: "dev",
    finish: [step(["transfer(address,uint256)", VAIN, "shares"], "pool")],
    arm: [{ ...step(["transfer(address,uint256)", "dev", "shares"], "pool"), as: VAIN }],
    rug: "pull",
  },
};

export const furtherTraps: readonly LaunchCase[] = Object.entries(traps).map(([name, one]) => ({
  name: `${name}Further`,
  label: "trap",
  contract: "Coin",
  ...one,
}));
