import type { Config } from '../../config.ts';

/** How credits are bought on this installation. */
export interface PaymentSettings {
  /** Credits can be ordered without payment, to try buying; only with PAYMENT_SANDBOX=true. */
  hasSandbox: boolean;
  /** Besides this installation's own origin. */
  allowedOrigins: readonly string[];
  /** The credits of a new account. */
  startingCredits: number;
}

export const paymentSettingsOf = (config: Config): PaymentSettings => ({
  hasSandbox: config.paymentSandbox,
  allowedOrigins: config.allowedOrigins,
  startingCredits: config.aiStartingCredits,
});
