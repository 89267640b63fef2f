import { insightRoutes } from './insights.ts';
import { textRoutes } from './texts.ts';

export const analysisRoutes = [...textRoutes, ...insightRoutes];
