import type { Foundations } from '../foundations.ts';
import { CreditService } from './credits.ts';

/** What work with language models costs. */
export function billingServices({ store, clock, config }: Foundations) {
  return { credits: new CreditService(store, clock, config.aiStartingCredits) };
}
