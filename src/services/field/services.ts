import type { Foundations } from '../foundations.ts';
import { LinkBatchService } from './link-batches.ts';
import { LinkService } from './links.ts';
import { RespondentImportService } from './respondent-import.ts';
import { RespondentService } from './respondents.ts';
import { WaveService } from './waves.ts';

export function fieldServices({ store, ids, clock }: Foundations) {
  return {
    linkBatches: new LinkBatchService(store, ids, clock),
    links: new LinkService(store, ids, clock),
    respondentImport: new RespondentImportService(store, clock),
    respondents: new RespondentService(store, clock),
    waves: new WaveService(store, clock),
  };
}
