/** One function per line; `readMeanings` reads them. */
export const governanceMeanings = `
# Votes
5c19a95c delegate(address delegatee) | delegate | Lets {delegatee|account} vote with your {@to|token} | spender=delegatee token=@to
c3cda520 delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) | delegate | Lets {delegatee|account} vote with the tokens of the signer | spender=delegatee token=@to deadline=expiry
# Governor
56781388 castVote(uint256 proposalId, uint8 support) | vote | Votes on proposal {proposalId}: {support} (0 against, 1 for, 2 abstain)
7b3c71d3 castVoteWithReason(uint256 proposalId, uint8 support, string reason) | vote | Votes on proposal {proposalId}: {support} (0 against, 1 for, 2 abstain)
5f398a14 castVoteWithReasonAndParams(uint256 proposalId, uint8 support, string reason, bytes params) | vote | Votes on proposal {proposalId}: {support} (0 against, 1 for, 2 abstain)
3bccf4fd castVoteBySig(uint256 proposalId, uint8 support, uint8 v, bytes32 r, bytes32 s) | vote | Votes on proposal {proposalId} for the signer: {support} (0 against, 1 for, 2 abstain)
8ff262e3 castVoteBySig(uint256 proposalId, uint8 support, address voter, bytes signature) | vote | Votes on proposal {proposalId} for {voter|account}, who signed it: {support} (0 against, 1 for, 2 abstain) | owner=voter
7d5e81e2 propose(address[] targets, uint256[] values, bytes[] calldatas, string description) | vote | Proposes {targets|count} calls | calls=calldatas
da95691a propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description) | vote | Proposes {targets|count} calls | calls=calldatas
160cbed7 queue(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) | vote | Queues an accepted proposal of {targets|count} calls | calls=calldatas
2656227d execute(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) | batch | Makes the {targets|count} calls of an accepted proposal | calls=calldatas
452115d6 cancel(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) | vote | Cancels a proposal of {targets|count} calls | calls=calldatas
ddf0b009 queue(uint256 proposalId) | vote | Queues proposal {proposalId}
fe0d94c1 execute(uint256 proposalId) | batch | Carries out proposal {proposalId}
40e58ee5 cancel(uint256 proposalId) | vote | Cancels proposal {proposalId}
c28bc2fa relay(address target, uint256 value, bytes data) | control | Lets the governor call {target|account} with {value|ether} | recipient=target amount=value calls=data
79051887 setVotingDelay(uint48 newVotingDelay) | control | Changes the wait before a vote
e540d01d setVotingPeriod(uint32 newVotingPeriod) | control | Changes how long a vote takes
ece40cc1 setProposalThreshold(uint256 newProposalThreshold) | control | Changes how many votes a proposal needs
06f3f9e6 updateQuorumNumerator(uint256 newQuorumNumerator) | control | Changes the quorum
# Timelock
01d5062a schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay) | control | Schedules a call of {target|account} in {delay|span} | recipient=target amount=value calls=data
8f2a0bb0 scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay) | control | Schedules {targets|count} calls in {delay|span} | calls=payloads
134008d3 execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt) | batch | Makes a scheduled call of {target|account} with {value|ether} | recipient=target amount=value calls=payload
e38335e5 executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt) | batch | Makes {targets|count} scheduled calls | calls=payloads
c4d252f5 cancel(bytes32 id) | control | Cancels the scheduled call {id}
64d62353 updateDelay(uint256 newDelay) | control | Changes the wait of the timelock to {newDelay|span}
# Vesting
86d1a69f release() | claim | Releases the ether that has vested
19165587 release(address token) | claim | Releases the {token|token} that has vested | token=token
ea5ead19 withdrawMax(uint256 streamId, address to) | claim | Withdraws all that has vested of stream {streamId} to {to|account} | recipient=to
fdd46d60 withdraw(uint256 streamId, address to, uint128 amount) | claim | Withdraws {amount} units of stream {streamId} to {to|account} | recipient=to amount=amount
8659c270 cancelMultiple(uint256[] streamIds) | other | Cancels {streamIds|count} streams
7de6b1db renounce(uint256 streamId) | control | Gives up the right to cancel stream {streamId}
4cc55e11 withdrawMultiple(uint256[] streamIds, uint128[] amounts) | claim | Withdraws from {streamIds|count} streams | amount=amounts
b8856d89 createWithDurationsLL((address sender, address recipient, uint128 depositAmount, address token, bool cancelable, bool transferable, string shape) params, (uint128 start, uint128 cliff) unlockAmounts, (uint40 cliff, uint40 total) durations) | transfer | Streams {params.depositAmount|tokens params.token} to {params.recipient|account} over {durations.total|span} | owner=params.sender recipient=params.recipient amount=params.depositAmount token=params.token
# Staking
47e7ef24 deposit(address token, uint256 amount) | stake | Puts {amount|tokens token} into {@to|party} | token=token amount=amount
a694fc3a stake(uint256 amount) | stake | Stakes {amount} units in {@to|party} | amount=amount
2ee40908 stakeFor(address account, uint256 amount) | stake | Stakes {amount} units in {@to|party} for {account|account} | amount=amount recipient=account
2e17de78 unstake(uint256 amount) | withdraw | Takes {amount} staked units out of {@to|party} | amount=amount
e9fad8ee exit() | withdraw | Takes your stake and its rewards out of {@to|party}
3d18b912 getReward() | claim | Claims your rewards from {@to|party}
4641257d harvest() | claim | Claims your rewards from {@to|party}
e2bbb158 deposit(uint256 pid, uint256 amount) | stake | Stakes {amount} units in pool {pid} of {@to|party} | amount=amount
441a3e70 withdraw(uint256 pid, uint256 amount) | withdraw | Takes {amount} units out of pool {pid} of {@to|party} | amount=amount
5312ea8e emergencyWithdraw(uint256 pid) | withdraw | Takes your stake out of pool {pid} of {@to|party} without rewards
# Clanker
df40224a deployToken(((address tokenAdmin, string name, string symbol, bytes32 salt, string image, string metadata, string context, uint256 originatingChainId) tokenConfig, (address hook, address pairedToken, int24 tickIfToken0IsClanker, int24 tickSpacing, bytes poolData) poolConfig, (address locker, address[] rewardAdmins, address[] rewardRecipients, uint16[] rewardBps, int24[] tickLower, int24[] tickUpper, uint16[] positionBps, bytes lockerData) lockerConfig, (address mevModule, bytes mevModuleData) mevModuleConfig, (address extension, uint256 msgValue, uint16 extensionBps, bytes extensionData)[] extensionConfigs) deploymentConfig) | other | Launches the token {deploymentConfig.tokenConfig.name} ({deploymentConfig.tokenConfig.symbol}) of {deploymentConfig.tokenConfig.tokenAdmin|account}, for {@value|ether} | owner=deploymentConfig.tokenConfig.tokenAdmin amount=@value
e9119a4e deployToken(((string name, string symbol, bytes32 salt, string image, string metadata, string context, uint256 originatingChainId) tokenConfig, (uint8 vaultPercentage, uint256 vaultDuration) vaultConfig, (address pairedToken, int24 tickIfToken0IsNewToken) poolConfig, (uint24 pairedTokenPoolFee, uint256 pairedTokenSwapAmountOutMinimum) initialBuyConfig, (uint256 creatorReward, address creatorAdmin, address creatorRewardRecipient, address interfaceAdmin, address interfaceRewardRecipient) rewardsConfig) deploymentConfig) | other | Launches the token {deploymentConfig.tokenConfig.name} ({deploymentConfig.tokenConfig.symbol}) of {deploymentConfig.rewardsConfig.creatorAdmin|account}, for {@value|ether} | owner=deploymentConfig.rewardsConfig.creatorAdmin amount=@value
a9b29f83 deployToken((string name, string symbol, uint256 supply, uint24 fee, bytes32 salt, address deployer, uint256 fid, string image, string castHash, (int24 tick, address pairedToken, uint24 devBuyFee) poolConfig) preSaleTokenConfig) | other | Launches the token {preSaleTokenConfig.name} ({preSaleTokenConfig.symbol}) of {preSaleTokenConfig.deployer|account}, for {@value|ether} | owner=preSaleTokenConfig.deployer amount=@value
ef5cfb8c claimRewards(address token) | claim | Claims the fees of the token {token|token} | token=token
5763dbd0 collectRewards(address token) | claim | Collects the fees of the token {token|token} for those who earned them | token=token
eb3d68e7 updateImage(string image) | other | Changes the picture of {@to|party}
918b5be1 updateMetadata(string metadata) | other | Changes the description of {@to|party}
# Virtuals
3c0b93aa launch(string name, string ticker, uint8[] cores, string desc, string img, string[4] urls, uint256 purchaseAmount) | other | Launches the agent {name} ({ticker}) and buys for {purchaseAmount} units | amount=purchaseAmount
18d80a69 preLaunch(string name, string ticker, uint8[] cores, string desc, string img, string[4] urls, uint256 purchaseAmount, uint256 startTime) | other | Prepares the launch of the agent {name} ({ticker}) and buys for {purchaseAmount} units | amount=purchaseAmount
214013ca launch(address tokenAddress) | other | Opens the sale of {tokenAddress|token} | token=tokenAddress
706910ff buy(uint256 amountIn, address tokenAddress, uint256 amountOutMin, uint256 deadline) | swap | Buys at least {amountOutMin|tokens tokenAddress} with {amountIn} units | tokenOut=tokenAddress amount=amountIn minimum=amountOutMin deadline=deadline
b233e056 sell(uint256 amountIn, address tokenAddress, uint256 amountOutMin, uint256 deadline) | swap | Sells {amountIn|tokens tokenAddress} for at least {amountOutMin} units | token=tokenAddress amount=amountIn minimum=amountOutMin deadline=deadline
7f13a90b unwrapToken(address srcTokenAddress, address[] accounts) | swap | Turns bonding tokens of {accounts|count} accounts into agent tokens | token=srcTokenAddress
e49dbb4f stake(uint256 amount, uint8 numWeeks, bool autoRenew) | stake | Locks {amount} units for {numWeeks} weeks | amount=amount
9e4ec30a proposeAgent(string name, string symbol, string tokenURI, uint8[] cores, bytes32 tbaSalt, address tbaImplementation, uint32 daoVotingPeriod, uint256 daoThreshold) | other | Proposes the agent {name} ({symbol})
c79aa45b executeApplication(uint256 id, bool canStake, bytes32 salt) | other | Creates the agent of application {id}
# Superfluid
45977d03 upgrade(uint256 amount) | wrap | Wraps {amount} units into a streaming token | amount=amount
11bcc81e downgrade(uint256 amount) | unwrap | Unwraps {amount} units of a streaming token | amount=amount
cf81464b upgradeByETH() | wrap | Wraps {@value|ether} into a streaming token | amount=@value
39255d5b callAgreement(address agreementClass, bytes callData, bytes userData) | other | Changes a stream of tokens | calls=callData
6ad3ca7d batchCall((uint32 operationType, address target, bytes data)[] operations) | batch | Makes {operations|count} calls through Superfluid | calls=operations
`;
