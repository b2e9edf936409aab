import { type LaunchCase, step } from "./launchCase.js";
import { writeOz } from "./wildSources.js";

type Trap = Omit<LaunchCase, "label" | "contract" | "name">;

/** A token whose liquidity a contract keeps, which takes what it keeps, its receiver and the end of the lock. */
const writeKept = (members: string, created = "", more = ""): string =>
  `${writeOz(more === "" ? {} : { args: "address" })}
interface IShares { function transfer(address, uint256) external returns (bool); function approve(address, uint256) external returns (bool); function balanceOf(address) external view returns (uint256); }
contract Keeper { address internal kept; address internal receiver; uint256 public until;
  constructor(address k, address r, uint256 u) { kept = k; receiver = r; until = u; ${created} }
  function give() internal { IShares(kept).transfer(receiver, IShares(kept).balanceOf(address(this))); }
  function release() external { require(block.timestamp >= until); give(); }
  ${members}
}
${more}`;

/** Lockers that one account opens before their time. */
const traps: Readonly<Record<string, Trap>> = {
  RescuingKeeper: {
    kind: "locker that rescues any token",
    source: writeKept(
      "address private immutable k = msg.sender; function recover(address token, uint256 value) external { require(msg.sender == k); IShares(token).transfer(k, value); }",
    ),
    keeper: "Keeper",
    arm: [step(["recover(address,uint256)", "pool", "shares"], "keeper")],
    rug: "pull",
  },
  MovableEnd: {
    kind: "locker whose end its maker brings nearer",
    source: writeKept(
      "address private immutable k = msg.sender; function setDuration(uint256 seconds_) external { require(msg.sender == k); until = block.timestamp + seconds_; }",
    ),
    keeper: "Keeper",
    arm: [step(["setDuration(uint256)", 0n], "keeper"), step(["release()"], "keeper")],
    rug: "pull",
  },
  CountingKeeper: {
    kind: "locker that counts blocks, of which a day has many",
    source: writeKept("uint256 private immutable last = block.number + 400_000;").replace(
      "block.timestamp >= until",
      "block.number >= last",
    ),
    keeper: "Keeper",
    later: { blocks: 400_001, seconds: 80_001 },
    rug: "pull",
  },
  ApprovingKeeper: {
    kind: "locker that let its maker spend",
    source: writeKept("", "IShares(kept).approve(receiver, type(uint256).max);"),
    keeper: "Keeper",
    arm: [step(["transferFrom(address,address,uint256)", "keeper", "dev", "shares"], "pool")],
    rug: "pull",
  },
  PayingKeeper: {
    kind: "locker that pays what a role orders",
    source: writeKept(
      "mapping(bytes32 => mapping(address => bool)) private roles; function pay(address token, address to, uint256 value) external { require(roles[keccak256('operator')][msg.sender]); IShares(token).transfer(to, value); }",
      "roles[keccak256('operator')][msg.sender] = true;",
    ),
    keeper: "Keeper",
    arm: [step(["pay(address,address,uint256)", "pool", "dev", "shares"], "keeper")],
    rug: "pull",
  },
  SecretKeeper: {
    kind: "locker that opens for a number",
    source: writeKept(
      "function open(uint256 number) external { require(keccak256(abi.encode(number)) == keccak256(abi.encode(uint256(424242)))); give(); }",
    ),
    keeper: "Keeper",
    arm: [step(["open(uint256)", 424_242n], "keeper")],
    rug: "pull",
  },
  PlannedKeeper: {
    kind: "locker whose code is exchanged",
    source: writeKept(
      "address private plan; function setPlan(address next) external { require(msg.sender == receiver); plan = next; } fallback() external { (bool ok, ) = plan.delegatecall(msg.data); require(ok); }",
      "plan = msg.sender;",
      "contract Plan { address private kept; address private receiver; function out() external { IShares(kept).transfer(receiver, IShares(kept).balanceOf(address(this))); } }",
    ),
    companions: ["Plan"],
    keeper: "Keeper",
    arm: [step(["setPlan(address)", "Plan"], "keeper"), step(["out()"], "keeper")],
    rug: "pull",
  },
};

export const falseLockers: readonly LaunchCase[] = Object.entries(traps).map(([name, one]) => ({
  name: `${name}Further`,
  label: "trap",
  contract: "Coin",
  ...one,
}));
