import type { SharedServices } from '../shared-services.ts';
import { CheckoutPageService } from './checkout-pages.ts';
import { CheckoutService } from './checkouts.ts';
import { PaymentEventService } from './payment-events.ts';
import { paymentSettingsOf } from './payment-settings.ts';

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
