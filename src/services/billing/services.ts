import type { Foundations } from '../foundations.ts';

/** What work with language models costs. */
export function billingServices({ credits }: Foundations) {
  return { credits };
}
