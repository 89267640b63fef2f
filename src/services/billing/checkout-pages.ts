import { addressAmong } from '../../lib/address-among.ts';
import type { PurchaseRow, PurchaseState } from '../../repositories/credit-purchases.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { grantPurchase, purchaseAuditEntry } from './grant-purchase.ts';
import type { PaymentSettings } from './payment-settings.ts';

/** What a page says of an order. */
export interface CheckoutPage {
  checkoutId: string;
  organization: string;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  provider: 'stripe' | 'sandbox';
  state: PurchaseState;
  /** Where the buyer goes when it is paid, or given up; null: they stay. */
  successUrl: string | null;
  cancelUrl: string | null;
}

const CHECKOUT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The pages of orders. Whoever knows an order's id may look at it and pay it, as with every provider's page: it cannot be guessed, the
 * one who pays need not have an account here, and all that they can do is to give the organization what it ordered. So no cookie is
 * looked at, and no other site can borrow one.
 */
export class CheckoutPageService {
  private readonly store: Store;
  private readonly settings: PaymentSettings;

  constructor(store: Store, settings: PaymentSettings) {
    this.store = store;
    this.settings = settings;
  }

  /** null: there is no such order. `ownUrl`: scheme://host where the page is. */
  async open(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    if (!CHECKOUT_ID.test(checkoutId)) return null;
    return this.pageOf(await this.store.read.creditPurchases.byId(checkoutId), ownUrl);
  }

  /** Of the sandbox alone. Twice is once, and what was given up or is over stays so. */
  pay(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    return this.change(checkoutId, ownUrl, async (repositories, purchase) => {
      await grantPurchase(repositories, purchase, this.settings.startingCredits);
    });
  }

  cancel(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    return this.change(checkoutId, ownUrl, async ({ audit, creditPurchases }, purchase) => {
      await creditPurchases.end(purchase.checkout_id, 'cancelled');
      await audit.record(purchaseAuditEntry(purchase, 'order_cancelled'));
    });
  }

  private async change(
    checkoutId: string,
    ownUrl: string,
    work: (repositories: Repositories, purchase: PurchaseRow) => Promise<void>,
  ): Promise<CheckoutPage | null> {
    if (!CHECKOUT_ID.test(checkoutId)) return null;
    return this.store.transaction(async (repositories) => {
      const { creditPurchases } = repositories;
      const purchase = await creditPurchases.lock(checkoutId);
      if (this.pageOf(purchase, ownUrl) === null || purchase!.provider !== 'sandbox') return null;
      if (purchase!.purchase_state === 'open') await work(repositories, purchase!);
      return this.pageOf(await creditPurchases.byId(checkoutId), ownUrl);
    });
  }

  private pageOf(row: PurchaseRow | null, ownUrl: string): CheckoutPage | null {
    if (row === null || (row.provider === 'sandbox' && !this.settings.hasSandbox)) return null;
    // Who ordered may have come to us under another name, or somebody is trusted no more.
    const stillOurs = (address: string | null) =>
      address === null ? null : addressAmong(address, [ownUrl, ...this.settings.allowedOrigins]);
    return {
      checkoutId: row.checkout_id,
      organization: row.organization_name,
      credits: row.credits,
      amount: row.amount,
      currency: row.currency,
      provider: row.provider,
      state: row.purchase_state,
      successUrl: stillOurs(row.success_url),
      cancelUrl: stillOurs(row.cancel_url),
    };
  }
}
