import brandTracker from '../../templates/brand-tracker.json' with { type: 'json' };
import conceptTest from '../../templates/concept-test.json' with { type: 'json' };
import customerSatisfaction from '../../templates/customer-satisfaction.json' with { type: 'json' };
import demographics from '../../templates/demographics.json' with { type: 'json' };
import employeePulse from '../../templates/employee-pulse.json' with { type: 'json' };
import eventFeedback from '../../templates/event-feedback.json' with { type: 'json' };
import nps from '../../templates/nps.json' with { type: 'json' };
import productFeedback from '../../templates/product-feedback.json' with { type: 'json' };
import type { SketchedQuestion } from '../question-types/template-sketch.tsx';

/** The questionnaires that a survey can start from, as files that `POST /api/surveys/import` reads. */
export const TEMPLATES = [
  nps,
  customerSatisfaction,
  brandTracker,
  conceptTest,
  employeePulse,
  eventFeedback,
  productFeedback,
  demographics,
].map((file) => ({
  name: file.survey.survey_name,
  about: file.survey.survey_description,
  sketched: file.survey.pages.flatMap((page): SketchedQuestion[] => page.questions),
  questions: file.survey.pages.flatMap((page) => page.questions.map(({ question_text: text }) => text)),
  pageCount: file.survey.pages.length,
  file,
}));
