import type { Router } from 'express';
import { buildRouter, type RouterDependencies } from '../../http/build-router.ts';
import type { Services } from '../../services/services.ts';
import { blockRoutes } from './blocks.ts';
import { designRoutes } from './design.ts';
import { importDataRoute } from './import-data.ts';
import { pageRoutes } from './pages.ts';
import { lookRoutes, previewRoutes, surveyActionRoutes } from './survey-actions.ts';
import { questionRoutes } from './questions.ts';
import { surveyImageRoute } from './survey-images.ts';
import { surveyMediaRoute } from './survey-media.ts';
import { surveyEventsRoute } from './survey-events.ts';
import { surveyVersionRoutes } from './survey-versions.ts';
import { listSurveysRoute, surveyRoutes as ownRoutes } from './surveys.ts';

export const surveyManagementRoutes = [
  listSurveysRoute,
  ...ownRoutes,
  ...surveyActionRoutes,
  ...surveyVersionRoutes,
  surveyEventsRoute,
  ...designRoutes,
  ...lookRoutes,
  ...previewRoutes,
  importDataRoute,
];

/** Pages, questions and their images. */
export const surveyContentRoutes = [
  ...pageRoutes,
  ...blockRoutes,
  ...questionRoutes,
  surveyImageRoute,
  surveyMediaRoute,
];

export const surveyRoutes = [...surveyManagementRoutes, ...surveyContentRoutes];

export const surveysRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/surveys', surveyRoutes, dependencies);
