import type { SharedServices } from '../shared-services.ts';
import { QuestionService } from './questions.ts';
import { SurveyPageService } from './survey-pages.ts';
import { SurveyPublishingService } from './survey-publishing.ts';
import { SurveyTransferService } from './survey-transfer.ts';
import { SurveyService } from './surveys.ts';

export function surveyServices({ store, access, drafts, previews, clock, ids }: SharedServices) {
  return {
    questions: new QuestionService(store),
    surveyPages: new SurveyPageService(store),
    surveyPreviews: previews,
    surveyPublishing: new SurveyPublishingService(store, ids, clock),
    surveyTransfer: new SurveyTransferService(store),
    surveys: new SurveyService(store, access, drafts, clock),
  };
}
