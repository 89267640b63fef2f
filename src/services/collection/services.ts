import type { SharedServices } from '../shared-services.ts';
import { AddressHasher, CollectionQuality } from './collection-quality.ts';
import { CollectionService } from './collection.ts';
import { LinkResolver } from './link-resolver.ts';
import { FileSweep } from '../system/sweeps.ts';
import { FileUploadService } from './file-uploads.ts';
import { LinkReservations } from './link-reservations.ts';
import { OpenedAtTokens, RespondentPageService } from './respondent-pages.ts';
import { QuotaReservations } from './quota-reservations.ts';
import { ResponseCompletion } from './response-completion.ts';
import { ResponseWriter } from './response-writer.ts';
import { SubmissionService } from './submissions.ts';
import { UploadLimits } from './uploaded-files.ts';

export function collectionServices(shared: SharedServices) {
  const { config, store, storage, definitions, drafts, previews, jwtSecret, clock, ids } = shared;
  const linkResolver = new LinkResolver(store, definitions, drafts, previews, clock);
  const quality = new CollectionQuality(new AddressHasher(jwtSecret), clock);
  const openedAtTokens = new OpenedAtTokens(jwtSecret, clock);
  const linkReservations = new LinkReservations(clock);
  const quotaReservations = new QuotaReservations(clock);
  const responseWriter = new ResponseWriter(store, linkReservations, quotaReservations);
  const completion = new ResponseCompletion(quotaReservations, clock);
  const collection = new CollectionService(
    store,
    linkResolver,
    quality,
    linkReservations,
    quotaReservations,
    completion,
    clock,
  );
  const uploadLimits = new UploadLimits(store, clock, config.uploadLimits);
  return {
    collection,
    fileSweep: new FileSweep(store, storage, uploadLimits, clock),
    fileUploads: new FileUploadService(store, storage, collection, uploadLimits, ids),
    respondentPages: new RespondentPageService(store, linkResolver, linkReservations, openedAtTokens),
    responseWriter,
    submissions: new SubmissionService(
      store,
      responseWriter,
      linkResolver,
      quality,
      openedAtTokens,
      clock,
      ids,
      jwtSecret,
    ),
  };
}
