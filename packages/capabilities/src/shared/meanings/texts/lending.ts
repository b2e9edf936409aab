/** One function per line; `readMeanings` reads them. */
export const lendingMeanings = `
# Aave v3
617ba037 supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) | deposit | Deposits {amount|tokens asset} into {@to|party} for {onBehalfOf|account} | token=asset amount=amount recipient=onBehalfOf
02c205f0 supplyWithPermit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS) | deposit | Deposits {amount|tokens asset} into {@to|party} for {onBehalfOf|account}, with a signed allowance | token=asset amount=amount recipient=onBehalfOf deadline=deadline
e8eda9df deposit(address asset, uint256 amount, address onBehalfOf, uint16 referralCode) | deposit | Deposits {amount|tokens asset} into {@to|party} for {onBehalfOf|account} | token=asset amount=amount recipient=onBehalfOf
69328dec withdraw(address asset, uint256 amount, address to) | withdraw | Withdraws {amount|tokens asset} from {@to|party} to {to|account} | token=asset amount=amount recipient=to
a415bcad borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf) | borrow | Borrows {amount|tokens asset} from {@to|party} as a debt of {onBehalfOf|account} | token=asset amount=amount owner=onBehalfOf
573ade81 repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) | repay | Repays {amount|tokens asset} of the debt of {onBehalfOf|account} | token=asset amount=amount recipient=onBehalfOf
ee3e210b repayWithPermit(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS) | repay | Repays {amount|tokens asset} of the debt of {onBehalfOf|account}, with a signed allowance | token=asset amount=amount recipient=onBehalfOf deadline=deadline
2dad97d4 repayWithATokens(address asset, uint256 amount, uint256 interestRateMode) | repay | Repays {amount|tokens asset} of your debt from your deposit | token=asset amount=amount
5a3b74b9 setUserUseReserveAsCollateral(address asset, bool useAsCollateral) | other | {useAsCollateral|if Uses/No longer uses} your {asset|token} as collateral | token=asset
00a718a9 liquidationCall(address collateralAsset, address debtAsset, address user, uint256 debtToCover, bool receiveAToken) | repay | Repays {debtToCover|tokens debtAsset} of {user|account} and takes {collateralAsset|token} for it | token=debtAsset amount=debtToCover owner=user tokenOut=collateralAsset
ab9c4b5d flashLoan(address receiverAddress, address[] assets, uint256[] amounts, uint256[] interestRateModes, address onBehalfOf, bytes params, uint16 referralCode) | borrow | Borrows {assets|count} tokens for one call, for {receiverAddress|account} | recipient=receiverAddress amount=amounts owner=onBehalfOf
42b0b77c flashLoanSimple(address receiverAddress, address asset, uint256 amount, bytes params, uint16 referralCode) | borrow | Borrows {amount|tokens asset} for one call, for {receiverAddress|account} | recipient=receiverAddress amount=amount token=asset
28530a47 setUserEMode(uint8 categoryId) | other | Sets your efficiency mode to category {categoryId}
94ba89a2 swapBorrowRateMode(address asset, uint256 interestRateMode) | other | Changes the kind of interest of your debt in {asset|token} | token=asset
f7a73840 supply(bytes32 args) | deposit | Deposits into {@to|party}, with packed arguments
680dd47c supplyWithPermit(bytes32 args, bytes32 r, bytes32 s) | deposit | Deposits into {@to|party}, with packed arguments and a signed allowance
8e19899e withdraw(bytes32 args) | withdraw | Withdraws from {@to|party} to you, with packed arguments
d5eed868 borrow(bytes32 args) | borrow | Borrows from {@to|party}, with packed arguments
563dd613 repay(bytes32 args) | repay | Repays a debt of yours, with packed arguments
94b576de repayWithPermit(bytes32 args, bytes32 r, bytes32 s) | repay | Repays a debt of yours, with packed arguments and a signed allowance
dc7c0bff repayWithATokens(bytes32 args) | repay | Repays a debt of yours from your deposit, with packed arguments
4d013f03 setUserUseReserveAsCollateral(bytes32 args) | other | Changes whether a deposit of yours is collateral, with packed arguments
fd21ecff liquidationCall(bytes32 args1, bytes32 args2) | repay | Repays someone's debt and takes the collateral, with packed arguments
b8caa7c5 approvePositionManager(address positionManager, bool approve) | approve | {approve|if Lets/No longer lets} {positionManager|account} change your collateral and efficiency mode | spender=positionManager
474cf53d depositETH(address pool, address onBehalfOf, uint16 referralCode) | deposit | Deposits {@value|ether} into Aave for {onBehalfOf|account} | amount=@value recipient=onBehalfOf
80500d20 withdrawETH(address pool, uint256 amount, address to) | withdraw | Withdraws {amount|ether} from Aave to {to|account} | amount=amount recipient=to
bcc3c255 repayETH(address pool, uint256 amount, address onBehalfOf) | repay | Repays {amount|ether} of the debt of {onBehalfOf|account} | amount=amount recipient=onBehalfOf
02c5fcf8 repayETH(address pool, uint256 amount, uint256 rateMode, address onBehalfOf) | repay | Repays {amount|ether} of the debt of {onBehalfOf|account} | amount=amount recipient=onBehalfOf
e74f7b85 borrowETH(address pool, uint256 amount, uint16 referralCode) | borrow | Borrows {amount|ether} from Aave | amount=amount
66514c97 borrowETH(address pool, uint256 amount, uint256 interestRateMode, uint16 referralCode) | borrow | Borrows {amount|ether} from Aave | amount=amount
d4c40b6c withdrawETHWithPermit(address pool, uint256 amount, address to, uint256 deadline, uint8 permitV, bytes32 permitR, bytes32 permitS) | withdraw | Withdraws {amount|ether} from Aave to {to|account}, with a signed allowance | amount=amount recipient=to deadline=deadline
c04a8a10 approveDelegation(address delegatee, uint256 amount) | approve | Lets {delegatee|account} borrow {amount|tokens @to} as your debt | spender=delegatee amount=amount token=@to
0b52d558 delegationWithSig(address delegator, address delegatee, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) | permit | Lets {delegatee|account} borrow {value|tokens @to} as a debt of {delegator|account}, who signed it | owner=delegator spender=delegatee amount=value token=@to deadline=deadline
236300dc claimRewards(address[] assets, uint256 amount, address to, address reward) | claim | Claims {amount|tokens reward} of rewards for {to|account} | recipient=to amount=amount token=reward
bb492bf5 claimAllRewards(address[] assets, address to) | claim | Claims all rewards for {to|account} | recipient=to
bf90f63a claimAllRewardsToSelf(address[] assets) | claim | Claims all your rewards
57b89883 claimRewardsToSelf(address[] assets, uint256 amount, address reward) | claim | Claims {amount|tokens reward} of your rewards | amount=amount token=reward
33028b99 claimRewardsOnBehalf(address[] assets, uint256 amount, address user, address to, address reward) | claim | Claims {amount|tokens reward} of the rewards of {user|account} for {to|account} | owner=user recipient=to amount=amount token=reward
9ff55db9 claimAllRewardsOnBehalf(address[] assets, address user, address to) | claim | Claims all rewards of {user|account} for {to|account} | owner=user recipient=to
e25ec349 depositATokens(uint256 assets, address receiver) | deposit | Wraps {assets} units of aTokens for {receiver|account} | recipient=receiver amount=assets
090edf9a redeemATokens(uint256 shares, address receiver, address owner) | withdraw | Unwraps {shares} shares of {owner|account} into aTokens for {receiver|account} | recipient=receiver owner=owner amount=shares
cabc777e depositWithPermit(uint256 assets, address receiver, uint256 deadline, (uint8 v, bytes32 r, bytes32 s) sig, bool depositToAave) | deposit | Deposits {assets} units for {receiver|account}, with a signed allowance | recipient=receiver amount=assets deadline=deadline
# Morpho
a99aad89 supply((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) | deposit | Lends {assets|tokens marketParams.loanToken} in a Morpho market for {onBehalf|account} | token=marketParams.loanToken amount=assets recipient=onBehalf
5c2bea49 withdraw((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver) | withdraw | Withdraws {assets|tokens marketParams.loanToken} that {onBehalf|account} lent in a Morpho market, to {receiver|account} | token=marketParams.loanToken amount=assets owner=onBehalf recipient=receiver
50d8cd4b borrow((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, address receiver) | borrow | Borrows {assets|tokens marketParams.loanToken} as a debt of {onBehalf|account}, sent to {receiver|account} | token=marketParams.loanToken amount=assets owner=onBehalf recipient=receiver
20b76e81 repay((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, address onBehalf, bytes data) | repay | Repays {assets|tokens marketParams.loanToken} of the debt of {onBehalf|account} | token=marketParams.loanToken amount=assets recipient=onBehalf
238d6579 supplyCollateral((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, address onBehalf, bytes data) | deposit | Deposits {assets|tokens marketParams.collateralToken} as collateral of {onBehalf|account} | token=marketParams.collateralToken amount=assets recipient=onBehalf
8720316d withdrawCollateral((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, address onBehalf, address receiver) | withdraw | Withdraws {assets|tokens marketParams.collateralToken} of the collateral of {onBehalf|account}, to {receiver|account} | token=marketParams.collateralToken amount=assets owner=onBehalf recipient=receiver
d8eabcb8 liquidate((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, address borrower, uint256 seizedAssets, uint256 repaidShares, bytes data) | repay | Repays the debt of {borrower|account} and takes {seizedAssets|tokens marketParams.collateralToken} | owner=borrower amount=seizedAssets token=marketParams.collateralToken
e0232b42 flashLoan(address token, uint256 assets, bytes data) | borrow | Borrows {assets|tokens token} for one call | token=token amount=assets
eecea000 setAuthorization(address authorized, bool newIsAuthorized) | approve | {newIsAuthorized|if Lets/No longer lets} {authorized|account} withdraw and borrow for you in Morpho | spender=authorized
8069218f setAuthorizationWithSig((address authorizer, address authorized, bool isAuthorized, uint256 nonce, uint256 deadline) authorization, (uint8 v, bytes32 r, bytes32 s) signature) | permit | {authorization.isAuthorized|if Lets/No longer lets} {authorization.authorized|account} withdraw and borrow for {authorization.authorizer|account}, who signed it | owner=authorization.authorizer spender=authorization.authorized deadline=authorization.deadline
151c1ade accrueInterest((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams) | other | Adds the interest of a Morpho market
8c1358a2 createMarket((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams) | other | Creates a Morpho market of {marketParams.loanToken|token} against {marketParams.collateralToken|token}
374f435d multicall((address to, bytes data, uint256 value, bool skipRevert, bytes32 callbackHash)[] bundle) | batch | Makes {bundle|count} calls through Morpho's bundler | calls=bundle
803a7fba reenter((address to, bytes data, uint256 value, bool skipRevert, bytes32 callbackHash)[] bundle) | batch | Makes {bundle|count} more calls through Morpho's bundler | calls=bundle
39029ab6 erc4626Mint(address vault, uint256 shares, uint256 maxSharePriceE27, address receiver) | deposit | Buys {shares} shares of the vault {vault|account} for {receiver|account} | recipient=receiver amount=shares
6ef5eeae erc4626Deposit(address vault, uint256 assets, uint256 maxSharePriceE27, address receiver) | deposit | Deposits {assets} units into the vault {vault|account} for {receiver|account} | recipient=receiver amount=assets
c9565706 erc4626Withdraw(address vault, uint256 assets, uint256 minSharePriceE27, address receiver, address owner) | withdraw | Withdraws {assets} units of {owner|account} from the vault {vault|account} to {receiver|account} | recipient=receiver owner=owner amount=assets
a7f6e606 erc4626Redeem(address vault, uint256 shares, uint256 minSharePriceE27, address receiver, address owner) | withdraw | Turns {shares} shares of {owner|account} in the vault {vault|account} back, for {receiver|account} | recipient=receiver owner=owner amount=shares
5b866db6 morphoSupply((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, uint256 maxSharePriceE27, address onBehalf, bytes data) | deposit | Lends {assets|tokens marketParams.loanToken} in a Morpho market for {onBehalf|account} | token=marketParams.loanToken amount=assets recipient=onBehalf
ca463673 morphoSupplyCollateral((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, address onBehalf, bytes data) | deposit | Deposits {assets|tokens marketParams.collateralToken} as collateral of {onBehalf|account} | token=marketParams.collateralToken amount=assets recipient=onBehalf
62577ad0 morphoBorrow((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, uint256 minSharePriceE27, address receiver) | borrow | Borrows {assets|tokens marketParams.loanToken}, sent to {receiver|account} | token=marketParams.loanToken amount=assets recipient=receiver
4d5fcf68 morphoRepay((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, uint256 maxSharePriceE27, address onBehalf, bytes data) | repay | Repays {assets|tokens marketParams.loanToken} of the debt of {onBehalf|account} | token=marketParams.loanToken amount=assets recipient=onBehalf
84d287ef morphoWithdraw((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, uint256 shares, uint256 minSharePriceE27, address receiver) | withdraw | Withdraws {assets|tokens marketParams.loanToken} from a Morpho market to {receiver|account} | token=marketParams.loanToken amount=assets recipient=receiver
1af3bbc6 morphoWithdrawCollateral((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets, address receiver) | withdraw | Withdraws {assets|tokens marketParams.collateralToken} of collateral to {receiver|account} | token=marketParams.collateralToken amount=assets recipient=receiver
e2975912 morphoFlashLoan(address token, uint256 assets, bytes data) | borrow | Borrows {assets|tokens token} for one call | token=token amount=assets
827fcfcc permit2TransferFrom(address token, address receiver, uint256 amount) | transfer | Takes {amount|tokens token} of yours through Permit2 for {receiver|account} | token=token amount=amount recipient=receiver
d96ca0b9 erc20TransferFrom(address token, address receiver, uint256 amount) | transfer | Takes {amount|tokens token} of yours for {receiver|account} | token=token amount=amount recipient=receiver
3790767d erc20Transfer(address token, address receiver, uint256 amount) | transfer | Sends {amount|tokens token} of the adapter to {receiver|account} | token=token amount=amount recipient=receiver
f2522bcd nativeTransfer(address receiver, uint256 amount) | transfer | Sends {amount|ether} of the adapter to {receiver|account} | amount=amount recipient=receiver
3244c12c wrapNative(uint256 amount, address receiver) | wrap | Wraps {amount|ether} for {receiver|account} | amount=amount recipient=receiver
b172af6d unwrapNative(uint256 amount, address receiver) | unwrap | Unwraps {amount|ether} for {receiver|account} | amount=amount recipient=receiver
fabed412 claim(address account, address reward, uint256 claimable, bytes32[] proof) | claim | Claims {claimable|tokens reward} of rewards for {account|account} | recipient=account amount=claimable token=reward
833947fd reallocateTo(address vault, ((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint128 amount)[] withdrawals, (address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) supplyMarketParams) | other | Moves liquidity of the vault {vault|account} between {withdrawals|count} markets
7299aa31 reallocate(((address loanToken, address collateralToken, address oracle, address irm, uint256 lltv) marketParams, uint256 assets)[] allocations) | control | Moves the vault's liquidity between {allocations|count} markets
b5102025 createMetaMorpho(address initialOwner, uint256 initialTimelock, address asset, string name, string symbol, bytes32 salt) | other | Creates a vault of {asset|token} owned by {initialOwner|account} | owner=initialOwner token=asset
a7a28469 createVaultV2(address owner, address asset, bytes32 salt) | other | Creates a vault of {asset|token} owned by {owner|account} | owner=owner token=asset
e4d38cd8 forceDeallocate(address adapter, bytes data, uint256 assets, address onBehalf) | withdraw | Frees {assets} units of the vault, paid by shares of {onBehalf|account} | amount=assets owner=onBehalf
# Compound v3
f2b9fdb8 supply(address asset, uint256 amount) | deposit | Deposits {amount|tokens asset} into {@to|party} | token=asset amount=amount
4232cd63 supplyTo(address dst, address asset, uint256 amount) | deposit | Deposits {amount|tokens asset} into {@to|party} for {dst|account} | token=asset amount=amount recipient=dst
90323177 supplyFrom(address from, address dst, address asset, uint256 amount) | deposit | Deposits {amount|tokens asset} of {from|account} into {@to|party} for {dst|account} | token=asset amount=amount owner=from recipient=dst
f3fef3a3 withdraw(address asset, uint256 amount) | withdraw | Withdraws or borrows {amount|tokens asset} from {@to|party} | token=asset amount=amount
c3b35a7e withdrawTo(address to, address asset, uint256 amount) | withdraw | Withdraws or borrows {amount|tokens asset} from {@to|party} to {to|account} | token=asset amount=amount recipient=to
26441318 withdrawFrom(address src, address to, address asset, uint256 amount) | withdraw | Withdraws or borrows {amount|tokens asset} of {src|account} from {@to|party} to {to|account} | token=asset amount=amount owner=src recipient=to
439e2e45 transferAsset(address dst, address asset, uint256 amount) | transfer | Gives {amount|tokens asset} of your deposit to {dst|account} | token=asset amount=amount recipient=dst
c1ee2c18 transferAssetFrom(address src, address dst, address asset, uint256 amount) | transfer | Gives {amount|tokens asset} of the deposit of {src|account} to {dst|account} | token=asset amount=amount owner=src recipient=dst
110496e5 allow(address manager, bool isAllowed) | approve | {isAllowed|if Lets/No longer lets} {manager|account} withdraw and borrow for you | spender=manager
bb24d994 allowBySig(address owner, address manager, bool isAllowed, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) | permit | {isAllowed|if Lets/No longer lets} {manager|account} withdraw and borrow for {owner|account}, who signed it | owner=owner spender=manager deadline=expiry
c3cecfd2 absorb(address absorber, address[] accounts) | other | Liquidates {accounts|count} accounts
e4e6e779 buyCollateral(address asset, uint256 minAmount, uint256 baseAmount, address recipient) | swap | Buys at least {minAmount|tokens asset} of seized collateral for {recipient|account} | tokenOut=asset amount=baseAmount minimum=minAmount recipient=recipient
bfe69c8d accrueAccount(address account) | other | Adds the interest of {account|account}
555029a6 invoke(bytes32[] actions, bytes[] data) | batch | Makes {actions|count} deposits, withdrawals or claims in Compound | calls=data
b7034f7e claim(address comet, address src, bool shouldAccrue) | claim | Claims the rewards of {src|account} for {src|account} | recipient=src owner=src
4ff85d94 claimTo(address comet, address src, address to, bool shouldAccrue) | claim | Claims the rewards of {src|account} for {to|account} | owner=src recipient=to
# Moonwell
a0712d68 mint(uint256 mintAmount) | deposit | Deposits {mintAmount} units of the underlying token into {@to|party} | amount=mintAmount
d0248fb4 mintWithPermit(uint256 mintAmount, uint256 deadline, uint8 v, bytes32 r, bytes32 s) | deposit | Deposits {mintAmount} units of the underlying token into {@to|party}, with a signed allowance | amount=mintAmount deadline=deadline
db006a75 redeem(uint256 redeemTokens) | withdraw | Turns {redeemTokens} shares of {@to|party} back into the underlying token | amount=redeemTokens
852a12e3 redeemUnderlying(uint256 redeemAmount) | withdraw | Withdraws {redeemAmount} units of the underlying token from {@to|party} | amount=redeemAmount
c5ebeaec borrow(uint256 borrowAmount) | borrow | Borrows {borrowAmount} units of the underlying token from {@to|party} | amount=borrowAmount
0e752702 repayBorrow(uint256 repayAmount) | repay | Repays {repayAmount} units of your debt | amount=repayAmount
2608f818 repayBorrowBehalf(address borrower, uint256 repayAmount) | repay | Repays {repayAmount} units of the debt of {borrower|account} | amount=repayAmount recipient=borrower
e5974619 repayBorrowBehalf(address borrower) | repay | Repays {@value|ether} of the debt of {borrower|account} | amount=@value recipient=borrower
f5e3c462 liquidateBorrow(address borrower, uint256 repayAmount, address mTokenCollateral) | repay | Repays {repayAmount} units of the debt of {borrower|account} and takes collateral | amount=repayAmount owner=borrower
c2998238 enterMarkets(address[] mTokens) | other | Uses your deposits in {mTokens|count} markets as collateral
ede4edd0 exitMarket(address mToken) | other | No longer uses your deposit in {mToken|account} as collateral
b88a802f claimReward() | claim | Claims your rewards
d279c191 claimReward(address holder) | claim | Claims the rewards of {holder|account} | recipient=holder
3685ffe7 claimReward(address holder, address[] mTokens) | claim | Claims the rewards of {holder|account} in {mTokens|count} markets | recipient=holder
114b9d19 claimReward(address[] holders, address[] mTokens, bool borrowers, bool suppliers) | claim | Claims the rewards of {holders|count} accounts | recipient=holders
6a627842 mint(address recipient) | deposit | Deposits {@value|ether} into Moonwell for {recipient|account} | amount=@value recipient=recipient
adc9772e stake(address onBehalfOf, uint256 amount) | stake | Stakes {amount} units for {onBehalfOf|account} | recipient=onBehalfOf amount=amount
1e9a6950 redeem(address to, uint256 amount) | withdraw | Withdraws {amount} staked units to {to|account} | recipient=to amount=amount
787a08a6 cooldown() | stake | Starts the wait before staked tokens can be withdrawn
9a99b4f0 claimRewards(address to, uint256 amount) | claim | Claims {amount} units of staking rewards for {to|account} | recipient=to amount=amount
`;
