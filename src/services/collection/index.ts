import { ResponseErasure } from '../responses/response-erasure.ts';
import type { SharedServices } from '../shared-services.ts';
import { DeletedDataPurge } from '../system/deleted-data-purge.ts';
import { FileSweep } from '../system/sweeps.ts';
import { ArmAssignments } from './arm-assignments.ts';
import { AddressHasher, CollectionQuality } from './collection-quality.ts';
import { CollectionService } from './collection.ts';
import { FileUploadService } from './file-uploads.ts';
import { LinkReservations } from './link-reservations.ts';
import { LinkResolver } from './link-resolver.ts';
import { PanelEntries } from './panel-entries.ts';
import { PreviousAnswers } from './previous-answers.ts';
import { QuotaReservations } from './quota-reservations.ts';
import { OpenedAtTokens, RespondentPageService } from './respondent-pages.ts';
import { ResponseCompletion } from './response-completion.ts';
import { ClientSecrets, ResponseMoves } from './response-tokens.ts';
import { ResponseWriter } from './response-writer.ts';
import { SigningKeys } from './signing-keys.ts';
import { SubmissionService } from './submissions.ts';
import { UploadLimits } from './uploaded-files.ts';

export function collectionServices(shared: SharedServices) {
  const {
    config,
    store,
    storage,
    definitions,
    drafts,
    previews,
    jobFiles,
    jwtSecret,
    retention,
    clock,
    ids,
  } = shared;
  const signingKeys = new SigningKeys(jwtSecret);
  const panelEntries = new PanelEntries(store, clock);
  const linkResolver = new LinkResolver(store, definitions, drafts, previews, signingKeys, clock);
  const quality = new CollectionQuality(new AddressHasher(jwtSecret), clock);
  const openedAtTokens = new OpenedAtTokens(jwtSecret, clock);
  const linkReservations = new LinkReservations(clock);
  const quotaReservations = new QuotaReservations(clock);
  const responseWriter = new ResponseWriter(store, linkReservations, quotaReservations);
  const completion = new ResponseCompletion(quotaReservations, panelEntries, clock);
  const armAssignments = new ArmAssignments(store, clock);
  const previousAnswers = new PreviousAnswers(store);
  const collection = new CollectionService(
    store,
    linkResolver,
    quality,
    linkReservations,
    quotaReservations,
    completion,
    armAssignments,
    clock,
  );
  const uploadLimits = new UploadLimits(store, clock, config.uploadLimits);
  const fileSweep = new FileSweep(store, storage, uploadLimits, clock);
  const responseErasure = new ResponseErasure(store, jobFiles, fileSweep);
  return {
    collection,
    deletedDataPurge: new DeletedDataPurge(store, responseErasure, retention),
    fileSweep,
    responseErasure,
    fileUploads: new FileUploadService(store, storage, collection, uploadLimits, ids),
    panelEntries,
    respondentPages: new RespondentPageService(
      store,
      linkResolver,
      linkReservations,
      openedAtTokens,
      panelEntries,
      previousAnswers,
      clock,
    ),
    responseWriter,
    responseMoves: new ResponseMoves(store, linkResolver, collection, quality, clock, jwtSecret),
    submissions: new SubmissionService(
      store,
      responseWriter,
      linkResolver,
      quality,
      openedAtTokens,
      clock,
      ids,
      new ClientSecrets(jwtSecret),
      panelEntries,
      quotaReservations,
      armAssignments,
      previousAnswers,
    ),
  };
}
