/** One function per line; `readMeanings` reads them. */
export const accountsMeanings = `
# Safe
6a761202 execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) | account | Lets the Safe {@to|party} call {to|account} with {value|ether} | recipient=to amount=value calls=data
d4d9bdcd approveHash(bytes32 hashToApprove) | account | Approves, as an owner of the Safe, the transaction {hashToApprove}
b63e800d setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver) | account | Sets up a Safe of {owners|count} owners, {threshold} of whom must sign
0d582f13 addOwnerWithThreshold(address owner, uint256 threshold) | control | Adds {owner|account} to the Safe's owners; {threshold} must sign | spender=owner
f8dc5dd9 removeOwner(address prevOwner, address owner, uint256 threshold) | control | Removes {owner|account} from the Safe's owners; {threshold} must sign | owner=owner
e318b52b swapOwner(address prevOwner, address oldOwner, address newOwner) | control | Replaces the Safe's owner {oldOwner|account} by {newOwner|account} | owner=oldOwner spender=newOwner
694e80c3 changeThreshold(uint256 threshold) | control | Lets {threshold} owners of the Safe decide
610b5925 enableModule(address module) | control | Lets {module|account} move everything in the Safe without a signature | spender=module
e009cfde disableModule(address prevModule, address module) | control | Stops {module|account} from moving what is in the Safe | spender=module
e19a9dd9 setGuard(address guard) | control | Lets {guard|account} stop transactions of the Safe | spender=guard
e068df37 setModuleGuard(address moduleGuard) | control | Lets {moduleGuard|account} stop transactions of the Safe's modules | spender=moduleGuard
f08a0323 setFallbackHandler(address handler) | control | Lets {handler|account} answer calls that the Safe does not know | spender=handler
468721a7 execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) | account | Lets the Safe {@to|party} call {to|account} with {value|ether}, as a module | recipient=to amount=value calls=data
5229073f execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation) | account | Lets the Safe {@to|party} call {to|account} with {value|ether}, as a module | recipient=to amount=value calls=data
8d80ff0a multiSend(bytes transactions) | batch | Makes several calls in one | calls=transactions
1688f0b9 createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) | account | Creates a Safe | calls=initializer
ec9e80bb createChainSpecificProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) | account | Creates a Safe | calls=initializer
d18af54d createProxyWithCallback(address singleton, bytes initializer, uint256 saltNonce, address callback) | account | Creates a Safe and calls {callback|account} | calls=initializer
61b69abd createProxy(address singleton, bytes data) | account | Creates a Safe | calls=data
85a5affe signMessage(bytes data) | account | Signs a message for the Safe
b4faba09 simulateAndRevert(address targetContract, bytes calldataPayload) | other | Tries a call and undoes it | calls=calldataPayload
7bb37428 executeUserOp(address to, uint256 value, bytes data, uint8 operation) | account | Lets the Safe {@to|party} call {to|account} with {value|ether} | recipient=to amount=value calls=data
541d63c8 executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation) | account | Lets the Safe {@to|party} call {to|account} with {value|ether} | recipient=to amount=value calls=data
8d0dc49f enableModules(address[] modules) | control | Lets {modules|count} contracts move everything in the Safe without a signature | spender=modules
beaeb388 setAllowance(address delegate, address token, uint96 allowanceAmount, uint16 resetTimeMin, uint32 resetBaseMin) | approve | Lets {delegate|account} spend {allowanceAmount|tokens token} of the Safe every {resetTimeMin} minutes | spender=delegate amount=allowanceAmount token=token
e71bdf41 addDelegate(address delegate) | control | Lets {delegate|account} be given allowances of the Safe | spender=delegate
dd43a79f removeDelegate(address delegate, bool removeAllowances) | control | Takes allowances of the Safe from {delegate|account} | spender=delegate
c19bf50e resetAllowance(address delegate, address token) | approve | Restarts the allowance of {delegate|account} for {token|token} | spender=delegate token=token
885133e3 deleteAllowance(address delegate, address token) | approve | Ends the allowance of {delegate|account} for {token|token} | spender=delegate token=token
4515641a executeAllowanceTransfer(address safe, address token, address to, uint96 amount, address paymentToken, uint96 payment, address delegate, bytes signature) | transfer | Sends {amount|tokens token} of the Safe {safe|account} to {to|account} | owner=safe recipient=to amount=amount token=token
# EntryPoint
765e827f handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary) | batch | Runs {ops|count} user operations and pays {beneficiary|account} for the gas | recipient=beneficiary calls=ops
1fad948c handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary) | batch | Runs {ops|count} user operations and pays {beneficiary|account} for the gas | recipient=beneficiary calls=ops
dbed18e0 handleAggregatedOps(((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] userOps, address aggregator, bytes signature)[] opsPerAggregator, address beneficiary) | batch | Runs user operations of {opsPerAggregator|count} aggregators and pays {beneficiary|account} for the gas | recipient=beneficiary calls=opsPerAggregator
4b1d7cf5 handleAggregatedOps(((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] userOps, address aggregator, bytes signature)[] opsPerAggregator, address beneficiary) | batch | Runs user operations of {opsPerAggregator|count} aggregators and pays {beneficiary|account} for the gas | recipient=beneficiary calls=opsPerAggregator
b760faf9 depositTo(address account) | deposit | Pays {@value|ether} for the gas of {account|account} | recipient=account amount=@value
205c2878 withdrawTo(address withdrawAddress, uint256 withdrawAmount) | withdraw | Withdraws {withdrawAmount|ether} of your gas deposit to {withdrawAddress|account} | recipient=withdrawAddress amount=withdrawAmount
0396cb60 addStake(uint32 unstakeDelaySec) | stake | Stakes {@value|ether}, locked for {unstakeDelaySec|span} after the notice | amount=@value
bb9fe6bf unlockStake() | stake | Gives notice that the stake will be withdrawn
c23a5cea withdrawStake(address withdrawAddress) | withdraw | Withdraws your stake to {withdrawAddress|account} | recipient=withdrawAddress
0bd28e3b incrementNonce(uint192 key) | account | Cancels the next user operation of key {key}
# ERC-4337 account
b61d27f6 execute(address target, uint256 value, bytes data) | account | Lets the account {@to|party} call {target|account} with {value|ether} | recipient=target amount=value calls=data
47e1da2a executeBatch(address[] targets, uint256[] values, bytes[] datas) | batch | Lets the account {@to|party} make {targets|count} calls | calls=datas
18dfb3c7 executeBatch(address[] targets, bytes[] datas) | batch | Lets the account {@to|party} make {targets|count} calls | calls=datas
34fcd5be executeBatch((address target, uint256 value, bytes data)[] calls) | batch | Lets the account {@to|party} make {calls|count} calls | calls=calls
4a58db19 addDeposit() | deposit | Pays {@value|ether} for the account's gas | amount=@value
4d44560d withdrawDepositTo(address withdrawAddress, uint256 amount) | withdraw | Withdraws {amount|ether} of the account's gas deposit to {withdrawAddress|account} | recipient=withdrawAddress amount=amount
5fbfb9cf createAccount(address owner, uint256 salt) | account | Creates a smart account of {owner|account} | owner=owner
19822f7c validateUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash, uint256 missingAccountFunds) | account | Checks a user operation and pays {missingAccountFunds|ether} for it | amount=missingAccountFunds
# ERC-7579
e9ae5c53 execute(bytes32 mode, bytes executionCalldata) | batch | Lets the account {@to|party} make the calls given | calls=executionCalldata
d691c964 executeFromExecutor(bytes32 mode, bytes executionCalldata) | batch | Lets the account {@to|party} make the calls of one of its modules | calls=executionCalldata
9517e29f installModule(uint256 moduleTypeId, address module, bytes initData) | control | Lets {module|account} act in the account, as a module of kind {moduleTypeId} | spender=module
a71763a8 uninstallModule(uint256 moduleTypeId, address module, bytes deInitData) | control | Removes the module {module|account} from the account | spender=module
8dd7712f executeUserOp((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp, bytes32 userOpHash) | account | Runs a user operation | calls=userOp.callData
# Coinbase Smart Wallet
2c2abd1e executeWithoutChainIdValidation(bytes[] calls) | control | Changes the account's owners or code on every chain, by {calls|count} calls | calls=calls
0f0f3f24 addOwnerAddress(address owner) | control | Makes {owner|account} an owner of the account | spender=owner
29565e3b addOwnerPublicKey(bytes32 x, bytes32 y) | control | Makes a passkey an owner of the account
89625b57 removeOwnerAtIndex(uint256 index, bytes owner) | control | Removes an owner of the account
b8197367 removeLastOwner(uint256 index, bytes owner) | control | Removes the last owner: nobody will control the account
3ffba36f createAccount(bytes[] owners, uint256 nonce) | account | Creates a smart account of {owners|count} owners
da9c8680 setImplementation(address newImplementation, bytes callData, address validator, uint256 expiry, bytes signature, bool allowCrossChainReplay) | control | Makes {newImplementation|account} the code of the account | spender=newImplementation calls=callData deadline=expiry
415a9735 spend((address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission, uint160 value) | transfer | Takes {value|tokens spendPermission.token} from {spendPermission.account|account}, as a permission allows | owner=spendPermission.account spender=spendPermission.spender amount=value token=spendPermission.token
33211c30 approve((address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission) | approve | Lets {spendPermission.spender|account} take {spendPermission.allowance|tokens spendPermission.token} every {spendPermission.period|span} until {spendPermission.end|date} | owner=spendPermission.account spender=spendPermission.spender amount=spendPermission.allowance token=spendPermission.token deadline=spendPermission.end
b9ffc8e1 approveWithSignature((address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission, bytes signature) | permit | Lets {spendPermission.spender|account} take {spendPermission.allowance|tokens spendPermission.token} every {spendPermission.period|span} from {spendPermission.account|account}, who signed it | owner=spendPermission.account spender=spendPermission.spender amount=spendPermission.allowance token=spendPermission.token deadline=spendPermission.end
78792f76 revoke((address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission) | approve | Takes back what {spendPermission.spender|account} may take every {spendPermission.period|span} | owner=spendPermission.account spender=spendPermission.spender token=spendPermission.token
b2c2b019 revokeAsSpender((address account, address spender, address token, uint160 allowance, uint48 period, uint48 start, uint48 end, uint256 salt, bytes extraData) spendPermission) | approve | Gives up a permission to take from {spendPermission.account|account} | owner=spendPermission.account spender=spendPermission.spender token=spendPermission.token
# Smart accounts
f2fde38b transferOwnership(address newOwner) | control | Makes {newOwner|account} the owner of {@to|party} | spender=newOwner
ea6d13ac createAccount(bytes data, bytes32 salt) | account | Creates a smart account
c5265d5d deployWithFactory(address factory, bytes createData, bytes32 salt) | account | Creates a smart account with the factory {factory|account}
cef6d209 redeemDelegations(bytes[] permissionContexts, bytes32[] modes, bytes[] executionCallDatas) | batch | Makes calls from accounts that gave a delegation | calls=executionCallDatas
3ed01015 enableDelegation((address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation) | control | Lets {delegation.delegate|account} act for {delegation.delegator|account} | owner=delegation.delegator spender=delegation.delegate
49934047 disableDelegation((address delegate, address delegator, bytes32 authority, (address enforcer, bytes terms, bytes args)[] caveats, uint256 salt, bytes signature) delegation) | control | Stops {delegation.delegate|account} from acting for {delegation.delegator|account} | owner=delegation.delegator spender=delegation.delegate
5c1c6dcd execute((address target, uint256 value, bytes callData) execution) | account | Lets the account call {execution.target|account} with {execution.value|ether} | recipient=execution.target amount=execution.value calls=execution.callData
6171d1c9 execute((address to, uint256 value, bytes data)[] calls, bytes signature) | batch | Lets the account make {calls|count} calls | calls=calls
99e1d016 execute(((address to, uint256 value, bytes data)[] calls, bool revertOnFailure) batchedCall) | batch | Lets the account make {batchedCall.calls|count} calls | calls=batchedCall.calls
3f707e6b execute((address to, uint256 value, bytes data)[] calls) | batch | Lets the account make {calls|count} calls | calls=calls
# Multicall3
252dba42 aggregate((address target, bytes callData)[] calls) | batch | Makes {calls|count} calls | calls=calls
bce38bd7 tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) | batch | Makes {calls|count} calls | calls=calls
c3077fa9 blockAndAggregate((address target, bytes callData)[] calls) | batch | Makes {calls|count} calls | calls=calls
399542e9 tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) | batch | Makes {calls|count} calls | calls=calls
82ad56cb aggregate3((address target, bool allowFailure, bytes callData)[] calls) | batch | Makes {calls|count} calls | calls=calls
174dea71 aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) | batch | Makes {calls|count} calls and passes ether on | calls=calls
# Multicall
ac9650d8 multicall(bytes[] data) | batch | Makes {data|count} calls to {@to|party} in one | calls=data
5ae401dc multicall(uint256 deadline, bytes[] data) | batch | Makes {data|count} calls to {@to|party} in one | calls=data deadline=deadline
1f0464d1 multicall(bytes32 previousBlockhash, bytes[] data) | batch | Makes {data|count} calls to {@to|party} in one | calls=data
63fb0b96 multicall(address[] targets, bytes[] data) | batch | Makes {targets|count} calls | calls=data
# Proxies and owners
715018a6 renounceOwnership() | control | Gives up the ownership of {@to|party} for ever
79ba5097 acceptOwnership() | control | Accepts the ownership of {@to|party}
13af4035 setOwner(address newOwner) | control | Makes {newOwner|account} the owner of {@to|party} | spender=newOwner
f1739cae transferProxyOwnership(address newOwner) | control | Lets {newOwner|account} replace the code of {@to|party} | spender=newOwner
25692962 requestOwnershipHandover() | control | Asks for the ownership of {@to|party}
54d1f13d cancelOwnershipHandover() | control | Withdraws the request for the ownership of {@to|party}
f04e283e completeOwnershipHandover(address pendingOwner) | control | Makes {pendingOwner|account} the owner of {@to|party} | spender=pendingOwner
3659cfe6 upgradeTo(address newImplementation) | control | Replaces the code of {@to|party} by {newImplementation|account} | spender=newImplementation
4f1ef286 upgradeToAndCall(address newImplementation, bytes data) | control | Replaces the code of {@to|party} by {newImplementation|account} and calls it | spender=newImplementation calls=data
99a88ec4 upgrade(address proxy, address implementation) | control | Replaces the code of {proxy|account} by {implementation|account} | spender=implementation
9623609d upgradeAndCall(address proxy, address implementation, bytes data) | control | Replaces the code of {proxy|account} by {implementation|account} and calls it | spender=implementation calls=data
8f283970 changeAdmin(address newAdmin) | control | Lets {newAdmin|account} replace the code of {@to|party} | spender=newAdmin
7eff275e changeProxyAdmin(address proxy, address newAdmin) | control | Lets {newAdmin|account} replace the code of {proxy|account} | spender=newAdmin
1f931c1c diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] cut, address init, bytes data) | control | Replaces {cut|count} parts of the code of {@to|party} | spender=init calls=data
2f2ff15d grantRole(bytes32 role, address account) | control | Gives {account|account} the role {role} in {@to|party} | spender=account
d547741f revokeRole(bytes32 role, address account) | control | Takes the role {role} in {@to|party} from {account|account} | spender=account
36568abe renounceRole(bytes32 role, address account) | control | Gives up the role {role} in {@to|party} | owner=account
1c10893f grantRoles(address user, uint256 roles) | control | Gives {user|account} the roles {roles} in {@to|party} | spender=user
4a4ee7b1 revokeRoles(address user, uint256 roles) | control | Takes the roles {roles} in {@to|party} from {user|account} | spender=user
183a4f6e renounceRoles(uint256 roles) | control | Gives up the roles {roles} in {@to|party}
634e93da beginDefaultAdminTransfer(address newAdmin) | control | Offers {newAdmin|account} the administration of {@to|party} | spender=newAdmin
cefc1429 acceptDefaultAdminTransfer() | control | Accepts the administration of {@to|party}
7a9e5e4b setAuthority(address newAuthority) | control | Lets {newAuthority|account} decide who may call {@to|party} | spender=newAuthority
8456cb59 pause() | control | Pauses {@to|party}
3f4ba83a unpause() | control | Ends the pause of {@to|party}
c4d66de8 initialize(address owner) | control | Makes {owner|account} the first owner of {@to|party} | spender=owner
`;
