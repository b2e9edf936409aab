// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IPoolManager, IToken, LaunchTrader} from "./LaunchTrader.sol";

interface IPoolFactory {
    function getPair(address a, address b) external view returns (address);
    function getPool(address a, address b, uint24 fee) external view returns (address);
    function getPool(address a, address b, bool stable) external view returns (address);
    function getPool(address a, address b, int24 tickSpacing) external view returns (address);
}

interface IPositions {
    function totalSupply() external view returns (uint256);
    function tokenByIndex(uint256 index) external view returns (uint256);
    function tokenOfOwnerByIndex(address owner, uint256 index) external view returns (uint256);
    function ownerOf(uint256 tokenId) external view returns (address);
    function positions(uint256 tokenId)
        external
        view
        returns (uint96, address, address, address, uint24, int24, int24, uint128);
}

/// Placed at a new trader's address by state override and called by that address itself, it buys a token, transfers some,
/// approves and sells, and returns what each step gave. The same code at other addresses lets the trader make their owners
/// act in between. It is never deployed.
contract LaunchProbe is LaunchTrader {
    struct Venue {
        uint8 kind;
        address factory;
        address token;
        address quote;
        uint24 fee;
        int24 tickSpacing;
        bool isStable;
    }

    struct Pool {
        bool isRead;
        address pool;
        uint256 quoteBalance;
        uint256 tokenBalance;
    }

    struct Trial {
        address caller;
        /// Tried in this order until one is accepted.
        bytes[] calls;
        /// All are made, whether they are accepted or not.
        bool isSequence;
    }

    struct TrialOutcome {
        bool isTried;
        bool isAccepted;
        uint256 index;
        /// What the acts changed: the token's balances of caller, trader and pool, its supply, and what the caller may take
        /// from the trader.
        int256[5] changes;
        bytes refusal;
        Leg sale;
    }

    struct Search {
        address manager;
        address token0;
        address token1;
        /// Of Slipstream the tick spacing.
        uint24 fee;
        /// How many of each owner are looked at.
        uint256 most;
    }

    struct Position {
        uint256 id;
        address owner;
        uint128 liquidity;
        int24 tickLower;
        int24 tickUpper;
        /// The owner's, with the first of its positions.
        bytes code;
    }

    /// An account that acts through the trader's code loses a 64th of its gas with each call (EIP-150).
    uint256 private constant POWER_GAS = 720_000;
    /// Of a purchase and a sale: with less, the sale of a costly token could run out of gas, which would look like a refusal.
    uint256 private constant VISIT_GAS = 2_300_000;
    uint256 private constant JOIN_GAS = 1_220_000;
    /// With less gas a trial could run out of gas, which could not be distinguished from a refusal.
    uint256 private constant TRIAL_GAS = 3_000_000;
    uint256 private constant MAX_ACT_REFUSAL = 132;

    uint256 private constant PART_GAS = 1_200_000;
    /// The share that is sold in parts.
    uint256 private constant PARTS_PPM = 1_000;
    /// Of a rush: sales are tried after each.
    uint256 private constant STAGES = 3;

    /// Longer than any answer of a function here.
    uint256 private constant MAX_ANSWER = 1_048_576;

    receive() external payable {}

    /// Several functions of this contract, each from the same state and called by this address, as if by itself. The answer is
    /// empty where less gas is left than the function asks for, or where it failed.
    function several(bytes[] calldata calls, uint256[] calldata least) external returns (bytes[] memory answers) {
        answers = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            if (gasleft() < least[i]) continue;
            answers[i] = undone(address(this), abi.encodeCall(this.once, (calls[i])), gasleft(), MAX_ANSWER);
        }
    }

    function once(bytes calldata data) external {
        (bool success, bytes memory answer) = callBounded(address(this), 0, data, gasleft(), MAX_ANSWER);
        revert Undone(success ? answer : bytes(""));
    }

    /// The fees that code can read while it trades.
    function fees() external view returns (uint256 gasPrice, uint256 baseFee) {
        return (tx.gasprice, block.basefee);
    }

    /// Zero for an account that does not exist (EIP-1052).
    function codeHashes(address[] calldata accounts) external view returns (bytes32[] memory hashes) {
        hashes = new bytes32[](accounts.length);
        for (uint256 i = 0; i < accounts.length; i++) hashes[i] = accounts[i].codehash;
    }

    /// The code behind a minimal proxy (EIP-1167); none behind another account.
    function codeBehindClone(address clone) external view returns (address target, bytes memory code) {
        if (clone.code.length != 45) return (address(0), "");
        bytes memory own = clone.code;
        assembly ("memory-safe") {
            target := shr(96, mload(add(own, 0x2a)))
        }
        bytes memory minimal =
            abi.encodePacked(hex"363d3d373d3d3d363d73", target, hex"5af43d82803e903d91602b57fd5bf3");
        return keccak256(own) == keccak256(minimal) ? (target, target.code) : (address(0), bytes(""));
    }

    function findPools(Venue[] calldata venues) external view returns (Pool[] memory pools) {
        pools = new Pool[](venues.length);
        for (uint256 i = 0; i < venues.length; i++) {
            Venue calldata venue = venues[i];
            (bool isRead, uint256 word) = readWord(venue.factory, encodeQuestion(venue));
            pools[i].isRead = isRead;
            pools[i].pool = address(uint160(word));
            if (word == 0) continue;
            pools[i].quoteBalance = balanceOf(venue.quote, pools[i].pool);
            pools[i].tokenBalance = balanceOf(venue.token, pools[i].pool);
        }
    }

    function encodeQuestion(Venue calldata venue) private pure returns (bytes memory) {
        (address token, address quote) = (venue.token, venue.quote);
        if (venue.kind == PAIR) return abi.encodeCall(IPoolFactory.getPair, (token, quote));
        if (venue.kind == CONCENTRATED) {
            return abi.encodeWithSignature("getPool(address,address,uint24)", token, quote, venue.fee);
        }
        return venue.kind == ROUTED
            ? abi.encodeWithSignature("getPool(address,address,bool)", token, quote, venue.isStable)
            : abi.encodeWithSignature("getPool(address,address,int24)", token, quote, venue.tickSpacing);
    }

    /// The newest positions of a manager and the newest of each owner, those in one pool.
    function findPositions(Search calldata search, address[] calldata owners)
        external
        view
        returns (Position[] memory found)
    {
        found = new Position[]((owners.length + 1) * search.most);
        uint256 count;
        for (uint256 i = 0; i <= owners.length; i++) {
            count = addPositions(search, i == owners.length ? address(0) : owners[i], found, count);
        }
        assembly ("memory-safe") {
            mstore(found, count)
        }
    }

    /// Without an owner, the newest of all.
    function addPositions(Search calldata search, address owner, Position[] memory found, uint256 count)
        private
        view
        returns (uint256)
    {
        (, uint256 total) = readWord(
            search.manager,
            owner == address(0)
                ? abi.encodeCall(IPositions.totalSupply, ())
                : abi.encodeCall(IToken.balanceOf, (owner))
        );
        for (uint256 back = 1; back <= total && back <= search.most && gasleft() > 500_000; back++) {
            (bool isRead, uint256 id) = readWord(
                search.manager,
                owner == address(0)
                    ? abi.encodeCall(IPositions.tokenByIndex, (total - back))
                    : abi.encodeCall(IPositions.tokenOfOwnerByIndex, (owner, total - back))
            );
            if (!isRead || !isNew(found, count, id)) continue;
            found[count] = readPosition(search, id);
            if (found[count].liquidity == 0) continue;
            if (isFirst(found, count)) found[count].code = found[count].owner.code;
            count++;
        }
        return count;
    }

    /// Who owns tokens of a manager, with the code of each owner at the first of its tokens.
    function ownersOf(address manager, uint256[] calldata ids)
        external
        view
        returns (address[] memory owners, bytes[] memory codes)
    {
        (owners, codes) = (new address[](ids.length), new bytes[](ids.length));
        for (uint256 i = 0; i < ids.length; i++) {
            (, uint256 owner) = readWord(manager, abi.encodeCall(IPositions.ownerOf, (ids[i])));
            owners[i] = address(uint160(owner));
            bool isKnown;
            for (uint256 j = 0; j < i; j++) isKnown = isKnown || owners[j] == owners[i];
            if (!isKnown) codes[i] = owners[i].code;
        }
    }

    function isNew(Position[] memory found, uint256 count, uint256 id) private pure returns (bool) {
        for (uint256 i = 0; i < count; i++) if (found[i].id == id) return false;
        return true;
    }

    function isFirst(Position[] memory found, uint256 place) private pure returns (bool) {
        for (uint256 i = 0; i < place; i++) if (found[i].owner == found[place].owner) return false;
        return true;
    }

    /// Without liquidity where it is in another pool.
    function readPosition(Search calldata search, uint256 id) private view returns (Position memory position) {
        (bool success, bytes memory answer) =
            search.manager.staticcall{gas: 200_000}(abi.encodeCall(IPositions.positions, (id)));
        if (!success || answer.length < 256) return position;
        uint256[8] memory words = abi.decode(answer, (uint256[8]));
        bool isHere = words[2] == uint160(search.token0) && words[3] == uint160(search.token1) && words[4] == search.fee;
        if (!isHere) return position;
        (, uint256 owner) = readWord(search.manager, abi.encodeCall(IPositions.ownerOf, (id)));
        position.id = id;
        position.owner = address(uint160(owner));
        position.liquidity = uint128(words[7]);
        position.tickLower = int24(int256(words[5]));
        position.tickUpper = int24(int256(words[6]));
    }

    /// A swap in a V4 pool, whose manager calls back. Returns what the manager gave.
    function swapInManager(Market calldata market, address give, address take, uint256 amount)
        external
        returns (uint256)
    {
        bytes memory answer = IPoolManager(market.pool).unlock(abi.encode(market, give, take, amount));
        return abi.decode(answer, (uint256));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (Market memory market, address give, address take, uint256 amount) =
            abi.decode(data, (Market, address, address, uint256));
        IPoolManager manager = IPoolManager(market.pool);
        bool isUp = give < take;
        int256 delta = manager.swap(
            keyOf(market),
            IPoolManager.SwapParams(
                isUp, -int256(amount), isUp ? 4_295_128_740 : 1461446703485210103287273052203988822378723970341
            ),
            ""
        );
        uint256 given = uint256(int256(int128(isUp ? delta : delta >> 128)));
        if (give == address(0)) {
            manager.settle{value: amount}();
        } else {
            manager.sync(give);
            IToken(give).transfer(market.pool, amount);
            manager.settle();
        }
        manager.take(take, address(this), given);
        return abi.encode(given);
    }

    /// Five legs for each share of the pool, each time from the same state: buy, transfer, approve, sell half, sell the
    /// rest. An empty answer in place of the legs means that they did not finish.
    function trade(Market calldata market, uint256[] calldata sharesPpm, address friend)
        external
        returns (bytes[] memory runs)
    {
        runs = new bytes[](sharesPpm.length);
        for (uint256 i = 0; i < sharesPpm.length; i++) {
            // With less, a step could fail that would not fail by itself.
            require(gasleft() > RUN_GAS + RUN_GAS / 32);
            runs[i] = undone(address(this), abi.encodeCall(this.tradeOnce, (market, sharesPpm[i], friend)), RUN_GAS);
        }
    }

    function tradeOnce(Market calldata market, uint256 sharePpm, address friend) external {
        revert Undone(abi.encode(tradeAll(market, sharePpm, friend)));
    }

    /// Many accounts, each with a share of its own, buy and sell everything again, each from the same state. The last run is that
    /// of the trader, who buys and sells in many parts.
    function crowd(
        Market calldata market,
        address[] calldata sellers,
        uint256[] calldata sharesPpm,
        uint256 wait,
        uint256 count
    ) external returns (bytes[] memory runs) {
        runs = new bytes[](sellers.length + 1);
        runs[sellers.length] =
            undone(address(this), abi.encodeCall(this.partsOnce, (market, PARTS_PPM, count, wait)), 6_000_000);
        uint256[] memory waits = new uint256[](1);
        waits[0] = wait;
        for (uint256 i = 0; i < sellers.length && gasleft() > 2_600_000; i++) {
            bytes memory data = abi.encodeCall(this.roundTripOnce, (market, sharesPpm[i], waits));
            runs[i] = undone(sellers[i], data, VISIT_GAS);
        }
    }

    /// Buys; then, after each wait since the purchase, sells everything, each time from the same state. The token's code was
    /// replaced by code that takes its own balance of native currency for the time, so that time passes by sending it some.
    function roundTripOnce(Market calldata market, uint256 sharePpm, uint256[] calldata waits) external {
        Leg[] memory legs = new Leg[](1 + waits.length);
        legs[0] = buy(market, sharePpm);
        if (legs[0].success && legs[0].received > 0) {
            allow(market.token, market.router);
            uint256 amount = balanceOf(market.token, address(this));
            uint256 passed;
            for (uint256 i = 0; i < waits.length; i++) {
                forceInto(market.token, waits[i] - passed);
                passed = waits[i];
                bytes memory answer = undone(address(this), abi.encodeCall(this.sellOnce, (market, amount)), LEG_GAS);
                if (answer.length > 0) legs[1 + i] = abi.decode(answer, (Leg));
            }
        }
        revert Undone(abi.encode(legs));
    }

    function later(Market calldata market, uint256 sharePpm, uint256[] calldata waits) external returns (bytes memory) {
        return undone(address(this), abi.encodeCall(this.roundTripOnce, (market, sharePpm, waits)), 14_000_000);
    }

    /// Buys; then others buy. After each third of them, from that state, it waits and sells half, and waits and sells the rest: in a
    /// market that lives, prices and counts move on.
    function rush(
        Market calldata market,
        uint256 sharePpm,
        address[] calldata others,
        uint256[] calldata sharesPpm,
        uint256 wait
    ) external returns (bytes memory) {
        bytes memory data = abi.encodeCall(this.rushOnce, (market, sharePpm, others, sharesPpm, wait));
        return undone(address(this), data, 14_000_000);
    }

    function rushOnce(
        Market calldata market,
        uint256 sharePpm,
        address[] calldata others,
        uint256[] calldata sharesPpm,
        uint256 wait
    ) external {
        Leg[] memory legs = new Leg[](1 + 2 * STAGES);
        legs[0] = buy(market, sharePpm);
        if (legs[0].success && legs[0].received > 0) {
            allow(market.token, market.router);
            for (uint256 stage = 0; stage < STAGES; stage++) {
                uint256 end = others.length * (stage + 1) / STAGES;
                for (uint256 i = others.length * stage / STAGES; i < end && gasleft() > 4_500_000; i++) {
                    callBounded(others[i], 0, abi.encodeCall(this.join, (market, sharesPpm[i])), JOIN_GAS, 0);
                }
                bytes memory answer =
                    undone(address(this), abi.encodeCall(this.sellInParts, (market, 2, wait)), 4_200_000);
                if (answer.length == 0) continue;
                Leg[] memory sales = abi.decode(answer, (Leg[]));
                (legs[1 + 2 * stage], legs[2 + 2 * stage]) = (sales[0], sales[1]);
            }
        }
        revert Undone(abi.encode(legs));
    }

    function sellInParts(Market calldata market, uint256 count, uint256 wait) external {
        revert Undone(abi.encode(sellParts(market, count, wait)));
    }

    /// Sells everything in equal parts, with a wait before each.
    function sellParts(Market calldata market, uint256 count, uint256 wait) private returns (Leg[] memory sales) {
        sales = new Leg[](count);
        for (uint256 i = 0; i < count; i++) {
            // With less, a sale could fail that would not fail by itself.
            require(gasleft() > PART_GAS);
            forceInto(market.token, wait);
            sales[i] = sell(market, balanceOf(market.token, address(this)) / (count - i));
        }
    }

    /// Buys and sells in many parts: a token could count the sales of a holder.
    function partsOnce(Market calldata market, uint256 sharePpm, uint256 count, uint256 wait) external {
        Leg[] memory legs = new Leg[](1 + count);
        legs[0] = buy(market, sharePpm);
        if (legs[0].success && legs[0].received > 0) {
            allow(market.token, market.router);
            Leg[] memory sales = sellParts(market, count, wait);
            for (uint256 i = 0; i < count; i++) legs[1 + i] = sales[i];
        }
        revert Undone(abi.encode(legs));
    }

    function join(Market calldata market, uint256 sharePpm) external {
        buy(market, sharePpm);
    }

    /// Native currency that no code can refuse: from a contract that ends as it is created.
    function forceInto(address target, uint256 amount) private {
        if (amount == 0) return;
        bytes memory code = abi.encodePacked(hex"73", target, hex"ff");
        assembly ("memory-safe") {
            pop(create(amount, add(code, 0x20), mload(code)))
        }
    }

    /// Buys once; then, each time from that state, makes another account act, lets the wait pass and sells everything. The
    /// first outcome is the sale without any action.
    function exercise(Market calldata market, uint256 sharePpm, uint256 wait, Trial[] calldata trials)
        external
        returns (Leg memory bought, Leg memory plainSale, TrialOutcome[] memory outcomes)
    {
        outcomes = new TrialOutcome[](trials.length);
        bought = buy(market, sharePpm);
        if (!bought.success || bought.received == 0) return (bought, plainSale, outcomes);
        allow(market.token, market.router);
        uint256 amount = balanceOf(market.token, address(this));
        bytes memory answer = undone(address(this), abi.encodeCall(this.waitAndSell, (market, amount, wait)), LEG_GAS);
        if (answer.length > 0) plainSale = abi.decode(answer, (Leg));
        for (uint256 i = 0; i < trials.length; i++) {
            if (gasleft() < TRIAL_GAS + TRIAL_GAS / 2) break;
            answer = undone(address(this), abi.encodeCall(this.actAndSell, (market, amount, wait, trials[i])), TRIAL_GAS);
            if (answer.length > 0) outcomes[i] = abi.decode(answer, (TrialOutcome));
        }
    }

    function sellOnce(Market calldata market, uint256 amount) external {
        revert Undone(abi.encode(sell(market, amount)));
    }

    function waitAndSell(Market calldata market, uint256 amount, uint256 wait) external {
        forceInto(market.token, wait);
        revert Undone(abi.encode(sell(market, amount)));
    }

    function actAndSell(Market calldata market, uint256 amount, uint256 wait, Trial calldata trial) external {
        TrialOutcome memory outcome;
        outcome.isTried = true;
        uint256[5] memory before = measure(market, trial.caller);
        for (uint256 i = 0; i < trial.calls.length && (trial.isSequence || !outcome.isAccepted); i++) {
            // A low-level call: the answer of the caller's account is the token's answer, of any length.
            bytes memory data = abi.encodeCall(this.act, (market.token, trial.calls[i]));
            (bool success, bytes memory answer) = callBounded(trial.caller, 0, data, POWER_GAS, MAX_ACT_REFUSAL);
            if (success) (outcome.isAccepted, outcome.index) = (true, i);
            else if (i == 0) outcome.refusal = answer;
        }
        if (outcome.isAccepted) {
            uint256[5] memory afterwards = measure(market, trial.caller);
            for (uint256 i = 0; i < 5; i++) {
                // forge-lint: disable-next-line(unsafe-typecast)
                unchecked { outcome.changes[i] = int256(afterwards[i] - before[i]); }
            }
            forceInto(market.token, wait);
            outcome.sale = sell(market, amount);
        }
        revert Undone(abi.encode(outcome));
    }

    function measure(Market calldata market, address caller) private view returns (uint256[5] memory words) {
        words[0] = balanceOf(market.token, caller);
        words[1] = balanceOf(market.token, address(this));
        words[2] = balanceOf(market.token, market.pool);
        (, words[3]) = readWord(market.token, abi.encodeCall(IToken.totalSupply, ()));
        (, words[4]) =
            readWord(market.token, abi.encodeWithSignature("allowance(address,address)", address(this), caller));
    }

    /// Makes accounts act on a contract that keeps shares of a pool, each time from the same state, and reports whether it then
    /// has fewer shares or the pool less of its quote token.
    function drain(address keeper, address shares, address quote, address pool, Trial[] calldata trials)
        external
        returns (uint8[] memory outcomes)
    {
        outcomes = new uint8[](trials.length);
        for (uint256 i = 0; i < trials.length && gasleft() > TRIAL_GAS; i++) {
            bytes memory data = abi.encodeCall(this.drainOnce, (keeper, shares, quote, pool, trials[i]));
            bytes memory answer = undone(address(this), data, TRIAL_GAS);
            if (answer.length > 0) outcomes[i] = abi.decode(answer, (uint8));
        }
    }

    /// 1: refused. 2: accepted, and nothing left. 3: shares or what they stand for left.
    function drainOnce(address keeper, address shares, address quote, address pool, Trial calldata trial) external {
        uint256 held = balanceOf(shares, keeper);
        uint256 pooled = balanceOf(quote, pool);
        bool isAccepted;
        for (uint256 i = 0; i < trial.calls.length; i++) {
            bytes memory data = abi.encodeCall(this.act, (keeper, trial.calls[i]));
            (bool success,) = callBounded(trial.caller, 0, data, 2_000_000, 0);
            isAccepted = isAccepted || success;
        }
        bool isLess = balanceOf(shares, keeper) < held || balanceOf(quote, pool) < pooled;
        revert Undone(abi.encode(isLess ? 3 : isAccepted ? 2 : 1));
    }

    /// The code at another address executes the trader's calls, and refuses with the words of who refused them.
    function act(address target, bytes calldata data) external {
        // A call without data is a payment.
        uint256 value = data.length == 0 && address(this).balance > 0 ? 1 : 0;
        (bool success, bytes memory answer) = callBounded(target, value, data, gasleft(), MAX_ACT_REFUSAL);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    // Tokens do not call these on an account without code.
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return this.onERC721Received.selector;
    }
}
