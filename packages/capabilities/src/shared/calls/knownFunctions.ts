import { type AbiFunction, type Hex, parseAbi, toFunctionSelector, toFunctionSignature } from "viem";

/** The functions that wallets are asked to sign most, grouped by meaning. Rules use the names of the arguments. */
const signatures = [
  // ERC-20 and its permits
  "function approve(address spender, uint256 amount)",
  "function increaseAllowance(address spender, uint256 amount)",
  "function decreaseAllowance(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
  // EIP-3009
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
  // Aave: who may borrow against another's collateral
  "function approveDelegation(address delegatee, uint256 amount)",
  // ERC-721 and ERC-1155
  "function setApprovalForAll(address operator, bool approved)",
  "function safeTransferFrom(address from, address to, uint256 tokenId)",
  "function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)",
  "function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)",
  "function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)",
  // WETH
  "function deposit()",
  "function withdraw(uint256 amount)",
  // Permit2
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce) details, address spender, uint256 sigDeadline) permitSingle, bytes signature)",
  "function permit(address owner, ((address token, uint160 amount, uint48 expiration, uint48 nonce)[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature)",
  "function transferFrom(address from, address to, uint160 amount, address token)",
  "function permitTransferFrom(((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline) permit, (address to, uint256 requestedAmount) transferDetails, address owner, bytes signature)",
  "function lockdown((address token, address spender)[] approvals)",
  // Morpho
  "function setAuthorization(address authorized, bool newIsAuthorized)",
  // Ownership and upgrades
  "function transferOwnership(address newOwner)",
  "function renounceOwnership()",
  "function upgradeTo(address implementation)",
  "function upgradeToAndCall(address implementation, bytes data)",
  "function changeAdmin(address newAdmin)",
  "function diamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] cut, address init, bytes data)",
  "function grantRole(bytes32 role, address account)",
  "function transferProxyOwnership(address newOwner)",
  "function setOwner(address newOwner)",
  "function changeOwner(address newOwner)",
  "function upgrade(address proxy, address implementation)",
  "function upgradeAndCall(address proxy, address implementation, bytes data)",
  "function setImplementation(address implementation)",
  "function changeMasterCopy(address masterCopy)",
  // Safe: who commands it
  "function addOwnerWithThreshold(address owner, uint256 threshold)",
  "function removeOwner(address prevOwner, address owner, uint256 threshold)",
  "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
  "function changeThreshold(uint256 threshold)",
  "function enableModule(address module)",
  "function disableModule(address prevModule, address module)",
  "function setGuard(address guard)",
  "function setModuleGuard(address moduleGuard)",
  "function setFallbackHandler(address handler)",
  // Coinbase Smart Wallet and ERC-7579
  "function addOwnerAddress(address owner)",
  "function installModule(uint256 moduleTypeId, address module, bytes initData)",
  "function uninstallModule(uint256 moduleTypeId, address module, bytes deInitData)",
  // Wrappers: calls inside calls
  "function multicall(bytes[] calls)",
  "function multicall(uint256 deadline, bytes[] calls)",
  "function multicall(bytes32 previousBlockhash, bytes[] calls)",
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls)",
  "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
  "function execute(bytes commands, bytes[] inputs, uint256 deadline)",
  "function execute(bytes commands, bytes[] inputs)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function multiSend(bytes transactions)",
  "function execute(address target, uint256 value, bytes data)",
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
  "function execute(bytes32 mode, bytes executionCalldata)",
  // Accounts' own: MetaMask's delegator, Calibur, Ambire, Kernel 2, Safe's 4337 module, Biconomy
  "function execute((address target, uint256 value, bytes data) execution)",
  "function execute(((address target, uint256 value, bytes data)[] calls, bool revertOnFailure) batch)",
  "function execute((address target, uint256 value, bytes data)[] calls, bytes signature)",
  "function executeBySender((address target, uint256 value, bytes data)[] calls)",
  "function execute(address target, uint256 value, bytes data, uint8 operation)",
  "function executeUserOp(address target, uint256 value, bytes data, uint8 operation)",
  "function executeUserOpWithErrorString(address target, uint256 value, bytes data, uint8 operation)",
  "function execute_ncC(address target, uint256 value, bytes data)",
  "function executeBatch_y6U(address[] targets, uint256[] values, bytes[] datas)",
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
  "function executeBatch(address[] targets, uint256[] values, bytes[] datas)",
  "function executeBatch(address[] targets, bytes[] datas)",
  "function aggregate((address target, bytes callData)[] calls)",
  "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)",
  "function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)",
  "function multicall((address to, bytes data, uint256 value, bool skipRevert, bytes32 callbackHash)[] bundle)",
  // Helpers of the concentrated routers, sent beside a swap
  "function unwrapWETH9(uint256 amountMinimum, address recipient)",
  "function unwrapWETH9(uint256 amountMinimum)",
  "function sweepToken(address token, uint256 amountMinimum, address recipient)",
  "function refundETH()",
  "function wrapETH(uint256 value)",
  "function selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  // Routers, classic
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)",
  "function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, (address from, address to, bool stable, address factory)[] routes, address to, uint256 deadline)",
  // Routers, concentrated
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)",
  "function exactOutput((bytes path, address recipient, uint256 amountOut, uint256 amountInMaximum) params)",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
  "function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params)",
  "function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)",
  "function exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params)",
  "function exactInputSingle((address tokenIn, address tokenOut, int24 tickSpacing, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)",
] as const;

interface KnownFunction {
  /** Name and argument types, as they are hashed. */
  readonly signature: string;
  readonly abi: AbiFunction;
}

/** By selector. One name may mean different things in different contracts; the argument types distinguish them. */
export const knownFunctions: ReadonlyMap<Hex, KnownFunction> = new Map(
  parseAbi(signatures).map((abi) => [toFunctionSelector(abi), { signature: toFunctionSignature(abi), abi }]),
);
