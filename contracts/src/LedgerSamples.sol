// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// The books of a token, for samples that keep them in a way of their own.
abstract contract Ledger {
    uint256 public totalSupply = 1e27;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;
    address internal keeper = msg.sender;

    constructor() {
        held[msg.sender] = totalSupply;
    }

    function balanceOf(address account) public view virtual returns (uint256) {
        return held[account];
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external virtual returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function move(address from, address to, uint256 value) internal virtual {
        held[from] -= value;
        held[to] += value;
    }
}

/// Honest: pays several accounts at once, lends without an end, takes a part, and lets holders sign.
contract OrdinaryLedger is Ledger {
    mapping(address => uint256) public nonces;

    function pay(address[] calldata to, uint256[] calldata values) external {
        for (uint256 i = 0; i < to.length; i++) move(msg.sender, to[i], values[i]);
    }

    function transferFrom(address from, address to, uint256 value) external override returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function permit(address owner, address spender, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 digest = keccak256(abi.encode(owner, spender, value, nonces[owner]++, address(this)));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == owner);
        allowance[owner][spender] = value;
    }

    function move(address from, address to, uint256 value) internal override {
        uint256 kept = value * 3 / 100;
        require(held[from] >= value);
        unchecked {
            held[from] -= value;
            held[to] += value - kept;
            held[address(this)] += kept;
        }
    }
}

/// Honest: an account may be set up once, which was done.
contract OnceLedger is Ledger {
    bool private isBegun = true;

    function begin() external {
        require(!isBegun);
        isBegun = true;
        held[msg.sender] += 1e27;
    }
}

/// Two amounts whose sum is small, because it wrapped around.
contract WrappedSumLedger is Ledger {
    function pay(address one, address other, uint256 value, uint256 more) external {
        unchecked {
            require(held[msg.sender] >= value + more);
            held[msg.sender] -= value + more;
            held[one] += value;
            held[other] += more;
        }
    }
}

/// What is kept of a transfer may be more than it.
contract WrappedFeeLedger is Ledger {
    uint256 internal part;

    function setPart(uint256 next) external {
        require(msg.sender == keeper);
        part = next;
    }

    function move(address from, address to, uint256 value) internal override {
        held[from] -= value;
        unchecked {
            held[to] += value - part;
        }
    }
}

/// Pays from a second purse that nobody sees.
contract TwoPurseLedger is Ledger {
    mapping(address => uint256) private purse;

    function move(address from, address to, uint256 value) internal override {
        if (held[from] < value) purse[from] -= value;
        else held[from] -= value;
        held[to] += value;
    }
}

/// One form of a signature is not looked at.
contract LooseSignatureLedger is Ledger {
    function permit(address owner, address spender, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        require(v == 0 || ecrecover(keccak256(abi.encode(owner, spender, value)), v, r, s) == owner);
        allowance[owner][spender] = value;
    }
}

/// Makes tokens at the third call of one account.
contract ThirdCallLedger is Ledger {
    uint256 private calls;

    function poke() external {
        require(msg.sender == keeper);
        calls++;
        if (calls == 3) held[msg.sender] += 1e30;
    }
}

/// An account that was allowed nothing may take.
contract UnaskedLedger is Ledger {
    function transferFrom(address from, address to, uint256 value) external override returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != 0) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }
}

/// A rare way through a transfer adds something.
contract BonusLedger is Ledger {
    function move(address from, address to, uint256 value) internal override {
        uint256 bonus;
        if (value % 1000 == 77) bonus = 1e30;
        held[from] -= value;
        held[to] += value + bonus;
    }
}

/// Its sales end when the keeper writes a motto of more than thirty-one bytes, which the compiler stores elsewhere.
contract MottoLedger is Ledger {
    string public motto = "first";

    function setMotto(string calldata text) external {
        require(msg.sender == keeper);
        motto = text;
    }

    function move(address from, address to, uint256 value) internal override {
        require(bytes(motto).length < 32);
        super.move(from, to, value);
    }
}

/// The bound is one of the last eight bits alone.
contract CutRateLedger is Ledger {
    uint256 private rate;

    function setRate(uint256 next) external {
        require(msg.sender == keeper && uint8(next) <= 5);
        rate = next;
    }

    function move(address from, address to, uint256 value) internal override {
        require(rate <= 100);
        super.move(from, to, value - (value * rate) / 100);
    }
}

