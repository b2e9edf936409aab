/** Contracts that keep liquidity or supply, honestly or not. */
export const lockerSource = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;
interface IKept { function transfer(address to, uint256 value) external returns (bool); function balanceOf(address who) external view returns (uint256); }
contract TimeLock {
  address public immutable kept;
  address public immutable receiver;
  uint256 public until;
  constructor(address k, address r, uint256 u) { kept = k; receiver = r; until = u; }
  function prolong(uint256 u) external { require(msg.sender == receiver && u > until); until = u; }
  function release() external { require(block.timestamp >= until, "locked"); IKept(kept).transfer(receiver, IKept(kept).balanceOf(address(this))); }
}
contract FreeLock {
  address public kept;
  address private maker = msg.sender;
  uint256 public until;
  constructor(address k, address, uint256 u) { kept = k; until = u; }
  function release() external { require(block.timestamp >= until || msg.sender == maker, "locked"); IKept(kept).transfer(maker, IKept(kept).balanceOf(address(this))); }
}
contract Grave { constructor(address, address, uint256) {} }
`;
