import { importDataRoute } from './import-data.ts';
import { pageRoutes } from './pages.ts';
import { previewRoutes } from './preview.ts';
import { questionRoutes } from './questions.ts';
import { surveyActionRoutes } from './survey-actions.ts';
import { listSurveysRoute } from './survey-list.ts';
import { surveyRoutes as ownRoutes } from './surveys.ts';

export const surveyRoutes = [
  listSurveysRoute,
  ...ownRoutes,
  ...surveyActionRoutes,
  importDataRoute,
  ...pageRoutes,
  ...questionRoutes,
  ...previewRoutes,
];