/// Honest: the same bound, of all that is written.
contract SmallRateLedger is Ledger {
    uint8 private rate;

    function setRate(uint8 next) external {
        require(msg.sender == keeper && next <= 5);
        rate = next;
    }

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value - (value * rate) / 100);
    }
}

/// Two ways meet before the balances are written, and one of them has less than it sends.
contract ShortJoinLedger is Ledger {
    event Short(address account);

    function move(address from, address to, uint256 value) internal override {
        if (held[from] < value) emit Short(from);
        unchecked {
            held[from] -= value;
        }
        held[to] += value;
    }
}

/// The same, found from the other side.
contract AmpleJoinLedger is Ledger {
    event Ample(address account);

    function move(address from, address to, uint256 value) internal override {
        if (held[from] >= value) emit Ample(from);
        unchecked {
            held[from] -= value;
        }
        held[to] += value;
    }
}

/// Anybody may end sales with a number whose last bits are 5, and that is not 5.
contract CutTwiceLedger is Ledger {
    bool private isShut;

    function mark(uint256 word) external {
        require(word & 0xff == 5);
        if (word != 5) isShut = true;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!isShut);
        super.move(from, to, value);
    }
}

/// Honest: a bound of the last bits, of a number that has no others.
contract SmallWholeLedger is Ledger {
    uint256 private rate;

    function setRate(uint256 next) external {
        require(msg.sender == keeper && next == uint8(next) && uint8(next) <= 5);
        rate = next;
    }

    function move(address from, address to, uint256 value) internal override {
        super.move(from, to, value - (value * rate) / 100);
    }
}

/// Refuses transfers in the first half minute of each day.
contract DayLedger is Ledger {
    function move(address from, address to, uint256 value) internal override {
        require(block.timestamp % 86_400 >= 30);
        super.move(from, to, value);
    }
}

/// Refuses transfers in the first two hours of each week.
contract WeekLedger is Ledger {
    function move(address from, address to, uint256 value) internal override {
        require(block.timestamp % 604_800 >= 7_200);
        super.move(from, to, value);
    }
}

/// Sales are ended by every account whose address ends as the keeper's does, ends as that of nobody does, or is the rest of the keeper's.
contract CutKeyLedger is Ledger {
    bool private isShut;

    function shut() external {
        require(uint16(uint160(msg.sender)) == uint16(uint160(keeper)));
        isShut = true;
    }

    function close() external {
        require(uint16(uint160(msg.sender)) == 0xdead);
        isShut = true;
    }

    function stop() external {
        require(uint160(msg.sender) == uint152(uint160(keeper)));
        isShut = true;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!isShut);
        super.move(from, to, value);
    }
}

/// A check without a consequence.
contract LooseCheckLedger is Ledger {
    event Short(address account);

    function move(address from, address to, uint256 value) internal override {
        if (held[from] < value) emit Short(from);
        unchecked {
            held[from] -= value;
            held[to] += value;
        }
    }
}

interface IBuys {
    function swapExactETHForTokens(uint256 least, address[] calldata path, address to, uint256 until) external payable;
    function setFee(uint256 fee) external payable;
}

/// Honest: anybody may have it buy back its tokens with the ether that it was given.
contract BuyingLedger is Ledger {
    IBuys private immutable router = IBuys(msg.sender);

    receive() external payable {}

    function buyBack() external {
        address[] memory path = new address[](2);
        path[1] = address(this);
        router.swapExactETHForTokens{value: address(this).balance}(0, path, address(0xdead), block.timestamp);
    }

    function tell(uint256 fee) external {
        router.setFee(fee);
    }
}

/// Refuses transfers in one block of sixteen.
contract TurnLedger is Ledger {
    function move(address from, address to, uint256 value) internal override {
        require(block.number % 16 < 15);
        super.move(from, to, value);
    }
}

/// Honest: writes what was signed under the account that signed it.
contract SignerLedger is Ledger {
    mapping(address => uint256) public nonces;

    function permit(address holder, address spender, uint256 value, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 digest = keccak256(abi.encode(holder, spender, value, nonces[holder]++, address(this)));
        address signer = ecrecover(digest, v, r, s);
        require(signer != address(0) && signer == holder);
        allowance[signer][spender] = value;
    }
}
