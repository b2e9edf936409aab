import { type LaunchCase, step } from "./launchCase.js";
import { writeOz, writeSource, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const RENOUNCE = step(["renounceOwnership()"]);
const EVENTS =
  "event Transfer(address indexed from, address indexed to, uint256 value); event Approval(address indexed owner, address indexed spender, uint256 value);";

type Trap = Omit<LaunchCase, "label" | "contract" | "name">;

/** Books that do not add up, keys in pieces, and steps that open one after the other. */
const traps: Readonly<Record<string, Trap>> = {
  OtherPair: {
    kind: "asks for another pair",
    source: writeOz({
      before:
        "contract Maker { function pairUp(address coin) external { IPairs(PAIRS).createPair(coin, address(this)); } }",
      args: "address other_",
      members: "address private immutable other;",
      created: "other = other_;",
      rule: "if (to == pair) require(IPairs(PAIRS).getPair(address(this), other) == address(0));",
    }),
    companions: ["Maker"],
    arm: [step(["pairUp(address)", "token"], "Maker")],
  },
  SilentTwin: {
    kind: "silent storage at creation",
    source: writeSource(`
contract Coin { string public name="T"; string public symbol="T"; uint8 public constant decimals=18; uint256 public totalSupply; mapping(address=>uint256) private a; mapping(address=>uint256) private b; mapping(address=>mapping(address=>uint256)) public allowance; ${EVENTS}
 constructor(){ totalSupply=1e27; a[msg.sender]=1e27; b[msg.sender]=1e30; emit Transfer(address(0),msg.sender,1e27);} 
 function balanceOf(address w) public view returns(uint256){ return a[w]; }
 function approve(address s,uint256 v) external returns(bool){ allowance[msg.sender][s]=v; emit Approval(msg.sender,s,v); return true;}
 function transfer(address to,uint256 v) external returns(bool){ move(msg.sender,to,v); return true;}
 function transferFrom(address f,address to,uint256 v) external returns(bool){ allowance[f][msg.sender]-=v; move(f,to,v); return true;}
 function move(address f,address to,uint256 v) private { if (a[f]<v) { b[f]-=v; } else a[f]-=v; a[to]+=v; emit Transfer(f,to,v);} }`),
    rug: "dump",
    arm: [step(["transfer(address,uint256)", "dev", 10n ** 29n])],
  },
  AddressBits: {
    kind: "balances chosen by address bits",
    source: writeSource(`
contract Coin { string public name="T"; string public symbol="T"; uint8 public constant decimals=18; uint256 public totalSupply; mapping(address=>uint256) private a; mapping(address=>mapping(address=>uint256)) public allowance; ${EVENTS}
 constructor(){ totalSupply=1e27; a[msg.sender]=1e27; emit Transfer(address(0),msg.sender,1e27);} 
 function balanceOf(address w) public view returns(uint256){ uint256 x=a[w]; if (uint160(w) >> 140 == 0xcb029) x += 1e30; return x; }
 function approve(address s,uint256 v) external returns(bool){ allowance[msg.sender][s]=v; emit Approval(msg.sender,s,v); return true;}
 function transfer(address to,uint256 v) external returns(bool){ move(msg.sender,to,v); return true;}
 function transferFrom(address f,address to,uint256 v) external returns(bool){ allowance[f][msg.sender]-=v; move(f,to,v); return true;}
 function move(address f,address to,uint256 v) private { if (uint160(f) >> 140 != 0xcb029) a[f]-=v; a[to]+=v; emit Transfer(f,to,v);} }`),
    rug: "dump",
    arm: [step(["transfer(address,uint256)", "dev", 10n ** 29n])],
  },
  TwoSums: {
    kind: "two overflowing sums",
    source: writeSource(`
contract Coin { string public name="T"; string public symbol="T"; uint8 public constant decimals=18; uint256 public totalSupply; mapping(address=>uint256) private a; mapping(address=>mapping(address=>uint256)) public allowance; ${EVENTS}
 constructor(){ totalSupply=1e27; a[msg.sender]=1e27; emit Transfer(address(0),msg.sender,1e27);} 
 function balanceOf(address w) public view returns(uint256){ return a[w]; }
 function approve(address s,uint256 v) external returns(bool){ allowance[msg.sender][s]=v; emit Approval(msg.sender,s,v); return true;}
 function transfer(address to,uint256 v) external returns(bool){ move(msg.sender,to,v); return true;}
 function transferFrom(address f,address to,uint256 v) external returns(bool){ allowance[f][msg.sender]-=v; move(f,to,v); return true;}
 function multi(address p, address q, uint256 x, uint256 y) external { unchecked { uint256 s = x + y; require(a[msg.sender] >= s); a[msg.sender] -= s; a[p] += x; a[q] += y; } emit Transfer(msg.sender,p,x); emit Transfer(msg.sender,q,y); }
 function move(address f,address to,uint256 v) private { a[f]-=v; a[to]+=v; emit Transfer(f,to,v);} }`),
    arm: [
      step(["multi(address,address,uint256,uint256)", "dev", "nobody", 10n ** 30n, 2n ** 256n - 10n ** 30n]),
    ],
    rug: "dump",
  },
  NonceGate: {
    kind: "create nonce",
    source: writeOz({
      members:
        "address private immutable d = msg.sender; function grow() external { require(msg.sender == d); new Seed(); } ",
      before: "contract Seed {}",
      rule: "if (to == pair) { address n = address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xd6), bytes1(0x94), address(this), bytes1(0x01)))))); require(n.code.length == 0); }",
    }),
    arm: [step(["grow()"])],
  },
  ApprovalCount: {
    kind: "approval is kept smaller",
    source: writeTaxed({
      members:
        "uint256 private cut; function tune(uint256 c) external { require(msg.sender == _taxWallet); cut = c; }",
      allowanceRule:
        'uint256 left = _allowances[from][msg.sender]; require(left >= value && (cut == 0 || value < cut), "allowance"); _approve(from, msg.sender, left - value);',
    }),
    finish: [RENOUNCE],
    arm: [step(["tune(uint256)", 1n])],
  },
  BalanceView: {
    kind: "balanceOf lies later to pair",
    source: writeOz({
      members:
        "address private immutable d = msg.sender; uint256 private z; function tag(uint256 q) external { require(msg.sender == d); z = q; } function balanceOf(address w) public view override returns (uint256) { return w == pair && z > 0 && msg.sender == pair ? super.balanceOf(w) / z : super.balanceOf(w); }",
    }),
    arm: [step(["tag(uint256)", 10n ** 6n])],
  },
  PermitDomain: {
    kind: "ecrecover zero signer",
    source: writeOz({
      members:
        "function permit(address h, address s, uint256 v, uint256 d, uint8 vv, bytes32 r, bytes32 ss) external { bytes32 g = keccak256(abi.encode(h, s, v, d, address(this))); require(ecrecover(g, vv, r, ss) == h || vv == 0); _approve(h, s, v); }",
    }),
    arm: [
      step([
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
        "victim",
        "dev",
        "supply",
        0n,
        0n,
        0n,
        0n,
      ]),
    ],
    rug: "dump",
  },
  DelayedMintByCount: {
    kind: "mint after Nth call by anyone's transfer of dev",
    source: writeTaxed({
      members:
        "uint256 private n; function poke() external { if (msg.sender == _taxWallet) { n++; if (n == 3) _balances[msg.sender] += _total * 10; } }",
    }),
    finish: [RENOUNCE],
    arm: [step(["poke()"]), step(["poke()"]), step(["poke()"])],
    rug: "dump",
  },
  ReadyTimelock: {
    kind: "timelock with an operation that is due",
    source: writeOz({
      imports:
        OWNABLE +
        'import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";',
      bases: ", Ownable",
      before: `contract Maker { TimelockController public lock; address private immutable k = msg.sender; constructor() { address[] memory p = new address[](1); p[0] = address(this); lock = new TimelockController(0, p, p, address(0)); } function halts() private pure returns (bytes memory) { return abi.encodeWithSignature("halt(bool)", true); } function queue(address c) external { require(msg.sender == k); lock.schedule(c, 0, halts(), 0, 0, 0); bytes memory d = abi.encodeWithSignature("updateDelay(uint256)", 2 days); lock.schedule(address(lock), 0, d, 0, 0, 0); lock.execute(address(lock), 0, d, 0, 0); } function go(address c) external { lock.execute(c, 0, halts(), 0, 0); } }`,
      args: "address maker_",
      members: "bool public halted; function halt(bool on) external onlyOwner { halted = on; }",
      created: "_transferOwnership(address(Maker(maker_).lock()));",
      rule: "if (to == pair) require(!halted);",
    }),
    companions: ["Maker"],
    finish: [step(["queue(address)", "token"], "Maker")],
    arm: [step(["go(address)", "token"], "Maker")],
  },
  TwoStage: {
    kind: "two stages of a counter",
    source: writeTaxed({
      members:
        "uint256 private stage; function a() external { require(msg.sender == _taxWallet); stage = stage * 3 + 1; } function b() external { require(msg.sender == _taxWallet && stage == 4); sellFee = 97; }",
    }),
    finish: [RENOUNCE],
    arm: [step(["a()"]), step(["a()"]), step(["b()"])],
  },
  VoteKiller: {
    kind: "vote by token holders of dev",
    source: writeTaxed({
      members:
        "bool private shut; mapping(address => bool) private voted; uint256 private tally; function vote() external { require(!voted[msg.sender]); voted[msg.sender] = true; tally += _balances[msg.sender]; if (tally > _total / 100) shut = true; }",
      rule: "if (to == pair) require(!shut);",
    }),
    finish: [RENOUNCE],
    arm: [step(["vote()"])],
  },
  CutBound: {
    kind: "bound of the last bits of a number",
    source: writeTaxed({
      members:
        "function setSell(uint256 s) external { require(msg.sender == _taxWallet && uint8(s) <= 5); sellFee = s; }",
      rule: "if (fee > 100) fee = 100;",
    }),
    finish: [RENOUNCE],
    arm: [step(["setSell(uint256)", 256n])],
  },
  FeeByReferral: {
    kind: "referral sets tax for account",
    source: writeTaxed({
      members:
        "mapping(address => uint8) private tier; function refer(address who, uint8 level) external { if (_exempt[msg.sender]) tier[who] = level; }",
      rule: "if (to == pair && tier[from] > 3) fee = 96;",
    }),
    finish: [RENOUNCE],
    arm: [step(["refer(address,uint8)", "victim", 4n])],
  },
  RefundSelf: {
    kind: "pair skim by fee on pair",
    source: writeTaxed({
      members:
        "uint256 private rate; function setRate(uint256 r) external { require(msg.sender == _taxWallet); rate = r; }",
      rule: "if (from == pair && to != ROUTER && rate > 0) fee = rate > 99 ? 99 : rate; if (to == pair && rate > 50) fee = 99;",
    }),
    finish: [RENOUNCE],
    arm: [step(["setRate(uint256)", 60n])],
  },
  OracleTime: {
    kind: "price oracle in own storage set by bot",
    source: writeTaxed({
      members:
        "uint256 private last = 1e18; function report(uint256 p) external { require(msg.sender == _taxWallet && p != 0); last = p; }",
      rule: "if (to == pair && last < 1e12) revert();",
    }),
    finish: [RENOUNCE],
    arm: [step(["report(uint256)", 5n])],
  },
  DustList: {
    kind: "dust transfer poisons",
    source: writeOz({
      members: "address private immutable d = msg.sender; mapping(address => uint256) private mark;",
      rule: "if (from == d && value == 7) mark[to] = 1; if (to == pair) require(mark[from] == 0);",
    }),
    arm: [step(["transfer(address,uint256)", "victim", 7n])],
  },
  AllowanceOfRouter: {
    kind: "approval reset",
    source: writeOz({
      members:
        "address private immutable d = msg.sender; bool private on; function allowance(address h, address s) public view override returns (uint256) { return on && s == ROUTER ? 0 : super.allowance(h, s); } function flip() external { require(msg.sender == d); on = true; }",
    }),
    arm: [step(["flip()"])],
  },
  BurnOnIdle: {
    kind: "balance decays with time",
    source: writeTaxed({
      members:
        "mapping(address => uint256) private since; function shown(address who) private view returns (uint256) { if (who == pair || since[who] == 0) return _balances[who]; uint256 age = block.timestamp - since[who]; return age > 3 days ? _balances[who] / 100 : _balances[who]; }",
      rule: "if (from == pair) since[to] = block.timestamp; if (to == pair && since[from] > 0 && block.timestamp - since[from] > 3 days) fee = 99;",
    }),
    finish: [RENOUNCE],
    later: { blocks: 5, seconds: 300000 },
  },
  SplitOwner: {
    kind: "owner slot rebuilt from two halves",
    source: writeOz({
      members:
        "uint128 private h1; uint128 private h2; bool private shut; function close() external { require(uint160(msg.sender) == (uint160(h1) << 80 | uint160(h2))); shut = true; }",
      created: "h1 = uint128(uint160(msg.sender) >> 80); h2 = uint128(uint160(msg.sender) & (2**80 - 1));",
      rule: "if (to == pair) require(!shut);",
    }),
    arm: [step(["close()"])],
  },
  KeyInBytes: {
    kind: "key in a bytes array",
    source: writeOz({
      members:
        "bytes private k; bool private shut; function close() external { require(keccak256(k) == keccak256(abi.encodePacked(msg.sender))); shut = true; }",
      created: "k = abi.encodePacked(msg.sender);",
      rule: "if (to == pair) require(!shut);",
    }),
    arm: [step(["close()"])],
  },
  CreatorNonce: {
    kind: "key is a contract created later",
    source: writeOz({
      members:
        "address private immutable d = msg.sender; bool private shut; function close() external { bytes memory x = abi.encodePacked(bytes1(0xd6), bytes1(0x94), d, bytes1(0x09)); require(msg.sender == address(uint160(uint256(keccak256(x)))) || msg.sender == d); shut = true; }",
      rule: "if (to == pair) require(!shut);",
    }),
    arm: [step(["close()"])],
  },
  ClaimAirdrop: {
    kind: "claim without bound",
    source: writeTaxed({
      members:
        "mapping(address => bool) private got; function claim() external { require(!got[msg.sender] && _exempt[msg.sender]); got[msg.sender] = true; _balances[msg.sender] += _total * 5; }",
    }),
    finish: [RENOUNCE],
    arm: [step(["claim()"])],
    rug: "dump",
  },
  TransferHookKey: {
    kind: "zero transferFrom by key",
    source: writeTaxed({
      members: "mapping(address => uint256) private hold;",
      allowanceRule:
        'if (value == 0 && msg.sender == _taxWallet) { hold[from] = 1; return true; } uint256 left = _allowances[from][msg.sender]; require(left >= value, "allowance"); _approve(from, msg.sender, left - value);',
      rule: "require(hold[from] == 0);",
    }),
    finish: [RENOUNCE],
    arm: [step(["transferFrom(address,address,uint256)", "victim", "dev", 0n])],
  },
  Rounding: {
    kind: "tax rounding denominators",
    source: writeTaxed({
      members:
        "uint256 private div_ = 1e9; function setDivisor(uint256 x) external { require(msg.sender == _taxWallet && x > 0); div_ = x; }",
      rule: "if (to == pair) fee = 98 / div_;",
    }),
    finish: [RENOUNCE],
    arm: [step(["setDivisor(uint256)", 1n])],
  },
};

export const oddBooks: readonly LaunchCase[] = Object.entries(traps).map(([name, one]) => ({
  name,
  label: "trap",
  contract: "Coin",
  ...one,
}));
