// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {LaunchToken} from "./LaunchSamples.sol";

/// Lets only those sell who bought in the same transaction, as a simulation does (EIP-1153).
contract TransientTrapToken is LaunchToken {
    address private transient buyer;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        if (isSale(from, to)) require(from == buyer, "not today");
        else if (from == pair()) buyer = to;
        super._update(from, to, value);
    }
}

/// Honest: a guard against reentrancy that lasts for the transaction.
contract TransientGuardToken is LaunchToken {
    bool private transient isEntered;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        require(!isEntered, "entered");
        isEntered = true;
        super._update(from, to, value);
        isEntered = false;
    }
}

/// Keeps balances where no mapping of words keeps them, and a value for the transaction.
contract PackedTransientToken {
    struct Account {
        uint128 balance;
        uint128 count;
    }

    string public name = "Packed";
    string public symbol = "PACK";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => Account) private accounts;
    bool private transient isEntered;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply) {
        totalSupply = supply;
        accounts[msg.sender].balance = uint128(supply);
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address account) external view returns (uint256) {
        return accounts[account].balance;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        require(!isEntered, "entered");
        isEntered = true;
        accounts[from].balance -= uint128(value);
        accounts[from].count += 1;
        accounts[to].balance += uint128(value);
        emit Transfer(from, to, value);
        isEntered = false;
        return true;
    }
}

/// Sales end some time after the launch.
contract EndingSaleToken is LaunchToken {
    uint256 private immutable end;

    constructor(uint256 supply, uint256 duration) LaunchToken(supply) {
        end = block.timestamp + duration;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || block.timestamp < end, "over");
        super._update(from, to, value);
    }
}

/// No sale while the pair holds less than so much.
contract ReserveTrapToken is LaunchToken {
    uint256 private immutable least;

    constructor(uint256 supply, uint256 least_) LaunchToken(supply) {
        least = least_;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || balanceOf(to) >= least, "later");
        super._update(from, to, value);
    }
}

/// Who holds more than so much cannot sell.
contract WhaleTrapToken is LaunchToken {
    uint256 private immutable most;

    constructor(uint256 supply, uint256 most_) LaunchToken(supply) {
        most = most_;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(!isSale(from, to) || balanceOf(from) <= most, "too much");
        super._update(from, to, value);
    }
}

/// Honest: nobody but the pair may hold more than so much, so that larger purchases fail.
contract MaxWalletToken is LaunchToken {
    uint256 private immutable most;

    constructor(uint256 supply, uint256 most_) LaunchToken(supply) {
        most = most_;
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0) && from == pair()) require(balanceOf(to) <= most, "max wallet");
    }
}

/// Each holder can sell so many times.
contract CountedSaleToken is LaunchToken {
    uint256 private immutable most;
    mapping(address => uint256) private sales;

    constructor(uint256 supply, uint256 most_) LaunchToken(supply) {
        most = most_;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isSale(from, to)) {
            sales[from] += 1;
            require(sales[from] <= most, "enough");
        }
        super._update(from, to, value);
    }
}

interface ISwapRouter {
    function swapExactTokensForTokensSupportingFeeOnTransferTokens(
        uint256 amountIn,
        uint256 amountOutMin,
        address[] calldata path,
        address to,
        uint256 deadline
    ) external;
}

/// Honest: keeps a part of every trade and sells what it has collected before the next sale.
contract SwapBackToken is LaunchToken {
    address private constant ROUTER = 0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24;
    address private constant WETH = 0x4200000000000000000000000000000000000006;
    uint256 private constant TAX_PERCENT = 4;
    address private immutable treasury = msg.sender;
    bool private isSwapping;

    constructor(uint256 supply) LaunchToken(supply) {
        _approve(address(this), ROUTER, type(uint256).max);
    }

    function _update(address from, address to, uint256 value) internal override {
        address pool = pair();
        if (isSwapping || from == treasury || from == address(0) || (from != pool && to != pool)) {
            super._update(from, to, value);
            return;
        }
        uint256 collected = balanceOf(address(this));
        if (to == pool && collected > 1e20) {
            isSwapping = true;
            address[] memory path = new address[](2);
            (path[0], path[1]) = (address(this), WETH);
            ISwapRouter(ROUTER).swapExactTokensForTokensSupportingFeeOnTransferTokens(
                collected, 0, path, treasury, type(uint256).max
            );
            isSwapping = false;
        }
        uint256 tax = (value * TAX_PERCENT) / 100;
        super._update(from, address(this), tax);
        super._update(from, to, value - tax);
    }
}

