import type { Config } from '../../config.ts';

/** How credits are bought here. */
export interface PaymentSettings {
  /** Credits can be ordered without payment, to try buying; only with PAYMENT_SANDBOX=true. */
  hasSandbox: boolean;
  /** Besides our own. */
  allowedOrigins: readonly string[];
  /** What an account is opened with. */
  startingCredits: number;
}

export const paymentSettingsOf = (config: Config): PaymentSettings => ({
  hasSandbox: config.paymentSandbox,
  allowedOrigins: config.allowedOrigins,
  startingCredits: config.aiStartingCredits,
});
