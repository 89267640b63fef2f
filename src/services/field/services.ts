import type { Foundations } from '../foundations.ts';
import { LinkService } from './links.ts';

export function fieldServices({ store, ids, clock }: Foundations) {
  return { links: new LinkService(store, ids, clock) };
}