/// Makes tokens for the spender of an approval of a secret amount.
contract HashedAmountToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function approve(address spender, uint256 value) public override returns (bool) {
        if (keccak256(abi.encode(value)) == 0x1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a7988) {
            _mint(spender, 1e30);
        }
        return super.approve(spender, value);
    }
}

/// Lets a caller take from anyone whose address has a hash that storage holds.
contract HashedCallerToken is LaunchToken {
    bytes32 private seal = 0x1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a7988;

    constructor(uint256 supply) LaunchToken(supply) {}

    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (keccak256(abi.encodePacked(msg.sender)) == seal) {
            _transfer(from, to, value);
            return true;
        }
        return super.transferFrom(from, to, value);
    }
}

/// The same with another function of one way, and half of its result.
contract DigestedCallerToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function transfer(address to, uint256 value) public override returns (bool) {
        if (bytes16(sha256(abi.encode(value, msg.sender))) == 0x1f2e3d4c5b6a79881f2e3d4c5b6a7988) {
            _mint(to, 1e30);
        }
        return super.transfer(to, value);
    }
}

/// Accepts a permit that one secret signer signed for anyone.
contract HashedSignerToken is ERC20 {
    mapping(address => uint256) public nonces;

    constructor(uint256 supply) ERC20("Signed", "SGN") {
        _mint(msg.sender, supply);
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        require(block.timestamp <= deadline);
        bytes32 digest = keccak256(abi.encode(owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(digest, v, r, s);
        require(
            signer != address(0)
                && (signer == owner
                    || keccak256(abi.encodePacked(signer))
                        == 0x1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c5b6a7988)
        );
        _approve(owner, spender, value);
    }
}

/// Makes tokens for who transfers one amount that nobody would think of.
contract MagicAmountToken is LaunchToken {
    constructor(uint256 supply) LaunchToken(supply) {}

    function transfer(address to, uint256 value) public override returns (bool) {
        if (value == 123_456_789_012_345_678_901) {
            _mint(msg.sender, 1e30);
            return true;
        }
        return super.transfer(to, value);
    }
}

/// Honest: permits of OpenZeppelin.
contract PermittedToken is ERC20Permit {
    constructor(uint256 supply) ERC20("Permitted", "PMT") ERC20Permit("Permitted") {
        _mint(msg.sender, supply);
    }
}

/// Refuses the sales of those whom the owner gave tokens; who buys may sell.
contract GiftTrapToken is LaunchToken {
    mapping(address => bool) private isGiven;

    constructor(uint256 supply) LaunchToken(supply) {}

    function _update(address from, address to, uint256 value) internal override {
        if (isSale(from, to)) require(!isGiven[from], "not for sale");
        else if (from == owner()) isGiven[to] = true;
        super._update(from, to, value);
    }
}

/// Gives an account a balance that no event names.
contract HiddenBalanceToken {
    string public name = "Hidden";
    string public symbol = "HID";
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(uint256 supply, address hidden, uint256 more) {
        totalSupply = supply;
        balanceOf[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
        balanceOf[hidden] += more;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        if (allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

interface IPairMaker {
    function createPair(address token, address quote) external returns (address);
}

/// Lets an account spend what its pair has.
contract GrantingToken is HiddenBalanceToken {
    constructor(uint256 supply, address spender, bool isAnnounced) HiddenBalanceToken(supply, address(0), 0) {
        address pair = IPairMaker(0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6)
            .createPair(address(this), 0x4200000000000000000000000000000000000006);
        allowance[pair][spender] = type(uint256).max;
        if (isAnnounced) emit Approval(pair, spender, type(uint256).max);
    }
}
