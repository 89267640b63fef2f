import type { Config } from '../../config.ts';

/** How credits are bought here. */
export interface PaymentSettings {
  /** Where nobody takes money, credits can be had for nothing; never in production. */
  hasSandbox: boolean;
  /** Besides our own. */
  allowedOrigins: readonly string[];
  /** What an account is opened with. */
  startingCredits: number;
}

export const paymentSettingsOf = (config: Config): PaymentSettings => ({
  hasSandbox: config.stripe === null && config.environment !== 'production',
  allowedOrigins: config.allowedOrigins,
  startingCredits: config.aiStartingCredits,
});
