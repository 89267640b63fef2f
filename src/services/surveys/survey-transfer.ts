import type { SurveyScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { remapAttentionChecks } from '../../domain/survey/quality-settings.ts';
import { questionsOf } from '../../domain/survey/definition.ts';
import { type ImportedSurvey, importSurvey, remapIds } from '../../domain/survey/survey-import.ts';
import { exportSurvey } from '../../domain/survey/survey-export.ts';
import {
  remapPageTranslations,
  surveySettingsOf,
  withClosingTime,
  withoutFieldwork,
  withoutPreviousSurvey,
} from '../../domain/survey/survey-settings.ts';
import { mapSourcePages } from '../../domain/survey/translations/translation-sources.ts';
import { runYielding } from '../../lib/concurrency.ts';
import { invalidFields, notFound } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { checkTimeZone } from './surveys.ts';
import { lockSurvey, surveyAuditEntry } from './survey-lock.ts';

export type SurveyFile = ReturnType<typeof exportSurvey>;

const MAX_NAME_CHARACTERS = 500;

/** Exports, imports and duplicates surveys: their questions, without answers or links. */
export class SurveyTransferService {
  constructor(private readonly store: Store) {}

  export(scope: SurveyScope): Promise<SurveyFile> {
    return this.store.snapshot((repositories) => createSurveyFile(repositories, scope));
  }

  /** Imports a file as a new draft with new ids. Throws 400 with every problem of the file. */
  async import(scope: WorkspaceScope, file: unknown): Promise<SurveyRow> {
    const survey = await readSurveyFile(file);
    return this.store.transaction((repositories) =>
      writeSurvey({ repositories, scope, survey, action: 'imported' }),
    );
  }

  async duplicate(scope: SurveyScope): Promise<SurveyRow> {
    return this.store.transaction(async (repositories) => {
      const row = await lockSurvey(repositories, scope);
      const survey = await readSurveyFile(await createSurveyFile(repositories, scope));
      survey.definition.name = copyName(survey.definition.name);
      const { previous_survey_id: previousSurveyId } = surveySettingsOf(row.survey_settings);
      // Only the same workspace has the survey.
      if (previousSurveyId !== null)
        survey.settings = { ...survey.settings, previous_survey_id: previousSurveyId };
      return writeSurvey({
        repositories,
        scope,
        survey,
        action: 'duplicated',
        details: { from_survey_id: scope.surveyId },
      });
    });
  }
}

function copyName(name: string): string {
  const suffix = ' (copy)';
  return name.slice(0, MAX_NAME_CHARACTERS - suffix.length).toWellFormed() + suffix;
}

async function createSurveyFile(repositories: Repositories, scope: SurveyScope): Promise<SurveyFile> {
  const state = await repositories.surveys.findState(scope.surveyId);
  if (state?.organization_id !== scope.organizationId) throw notFound('survey');
  return exportSurvey({
    definition: await repositories.definitions.storedDraft(scope.surveyId),
    surveyType: state.survey_type,
    settings: withoutPreviousSurvey(withoutFieldwork(state.survey_settings)),
    translationSources: await repositories.surveys.findTranslationSources(scope),
    qualitySettings: state.quality_settings,
    samplingDesign: await repositories.surveyDesigns.find(scope),
  });
}

/** Throws 400 with every problem of the file. Ids are those of the file. */
export async function readSurveyFile(file: unknown): Promise<ImportedSurvey> {
  const result = await runYielding(importSurvey(file));
  if (!result.ok) throw invalidFields(result.problems);
  return result.survey;
}

/** Creates a new draft with new ids. */
export async function writeSurvey({
  repositories,
  scope,
  survey,
  action,
  details = {},
}: {
  repositories: Repositories;
  scope: WorkspaceScope;
  survey: ImportedSurvey;
  action: string;
  details?: Record<string, unknown> | undefined;
}): Promise<SurveyRow> {
  const localPages = survey.definition.pages.map((page) => page.id);
  const localQuestions = questionsOf(survey.definition).map((question) => question.id);
  const pageIds = mapIds(localPages, await repositories.questions.reservePageIds(localPages.length));
  const questionIds = mapIds(localQuestions, await repositories.questions.reserveIds(localQuestions.length));
  const localBlocks = survey.definition.blocks.map((block) => block.id);
  const blockIds = mapIds(localBlocks, await repositories.blocks.reserveIds(localBlocks.length));
  const definition = remapIds(survey.definition, pageIds, questionIds, blockIds);
  await checkTimeZone(repositories, {}, survey.settings);
  const row = await repositories.surveys.create(scope, {
    survey_name: definition.name,
    survey_description: definition.description,
    survey_type: survey.surveyType,
    survey_settings: {
      ...withClosingTime(
        remapPageTranslations(survey.settings, pageIds),
        surveySettingsOf(survey.settings).timezone,
      ),
    },
    translation_sources: mapSourcePages(survey.translationSources, (id) => pageIds.get(id) ?? null),
    quality_settings: { ...remapAttentionChecks(survey.qualitySettings, questionIds) },
    survey_arrangement: definition.arrangement,
  });
  const created = { ...scope, surveyId: row.survey_id };
  await repositories.linkReservations.setSurveyLimit(
    row.survey_id,
    surveySettingsOf(row.survey_settings).response_limit,
  );
  if (survey.samplingDesign !== null) await repositories.surveyDesigns.save(created, survey.samplingDesign);
  await repositories.blocks.add(created, definition.blocks);
  await repositories.questions.addPages(created, definition.pages);
  await repositories.questions.add(
    created,
    questionsOf(definition).map((question, index) => ({
      question,
      highestOptionCode: survey.highestCodes.get(requireItem(localQuestions, index, 'question')) ?? 0,
    })),
  );
  await repositories.audit.record(
    surveyAuditEntry(created, action, { questions: localQuestions.length, ...details }),
  );
  return row;
}

function mapIds(from: readonly number[], to: readonly number[]): Map<number, number> {
  return new Map(from.map((id, index) => [id, requireItem(to, index, 'new id')]));
}
