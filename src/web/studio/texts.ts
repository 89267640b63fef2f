import { collectTexts } from './texts/collect.ts';
import { dashboardsTexts } from './texts/dashboards.ts';
import { editorTexts } from './texts/editor.ts';
import { exportsTexts } from './texts/exports.ts';
import { filtersTexts } from './texts/filters.ts';
import { invitationsTexts } from './texts/invitations.ts';
import { newSurveyTexts } from './texts/new-survey.ts';
import { numbersTexts } from './texts/numbers.ts';
import { reportsTexts } from './texts/reports.ts';
import { outboxTexts } from './texts/outbox.ts';
import { respondentsTexts } from './texts/respondents.ts';
import { responsesTexts } from './texts/responses.ts';
import { resultsTexts } from './texts/results.ts';
import { jobsTexts, searchTexts, shellTexts } from './texts/shell.ts';
import { collectionStatusTexts, surveyFrameTexts, surveyStatusTexts, surveysTexts } from './texts/surveys.ts';
import { trashTexts } from './texts/trash.ts';
import { versionsTexts } from './texts/versions.ts';
import { signatureTexts } from './texts/signatures.ts';
import { translationsTexts } from './texts/translations.ts';

/** Every text of the studio, of the server and of the browser. */
export const texts = {
  shell: shellTexts,
  search: searchTexts,
  jobs: jobsTexts,
  collect: collectTexts,
  invitations: invitationsTexts,
  results: resultsTexts,
  exports: exportsTexts,
  filters: filtersTexts,
  numbers: numbersTexts,
  responses: responsesTexts,
  dashboards: dashboardsTexts,
  reports: reportsTexts,
  outbox: outboxTexts,
  respondents: respondentsTexts,
  status: surveyStatusTexts,
  collectionStatus: collectionStatusTexts,
  surveys: surveysTexts,
  trash: trashTexts,
  create: newSurveyTexts,
  editor: editorTexts,
  survey: surveyFrameTexts,
  signatures: signatureTexts,
  versions: versionsTexts,
  translations: translationsTexts,
} as const;
