import { collectTexts } from './texts/collect.ts';
import { editorTexts } from './texts/editor.ts';
import { newSurveyTexts, pastedTypeTexts } from './texts/new-survey.ts';
import { responsesTexts } from './texts/responses.ts';
import { resultsTexts } from './texts/results.ts';
import { jobsTexts, searchTexts, shellTexts, unavailableTexts } from './texts/shell.ts';
import { surveyFrameTexts, surveyStatusTexts, surveysTexts } from './texts/surveys.ts';

/** Every text of the studio, of the server and of the browser. */
export const texts = {
  shell: shellTexts,
  search: searchTexts,
  jobs: jobsTexts,
  collect: collectTexts,
  results: resultsTexts,
  responses: responsesTexts,
  status: surveyStatusTexts,
  surveys: surveysTexts,
  create: newSurveyTexts,
  types: pastedTypeTexts,
  editor: editorTexts,
  survey: surveyFrameTexts,
  unavailable: unavailableTexts,
} as const;
