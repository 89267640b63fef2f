import type { SharedServices } from '../shared-services.ts';
import {
  FindReplaceService,
  ResponseBulkService,
  ResponseSelector,
  RestoreOriginalsService,
} from './changes/bulk-changes.ts';
import { ResponseEditService } from './changes/response-edits.ts';
import { DerivedColumnService } from './derived/derived-columns.ts';
import { TransformService } from './derived/transforms.ts';
import { WeightingService } from './derived/weighting.ts';
import { ExportFileService } from './export/export-files.ts';
import { ResponseExportService } from './export/response-export.ts';
import { DataFileSurveyService } from './import/data-file-surveys.ts';
import { ResponseImportService } from './import/response-import.ts';
import { QualityCheckService, QualityReviewService } from './quality.ts';
import { ResponseCommentService } from './response-comments.ts';
import { ResponseFileService } from './response-files.ts';
import { ResponseRowsService } from './response-rows.ts';
import { ResponseSeedService } from './response-seed.ts';

export function responseServices(shared: SharedServices) {
  const { config, store, storage, clock, ids } = shared;
  const { datasets, responseReader, dataChanges, definitions, jobs, workbooks } = shared;
  const selector = new ResponseSelector(datasets);
  const responseExport = new ResponseExportService(store, responseReader, clock);
  return {
    dataChanges,
    dataFileSurveys: new DataFileSurveyService(store, clock, ids, workbooks),
    derivedColumns: new DerivedColumnService(store, datasets, dataChanges),
    exportFiles: new ExportFileService(store, responseExport, responseReader, jobs, config.exportJobRows),
    findReplace: new FindReplaceService(dataChanges, selector),
    qualityChecks: new QualityCheckService(store, datasets, dataChanges),
    qualityReviews: new QualityReviewService(store, responseReader, dataChanges, clock),
    responseBulk: new ResponseBulkService(dataChanges, selector, clock),
    responseComments: new ResponseCommentService(store),
    responseEdits: new ResponseEditService(dataChanges, datasets),
    responseFiles: new ResponseFileService(store, storage, responseReader),
    responseImport: new ResponseImportService({
      store,
      changes: dataChanges,
      definitions,
      clock,
      ids,
      workbooks,
    }),
    responseRows: new ResponseRowsService(store, definitions, clock, ids),
    responseSeed: new ResponseSeedService(store, definitions, clock, ids),
    restoreOriginals: new RestoreOriginalsService(dataChanges, selector),
    responseReader,
    transforms: new TransformService(datasets, dataChanges),
    weighting: new WeightingService(datasets, dataChanges, clock),
  };
}
