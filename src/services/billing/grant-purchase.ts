import type { PurchaseRow } from '../../repositories/credits.ts';
import type { Repositories } from '../../repositories/repositories.ts';

/** Grants the purchased credits once and records it, in the transaction that marks the purchase as paid. */
export async function grantPurchase(
  { audit, credits }: Repositories,
  purchase: PurchaseRow,
  startingCredits: number,
): Promise<boolean> {
  await credits.open(purchase.organization_id, startingCredits);
  const given = await credits.payPurchase(purchase.checkout_id);
  if (given) await audit.record(purchaseAuditEntry(purchase, 'purchased'));
  return given;
}

/** Audit entry of a purchase without a user: the payer is unknown. */
export const purchaseAuditEntry = (
  purchase: PurchaseRow,
  action: 'purchased' | 'order_cancelled' | 'order_expired' | 'payment_refused',
) => ({
  by: { organizationId: purchase.organization_id, userId: null },
  action: `credits.${action}`,
  objectType: 'credit_purchase',
  objectId: purchase.checkout_id,
  details: {
    credits: purchase.credits,
    amount: purchase.amount,
    currency: purchase.currency,
    provider: purchase.provider,
  },
});
