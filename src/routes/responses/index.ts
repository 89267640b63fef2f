import { bulkRoute } from './bulk.ts';
import { changeRoutes } from './changes.ts';
import { commentRoutes } from './comments.ts';
import { crosstabRoute } from './crosstab.ts';
import { derivedColumnRoutes } from './derived-columns.ts';
import { editRowRoutes } from './edit-rows.ts';
import { exportRoute } from './export.ts';
import { fileRoutes } from './files.ts';
import { figureRoutes } from './figures.ts';
import { findReplaceRoute } from './find-replace.ts';
import { gridRoute } from './grid.ts';
import { importRoute } from './import.ts';
import { withNamesAsSent } from './names-as-sent.ts';
import { qualityRoutes } from './quality.ts';
import { restoreOriginalsRoute } from './restore-originals.ts';
import { addRowsRoute } from './rows.ts';
import { seedRoutes } from './seed.ts';
import { transformRoutes } from './transforms.ts';
import { weightingRoutes } from './weighting.ts';

export const responseRoutes = [
  ...figureRoutes,
  gridRoute,
  addRowsRoute,
  ...editRowRoutes,
  bulkRoute,
  findReplaceRoute,
  restoreOriginalsRoute,
  crosstabRoute,
  exportRoute,
  importRoute,
  ...fileRoutes,
  ...changeRoutes,
  ...transformRoutes,
  ...derivedColumnRoutes,
  ...weightingRoutes,
  ...commentRoutes,
  ...seedRoutes,
  ...qualityRoutes,
].map((route) => withNamesAsSent(route));
