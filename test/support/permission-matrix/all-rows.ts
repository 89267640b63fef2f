import { analysisRows } from './analysis-rows.ts';
import { billingRows } from './billing-rows.ts';
import { chatRows } from './chat-rows.ts';
import { dashboardRows } from './dashboard-rows.ts';
import { userRows } from './user-rows.ts';
import { reportRows } from './report-rows.ts';
import { responseRows } from './response-rows.ts';
import type { Rows } from './row.ts';
import { surveyRows } from './survey-rows.ts';

/** In two halves, that are tried at the same time: to make the world that a matrix is tried in takes seconds. */
export const researchRows: Rows = { ...surveyRows, ...responseRows };
export const otherRows: Rows = {
  ...chatRows,
  ...dashboardRows,
  ...reportRows,
  ...userRows,
  ...billingRows,
  ...analysisRows,
};

/** A request that succeeds, for every declared route. */
export const allRows: Rows = { ...researchRows, ...otherRows };
