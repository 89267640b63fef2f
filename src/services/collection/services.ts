import type { Foundations } from '../foundations.ts';
import { AddressHashes } from './address-hash.ts';
import { CollectionQuality } from './collection-quality.ts';
import { CollectionService } from './collection.ts';
import { Entrances } from './entrances.ts';
import { FileSweep } from './file-sweep.ts';
import { FileUploadService } from './file-uploads.ts';
import { LinkPlaces } from './link-places.ts';
import { OpenedMoments } from './opened-moments.ts';
import { QuotaPlaces } from './quota-places.ts';
import { RespondentPageService } from './respondent-pages.ts';
import { ResponseEndings } from './response-endings.ts';
import { ResponseWriter } from './response-writer.ts';
import { SubmissionService } from './submissions.ts';
import { UploadLimits } from './upload-limits.ts';

export function collectionServices(foundations: Foundations) {
  const { config, store, storage, definitions, drafts, previews, jwtSecret, clock, ids } = foundations;
  const entrances = new Entrances(store, definitions, drafts, previews, clock);
  const quality = new CollectionQuality(new AddressHashes(jwtSecret), clock);
  const openedMoments = new OpenedMoments(jwtSecret, clock);
  const places = new LinkPlaces(clock);
  const quotas = new QuotaPlaces(clock);
  const responseWriter = new ResponseWriter(store, places, quotas);
  const endings = new ResponseEndings(quotas, clock);
  const collection = new CollectionService(store, entrances, quality, places, quotas, endings, clock);
  const uploadLimits = new UploadLimits(store, clock, config.uploadLimits);
  return {
    collection,
    fileSweep: new FileSweep(store, storage, uploadLimits, clock),
    fileUploads: new FileUploadService(store, storage, collection, uploadLimits, ids),
    respondentPages: new RespondentPageService(store, entrances, places, openedMoments),
    responseWriter,
    submissions: new SubmissionService(
      store,
      responseWriter,
      entrances,
      quality,
      openedMoments,
      clock,
      ids,
      jwtSecret,
    ),
  };
}
