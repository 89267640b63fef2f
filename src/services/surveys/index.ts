import type { SharedServices } from '../shared-services.ts';
import { QuestionService } from './questions.ts';
import { SurveyBlockService } from './survey-blocks.ts';
import { SurveyDesignService } from './survey-designs.ts';
import { SurveyEventService } from './survey-events.ts';
import { SurveyImageService } from './survey-images.ts';
import { SurveyMediaService } from './survey-media.ts';
import { SurveyPageService } from './survey-pages.ts';
import { SurveyPublishingService } from './survey-publishing.ts';
import { SurveyTransferService } from './survey-transfer.ts';
import { SurveyVersionService } from './survey-versions.ts';
import { SurveyService } from './surveys.ts';

export function surveyServices({
  config,
  store,
  storage,
  access,
  datasets,
  drafts,
  previews,
  surveySignals,
  retention,
  clock,
  ids,
}: SharedServices) {
  return {
    questions: new QuestionService(store),
    surveyBlocks: new SurveyBlockService(store),
    surveyDesigns: new SurveyDesignService(store, datasets),
    surveyEvents: new SurveyEventService(store, surveySignals),
    surveyImages: new SurveyImageService(store, ids, clock, retention),
    surveyMedia: new SurveyMediaService(
      store,
      storage,
      ids,
      clock,
      retention,
      config.uploadLimits.organizationBytes,
    ),
    surveyPages: new SurveyPageService(store),
    surveyPreviews: previews,
    surveyPublishing: new SurveyPublishingService(store, ids, clock),
    surveyTransfer: new SurveyTransferService(store),
    surveyVersions: new SurveyVersionService(store),
    surveys: new SurveyService(store, access, drafts, clock, retention),
  };
}
