import { normalizeAllowedUrl } from '../../lib/urls.ts';
import type { PurchaseRow, PurchaseState } from '../../repositories/credits.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { grantPurchase, purchaseAuditEntry } from './grant-purchase.ts';
import type { PaymentSettings } from './payment-settings.ts';

/** The data of an order's page. */
export interface CheckoutPage {
  checkoutId: string;
  organization: string;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  provider: 'stripe' | 'sandbox';
  state: PurchaseState;
  /** Where the buyer is sent after paying or cancelling; null: the buyer stays on the page. */
  successUrl: string | null;
  cancelUrl: string | null;
}

const CHECKOUT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The pages of orders. Anyone who knows an order's id may view and pay it, as on every provider's page: the id cannot
 * be guessed, the payer needs no account, and paying only gives the organization what it ordered. So no cookie is
 * read, and other sites cannot misuse one.
 */
export class CheckoutPageService {
  constructor(
    private readonly store: Store,
    private readonly settings: PaymentSettings,
  ) {}

  /** Returns null if the order does not exist. `ownUrl`: scheme://host of the page. */
  async open(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    if (!CHECKOUT_ID.test(checkoutId)) return null;
    return this.pageOf(await this.store.read.credits.findPurchase(checkoutId), ownUrl);
  }

  /** Only for sandbox orders. Repeated payment has no effect, nor has payment of a cancelled or expired order. */
  pay(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    return this.change(checkoutId, ownUrl, async (repositories, purchase) => {
      await grantPurchase(repositories, purchase, this.settings.startingCredits);
    });
  }

  cancel(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    return this.change(checkoutId, ownUrl, async ({ audit, credits }, purchase) => {
      await credits.endPurchase(purchase.checkout_id, 'cancelled');
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
      const { credits } = repositories;
      const purchase = await credits.lockPurchase(checkoutId);
      if (this.pageOf(purchase, ownUrl) === null || purchase!.provider !== 'sandbox') return null;
      if (purchase!.purchase_state === 'open') await work(repositories, purchase!);
      return this.pageOf(await credits.findPurchase(checkoutId), ownUrl);
    });
  }

  private pageOf(row: PurchaseRow | null, ownUrl: string): CheckoutPage | null {
    if (row === null || (row.provider === 'sandbox' && !this.settings.hasSandbox)) return null;
    // The order may have been placed under another host name, or an origin may no longer be allowed.
    const stillOurs = (address: string | null) =>
      address === null ? null : normalizeAllowedUrl(address, [ownUrl, ...this.settings.allowedOrigins]);
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
