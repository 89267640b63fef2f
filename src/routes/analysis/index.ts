import { textRoutes } from './texts.ts';

export const analysisRoutes = [...textRoutes];
