/** One function per line; `readMeanings` reads them. */
export const tokensMeanings = `
# ERC-20
a9059cbb transfer(address to, uint256 amount) | transfer | Sends {amount|tokens @to} to {to|account} | recipient=to amount=amount token=@to
23b872dd transferFrom(address from, address to, uint256 amount) | transfer | Moves {amount|tokens @to} from {from|account} to {to|account} | owner=from recipient=to amount=amount token=@to
095ea7b3 approve(address spender, uint256 amount) | approve | Lets {spender|account} take {amount|tokens @to} from you | spender=spender amount=amount token=@to
39509351 increaseAllowance(address spender, uint256 amount) | approve | Raises what {spender|account} may take from you by {amount|tokens @to} | spender=spender amount=amount token=@to
a457c2d7 decreaseAllowance(address spender, uint256 amount) | approve | Lowers what {spender|account} may take from you by {amount|tokens @to} | spender=spender amount=amount token=@to
d73dd623 increaseApproval(address spender, uint256 amount) | approve | Raises what {spender|account} may take from you by {amount|tokens @to} | spender=spender amount=amount token=@to
66188463 decreaseApproval(address spender, uint256 amount) | approve | Lowers what {spender|account} may take from you by {amount|tokens @to} | spender=spender amount=amount token=@to
cae9ca51 approveAndCall(address spender, uint256 amount, bytes data) | approve | Lets {spender|account} take {amount|tokens @to} from you and calls it | spender=spender amount=amount token=@to
1296ee62 transferAndCall(address to, uint256 amount) | transfer | Sends {amount|tokens @to} to {to|account} and calls it | recipient=to amount=amount token=@to
4000aea0 transferAndCall(address to, uint256 amount, bytes data) | transfer | Sends {amount|tokens @to} to {to|account} and calls it | recipient=to amount=amount token=@to
42966c68 burn(uint256 amount) | burn | Destroys {amount|tokens @to} of yours | amount=amount token=@to
79cc6790 burnFrom(address account, uint256 amount) | burn | Destroys {amount|tokens @to} of {account|account} | owner=account amount=amount token=@to
9dc29fac burn(address from, uint256 amount) | burn | Destroys {amount|tokens @to} of {from|account} | owner=from amount=amount token=@to
40c10f19 mint(address to, uint256 amount) | mint | Creates {amount|tokens @to} for {to|account} | recipient=to amount=amount token=@to
a0712d68 mint(uint256 amount) | mint | Creates {amount} units of {@to|party} for you, for {@value|ether} | amount=amount token=@to
# ERC-2612
d505accf permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) | permit | Lets {spender|account} take {value|tokens @to} from {owner|account}, who signed it | owner=owner spender=spender amount=value token=@to deadline=deadline
9fd5a6cf permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature) | permit | Lets {spender|account} take {value|tokens @to} from {owner|account}, who signed it | owner=owner spender=spender amount=value token=@to deadline=deadline
8fcbaf0c permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s) | permit | {allowed|if Lets/No longer lets} {spender|account} take every token of {holder|account}, who signed it | owner=holder spender=spender token=@to deadline=expiry
# EIP-3009
e3ee160e transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) | transfer | Sends {value|tokens @to} from {from|account} to {to|account}, as {from|account} signed | owner=from recipient=to amount=value token=@to deadline=validBefore
cf092995 transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) | transfer | Sends {value|tokens @to} from {from|account} to {to|account}, as {from|account} signed | owner=from recipient=to amount=value token=@to deadline=validBefore
ef55bec6 receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) | transfer | Collects {value|tokens @to} from {from|account} for {to|account}, as {from|account} signed | owner=from recipient=to amount=value token=@to deadline=validBefore
88b7ab63 receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature) | transfer | Collects {value|tokens @to} from {from|account} for {to|account}, as {from|account} signed | owner=from recipient=to amount=value token=@to deadline=validBefore
5a049a70 cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) | permit | Cancels a payment that {authorizer|account} signed | owner=authorizer token=@to
b7b72899 cancelAuthorization(address authorizer, bytes32 nonce, bytes signature) | permit | Cancels a payment that {authorizer|account} signed | owner=authorizer token=@to
# USDC
4e44d956 configureMinter(address minter, uint256 minterAllowedAmount) | control | Lets {minter|account} create up to {minterAllowedAmount|tokens @to} | spender=minter amount=minterAllowedAmount token=@to
3092afd5 removeMinter(address minter) | control | Stops {minter|account} from creating tokens | spender=minter token=@to
f9f92be4 blacklist(address account) | control | Freezes the tokens of {account|account} | owner=account token=@to
1a895266 unBlacklist(address account) | control | Unfreezes the tokens of {account|account} | owner=account token=@to
b2118a8d rescueERC20(address tokenContract, address to, uint256 amount) | transfer | Moves {amount|tokens tokenContract} that the contract holds to {to|account} | recipient=to amount=amount token=tokenContract
aa20e1e4 updateMasterMinter(address newMasterMinter) | control | Lets {newMasterMinter|account} name those who create tokens | spender=newMasterMinter
554bab3c updatePauser(address newPauser) | control | Lets {newPauser|account} pause the token | spender=newPauser
ad38bf22 updateBlacklister(address newBlacklister) | control | Lets {newBlacklister|account} freeze accounts | spender=newBlacklister
# ERC-721
095ea7b3 approve(address to, uint256 tokenId) | approve | Lets {to|account} take item {tokenId} of {@to|party} | spender=to token=@to
a22cb465 setApprovalForAll(address operator, bool approved) | approve | {approved|if Lets/No longer lets} {operator|account} take every item of {@to|party} that you own | spender=operator token=@to
42842e0e safeTransferFrom(address from, address to, uint256 tokenId) | transfer | Moves item {tokenId} of {@to|party} from {from|account} to {to|account} | owner=from recipient=to token=@to
b88d4fde safeTransferFrom(address from, address to, uint256 tokenId, bytes data) | transfer | Moves item {tokenId} of {@to|party} from {from|account} to {to|account} | owner=from recipient=to token=@to
a1448194 safeMint(address to, uint256 tokenId) | mint | Creates item {tokenId} of {@to|party} for {to|account} | recipient=to token=@to
40d097c3 safeMint(address to) | mint | Creates an item of {@to|party} for {to|account} | recipient=to token=@to
d204c45e safeMint(address to, string uri) | mint | Creates an item of {@to|party} for {to|account} | recipient=to token=@to
1249c58b mint() | mint | Creates an item of {@to|party} for you, for {@value|ether} | token=@to
6a627842 mint(address to) | mint | Creates an item of {@to|party} for {to|account}, for {@value|ether} | recipient=to token=@to
ba41b0c6 mint(uint256 quantity, bytes32[] proof) | mint | Creates {quantity} items of {@to|party} for you, for {@value|ether} | amount=quantity token=@to
7ac2ff7b permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s) | permit | Lets {spender|account} take item {tokenId}, whose owner signed it | spender=spender token=@to deadline=deadline
0f5730f1 permit(address spender, uint256 tokenId, uint256 deadline, uint256 nonce, bytes signature) | permit | Lets {spender|account} take item {tokenId}, whose owner signed it | spender=spender token=@to deadline=deadline
3aea60f0 permitForAll(address owner, address operator, bool approved, uint256 deadline, uint256 nonce, bytes signature) | permit | {approved|if Lets/No longer lets} {operator|account} take every item of {owner|account}, who signed it | owner=owner spender=operator token=@to deadline=deadline
# ERC-1155
f242432a safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data) | transfer | Moves {amount} of item {id} of {@to|party} from {from|account} to {to|account} | owner=from recipient=to amount=amount token=@to
2eb2c2d6 safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data) | transfer | Moves {ids|count} kinds of items of {@to|party} from {from|account} to {to|account} | owner=from recipient=to amount=amounts token=@to
731133e9 mint(address to, uint256 id, uint256 amount, bytes data) | mint | Creates {amount} of item {id} of {@to|party} for {to|account} | recipient=to amount=amount token=@to
1f7fdffa mintBatch(address to, uint256[] ids, uint256[] amounts, bytes data) | mint | Creates {ids|count} kinds of items of {@to|party} for {to|account} | recipient=to amount=amounts token=@to
f5298aca burn(address account, uint256 id, uint256 value) | burn | Destroys {value} of item {id} of {account|account} | owner=account amount=value token=@to
6b20c454 burnBatch(address account, uint256[] ids, uint256[] values) | burn | Destroys {ids|count} kinds of items of {account|account} | owner=account amount=values token=@to
# ERC-4626
6e553f65 deposit(uint256 assets, address receiver) | deposit | Deposits {assets} units of the underlying token into {@to|party} for {receiver|account} | recipient=receiver amount=assets
94bf804d mint(uint256 shares, address receiver) | deposit | Buys {shares|tokens @to} as shares of {@to|party} for {receiver|account} | recipient=receiver amount=shares
b460af94 withdraw(uint256 assets, address receiver, address owner) | withdraw | Withdraws {assets} units of the underlying token from {@to|party} to {receiver|account}, from shares of {owner|account} | recipient=receiver owner=owner amount=assets
ba087652 redeem(uint256 shares, address receiver, address owner) | withdraw | Turns {shares|tokens @to} of {owner|account} back into the underlying token for {receiver|account} | recipient=receiver owner=owner amount=shares
bc157ac1 deposit(uint256 assets, address receiver, uint256 minShares) | deposit | Deposits {assets} units of the underlying token into {@to|party} for {receiver|account} | recipient=receiver amount=assets minimum=minShares
2e2d2984 deposit(uint256 assets, address receiver, address controller) | deposit | Claims the shares of an earlier deposit of {assets} units for {receiver|account} | recipient=receiver owner=controller amount=assets
85b77f45 requestDeposit(uint256 assets, address controller, address owner) | deposit | Asks {@to|party} to take {assets} units of the underlying token from {owner|account} for {controller|account} | recipient=controller owner=owner amount=assets
7d41c86e requestRedeem(uint256 shares, address controller, address owner) | withdraw | Asks {@to|party} to turn {shares|tokens @to} of {owner|account} back, for {controller|account} | recipient=controller owner=owner amount=shares
558a7297 setOperator(address operator, bool approved) | approve | {approved|if Lets/No longer lets} {operator|account} act for you in {@to|party} | spender=operator
# Any contract
d0e30db0 deposit() | deposit | Pays {@value|ether} into {@to|party} | amount=@value
2e1a7d4d withdraw(uint256 amount) | withdraw | Takes {amount} units out of {@to|party} | amount=amount
3ccfd60b withdraw() | withdraw | Takes out what {@to|party} holds for you
853828b6 withdrawAll() | withdraw | Takes out all that {@to|party} holds for you
# WETH
d0e30db0 deposit() | wrap | Deposits {@value|ether} into {@to|party} | amount=@value token=@to
2e1a7d4d withdraw(uint256 amount) | unwrap | Takes {amount|tokens @to} out of {@to|party} | amount=amount token=@to
b760faf9 depositTo(address to) | wrap | Deposits {@value|ether} into {@to|party} for {to|account} | recipient=to amount=@value
205c2878 withdrawTo(address to, uint256 amount) | unwrap | Takes {amount|tokens @to} out of {@to|party} for {to|account} | recipient=to amount=amount
# Permit2
87517c45 approve(address token, address spender, uint160 amount, uint48 expiration) | approve | Lets {spender|account} take {amount|tokens token} from you through Permit2 until {expiration|date} | spender=spender amount=amount token=token deadline=expiration
2b67b570 permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature) | permit | Lets {permitSingle.spender|account} take {permitSingle.details.amount|tokens permitSingle.details.token} from {owner|account} until {permitSingle.details.expiration|date}, as {owner|account} signed | owner=owner spender=permitSingle.spender amount=permitSingle.details.amount token=permitSingle.details.token deadline=permitSingle.sigDeadline
2a2d80d1 permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature) | permit | Lets {permitBatch.spender|account} take {permitBatch.details|count} tokens from {owner|account}, who signed it | owner=owner spender=permitBatch.spender deadline=permitBatch.sigDeadline
36c78516 transferFrom(address from, address to, uint160 amount, address token) | transfer | Moves {amount|tokens token} from {from|account} to {to|account} through Permit2 | owner=from recipient=to amount=amount token=token
0d58b1db transferFrom((address from, address to, uint160 amount, address token)[] transferDetails) | transfer | Makes {transferDetails|count} transfers through Permit2 | recipient=transferDetails.0.to owner=transferDetails.0.from
30f28b7a permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature) | transfer | Moves {transferDetails.requestedAmount|tokens permit.permitted.token} from {owner|account} to {transferDetails.to|account}, as {owner|account} signed | owner=owner recipient=transferDetails.to amount=transferDetails.requestedAmount token=permit.permitted.token deadline=permit.deadline
edd9444b permitTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount)[] transferDetails, address owner, bytes signature) | transfer | Moves {transferDetails|count} tokens from {owner|account}, who signed it | owner=owner recipient=transferDetails.0.to deadline=permit.deadline
137c29fe permitWitnessTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature) | transfer | Moves {transferDetails.requestedAmount|tokens permit.permitted.token} from {owner|account} to {transferDetails.to|account}, as {owner|account} signed | owner=owner recipient=transferDetails.to amount=transferDetails.requestedAmount token=permit.permitted.token deadline=permit.deadline
fe8ec1a7 permitWitnessTransferFrom(((address token, uint256 amount)[] permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount)[] transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature) | transfer | Moves {transferDetails|count} tokens from {owner|account}, who signed it | owner=owner recipient=transferDetails.0.to deadline=permit.deadline
cc53287f lockdown((address token, address spender)[] approvals) | approve | Takes back {approvals|count} allowances given through Permit2
65d9723c invalidateNonces(address token, address spender, uint48 newNonce) | approve | Cancels permits that you signed for {spender|account} and {token|token} | spender=spender token=token
3ff9dcb1 invalidateUnorderedNonces(uint256 wordPos, uint256 mask) | approve | Cancels permits that you signed for Permit2
`;
