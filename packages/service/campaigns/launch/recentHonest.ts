import type { LaunchCase } from "./launchCase.js";
import { step } from "./launchCase.js";
import { writeOz, writeTaxed } from "./wildSources.js";

const EXT = (name: string) =>
  `import {${name}} from "@openzeppelin/contracts/token/ERC20/extensions/${name}.sol";`;
const OWNABLE = 'import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";';
const PERMIT = EXT("ERC20Permit");
const VOTES = `${PERMIT}${EXT("ERC20Votes")}import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";`;
const VOTES_UPDATE =
  "function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Votes) { super._update(from, to, value); } function nonces(address who) public view override(ERC20Permit, Nonces) returns (uint256) { return super.nonces(who); }";
const RENOUNCE = step(["renounceOwnership()"]);

type Honest = Omit<LaunchCase, "label" | "contract" | "name">;

/** Forms in which Base's launchpads and small teams have launched honestly in the last years. */
const honest: Readonly<Record<string, Honest>> = {
  CreatorCoin: {
    kind: "creator's coin with several owners",
    source: writeOz({
      imports: `${PERMIT}${EXT("ERC20Burnable")}`,
      bases: ", ERC20Permit, ERC20Burnable",
      members:
        "mapping(address => bool) public isOwner; address public payoutRecipient; string public tokenURI; event OwnerUpdated(address indexed caller, address indexed who, bool on); event PayoutRecipientUpdated(address indexed recipient); modifier onlyOwner() { require(isOwner[msg.sender], 'OnlyOwner'); _; } function addOwner(address who) external onlyOwner { isOwner[who] = true; emit OwnerUpdated(msg.sender, who, true); } function removeOwner(address who) external onlyOwner { isOwner[who] = false; emit OwnerUpdated(msg.sender, who, false); } function setPayoutRecipient(address to) external onlyOwner { payoutRecipient = to; emit PayoutRecipientUpdated(to); } function setContractURI(string calldata next) external onlyOwner { tokenURI = next; }",
      created: "isOwner[msg.sender] = true; payoutRecipient = msg.sender;",
    }),
  },
  AgentToken: {
    kind: "agent's token with a fixed tax of 1 %",
    source: writeTaxed({
      buyFee: 1,
      sellFee: 1,
      swapsBack: true,
      members:
        "uint256 public immutable botProtectionEnds = block.timestamp; string public agentURI; function setAgentURI(string calldata next) external onlyOwner { agentURI = next; } function setTreasury(address payable to) external onlyOwner { require(to != address(0)); _taxWallet = to; }",
    }),
  },
  Memecoin: {
    kind: "memecoin with metadata and votes",
    source: writeOz({
      imports: `${VOTES}`,
      bases: ", ERC20Permit, ERC20Votes",
      update: VOTES_UPDATE,
      members:
        "address public immutable launcher = msg.sender; string private _uri; error CallerNotLauncher(); function setMetadata(string calldata next) external { if (msg.sender != launcher) revert CallerNotLauncher(); _uri = next; } function tokenURI() external view returns (string memory) { return _uri; } function burn(uint256 value) external { _burn(msg.sender, value); } function burnFrom(address who, uint256 value) external { _spendAllowance(who, msg.sender, value); _burn(who, value); }",
    }),
  },
  FirstHour: {
    kind: "limit that ends by itself",
    source: writeOz({
      members: "uint256 private immutable born = block.timestamp;",
      rule: 'if (from == pair && block.timestamp < born + 1 hours) require(balanceOf(to) + value <= 20_000_000e18, "first hour");',
    }),
  },
  SplitTax: {
    kind: "tax that is burnt and paid in fixed parts",
    source: writeOz({
      members: "address public immutable treasury = msg.sender;",
      update:
        "function _update(address from, address to, uint256 value) internal override { if (from != address(0) && from != treasury && to != treasury && (from == pair || to == pair)) { uint256 gone = value / 50; uint256 paid = value / 50; super._update(from, address(0), gone); super._update(from, treasury, paid); value -= gone + paid; } super._update(from, to, value); }",
    }),
  },
  BurnFloor: {
    kind: "burn until a floor of the supply",
    source: writeOz({
      members: "uint256 public constant FLOOR = 100_000_000e18;",
      update:
        "function _update(address from, address to, uint256 value) internal override { if (from != address(0) && to != address(0) && totalSupply() > FLOOR) { uint256 gone = value / 200; super._update(from, address(0), gone); value -= gone; } super._update(from, to, value); }",
    }),
  },
  BuybackBurn: {
    kind: "buyback that anybody may start",
    source: writeOz({
      before:
        "interface IBuys { function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256, address[] calldata, address, uint256) external payable; }",
      members:
        "receive() external payable {} function buyback() external { address[] memory path = new address[](2); (path[0], path[1]) = (WETH, address(this)); IBuys(ROUTER).swapExactETHForTokensSupportingFeeOnTransferTokens{value: address(this).balance}(0, path, address(0xdead), block.timestamp); }",
    }),
  },
  DollarVotes: {
    kind: "votes against the stablecoin",
    source: writeOz({ imports: VOTES, bases: ", ERC20Permit, ERC20Votes", update: VOTES_UPDATE }),
    pool: "stablecoin",
  },
  ClaimWindow: {
    kind: "claim with a deadline",
    source: writeOz({
      imports: `${OWNABLE}import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";`,
      bases: ", Ownable",
      members:
        'bytes32 public constant ROOT = keccak256("claims"); uint256 public immutable ends = block.timestamp + 90 days; mapping(address => bool) public claimed; function claim(uint256 value, bytes32[] calldata proof) external { require(block.timestamp < ends && !claimed[msg.sender]); require(MerkleProof.verify(proof, ROOT, keccak256(bytes.concat(keccak256(abi.encode(msg.sender, value)))))); claimed[msg.sender] = true; _transfer(address(this), msg.sender, value); } function sweep() external onlyOwner { require(block.timestamp >= ends); _transfer(address(this), owner(), balanceOf(address(this))); }',
      created: "_transfer(msg.sender, address(this), 10_000_000e18);",
    }),
  },
  LaunchWindow: {
    kind: "opening that cannot be undone",
    source: writeTaxed({
      buyFee: 2,
      sellFee: 2,
      swapsBack: true,
      members:
        'uint256 public openedAt; uint256 public maxWallet = 8_413_800_000e9; function open() external onlyOwner { require(openedAt == 0, "opened"); openedAt = block.timestamp; } function liftLimits() external { require(openedAt > 0 && block.timestamp > openedAt + 1 hours, "early"); maxWallet = _total; }',
      rule: 'require(openedAt > 0, "closed"); if (from == pair) require(_balances[to] + value <= maxWallet, "max wallet");',
    }),
    finish: [step(["open()"]), RENOUNCE],
  },
};

export const recentHonest: readonly LaunchCase[] = Object.entries(honest).map(([name, one]) => ({
  name: `${name}Recent`,
  label: "honest",
  contract: "Coin",
  ...one,
}));
