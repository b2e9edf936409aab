import type { Page } from "playwright-core";
import type { PrivateKeyAccount } from "viem/accounts";

export interface AnnouncedWallet {
  /** Messages it was asked to sign. */
  readonly signed: readonly unknown[];
}

/** A wallet extension of that name as a page sees one (EIP-6963, EIP-1193), signing with this account's key. */
export async function announceWallet(
  page: Page,
  account: PrivateKeyAccount,
  { name = "Test Extension", chainId = 8453 }: { name?: string; chainId?: number } = {},
): Promise<AnnouncedWallet> {
  const signed: unknown[] = [];
  await page.exposeFunction("signInExtension", async (text: string) => {
    const message = JSON.parse(text);
    signed.push(message);
    const { EIP712Domain: _, ...types } = message.types;
    return account.signTypedData({ ...message, types });
  });
  await page.exposeFunction("signTextInExtension", (raw: `0x${string}`) => {
    signed.push(raw);
    return account.signMessage({ message: { raw } });
  });
  await page.addInitScript(
    ({ address, walletName, firstChain }) => {
      let chain = firstChain;
      let isAuthorized = false;
      const listeners = new Map<string, Set<(value: unknown) => void>>();
      const provider = {
        async request({ method, params = [] }: { method: string; params?: unknown[] }) {
          switch (method) {
            case "eth_requestAccounts":
              isAuthorized = true;
              return [address];
            case "eth_accounts":
              return isAuthorized ? [address] : [];
            case "eth_chainId":
              return `0x${chain.toString(16)}`;
            case "wallet_switchEthereumChain":
              chain = Number((params[0] as { chainId: string }).chainId);
              for (const tell of listeners.get("chainChanged") ?? []) tell(`0x${chain.toString(16)}`);
              return null;
            case "eth_signTypedData_v4":
              return (
                window as unknown as { signInExtension(text: string): Promise<string> }
              ).signInExtension(params[1] as string);
            case "personal_sign":
              return (
                window as unknown as { signTextInExtension(raw: string): Promise<string> }
              ).signTextInExtension(params[0] as string);
            case "wallet_requestPermissions":
              return [{ parentCapability: "eth_accounts", caveats: [{ value: [address] }] }];
            default:
              throw Object.assign(new Error(`${method} is not supported`), { code: 4200 });
          }
        },
        on(event: string, listener: (value: unknown) => void) {
          listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
        },
        removeListener(event: string, listener: (value: unknown) => void) {
          listeners.get(event)?.delete(listener);
        },
      };
      const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
      const info = { uuid: crypto.randomUUID(), name: walletName, icon, rdns: "example.test.extension" };
      const announce = () =>
        window.dispatchEvent(
          new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }),
        );
      window.addEventListener("eip6963:requestProvider", announce);
      announce();
    },
    { address: account.address, walletName: name, firstChain: chainId },
  );
  return { signed };
}
