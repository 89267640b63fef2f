import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { bulkRoute } from './changes/bulk.ts';
import { changeRoutes } from './changes/changes.ts';
import { commentRoutes } from './comments.ts';
import { crosstabRoute } from './figures/crosstab.ts';
import { derivedColumnRoutes } from './derived/derived-columns.ts';
import { editRowRoutes } from './changes/edit-rows.ts';
import { exportRoute } from './export.ts';
import { fileRoutes } from './files.ts';
import { figureRoutes } from './figures/figures.ts';
import { findReplaceRoute } from './changes/find-replace.ts';
import { gridRoute } from './grid/grid.ts';
import { importRoute } from './import.ts';
import { withSentFieldNames } from './sent-field-names.ts';
import { qualityRoutes } from './quality/quality.ts';
import { restoreOriginalsRoute } from './changes/restore-originals.ts';
import { addRowsRoute } from './rows.ts';
import { seedRoutes } from './seed.ts';
import { transformRoutes } from './derived/transforms.ts';
import { weightingRoutes } from './derived/weighting.ts';

/** The responses themselves: read, change, check, import and export them. */
export const responseDataRoutes = [
  gridRoute,
  addRowsRoute,
  ...editRowRoutes,
  bulkRoute,
  findReplaceRoute,
  restoreOriginalsRoute,
  ...changeRoutes,
  ...qualityRoutes,
  ...commentRoutes,
  ...fileRoutes,
  exportRoute,
  importRoute,
  ...seedRoutes,
].map((route) => withSentFieldNames(route));

/** Statistics of responses, derived columns and weights. */
export const tableRoutes = [
  ...figureRoutes,
  crosstabRoute,
  ...transformRoutes,
  ...derivedColumnRoutes,
  ...weightingRoutes,
].map((route) => withSentFieldNames(route));

export const responseRoutes = [...tableRoutes, ...responseDataRoutes];

export const responsesRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/responses', responseRoutes, dependencies);
