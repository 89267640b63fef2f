import type { SharedServices } from '../shared-services.ts';
import { CheckoutPageService, CheckoutService, PaymentEventService, paymentSettingsOf } from './checkouts.ts';

/** The credits of organizations and their purchase. */
export function billingServices({ clock, config, credits, ids, payment, store }: SharedServices) {
  const settings = paymentSettingsOf(config);
  return {
    credits,
    checkouts: new CheckoutService(store, payment, settings, ids),
    checkoutPages: new CheckoutPageService(store, settings),
    paymentEvents: new PaymentEventService(store, payment, settings.startingCredits, clock),
  };
}
