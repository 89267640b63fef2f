import type { Foundations } from '../foundations.ts';
import { LinkBatchService } from './link-batches.ts';
import { LinkService } from './links.ts';

export function fieldServices({ store, ids, clock }: Foundations) {
  return {
    linkBatches: new LinkBatchService(store, ids),
    links: new LinkService(store, ids, clock),
  };
}
