import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import { findAbsenceChanges } from '../../domain/survey/publishing/absence-changes.ts';
import { findAnonymityProblems } from '../../domain/survey/publishing/anonymity-check.ts';
import { findCalculationProblems } from '../../domain/survey/publishing/calculation-check.ts';
import { authoredFindings } from '../../domain/survey/publishing/authored-findings.ts';
import { findLoopProblems } from '../../domain/survey/publishing/loop-check.ts';
import { expandDefinition } from '../../domain/survey/expand-definition.ts';
import { findLeftoverTexts } from '../../domain/survey/publishing/leftover-check.ts';
import { findCollectionWarnings } from '../../domain/survey/publishing/collection-check.ts';
import { findMediaWarnings } from '../../domain/survey/publishing/media-check.ts';
import { findMoneyWarnings } from '../../domain/survey/publishing/money-check.ts';
import { findNoAnswerWarnings } from '../../domain/survey/publishing/no-answer-check.ts';
import { DEFAULT_LINK_NAMES, SURVEY_STATUS } from '../../domain/survey/status.ts';
import {
  findArrangementProblems,
  findLeftOutReferences,
} from '../../domain/survey/publishing/arrangement-check.ts';
import { findPreviousProblems, type PreviousState } from '../../domain/survey/publishing/previous-check.ts';
import {
  findPublishProblems,
  type MissingTranslations,
  type OutdatedTranslations,
  type PublishProblem,
  type PublishWarning,
} from '../../domain/survey/publishing/publish-check.ts';
import {
  findMissingTranslations,
  findOutdatedTranslations,
  findUnusedTranslations,
} from '../../domain/survey/publishing/translation-check.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { type AppError, conflict, unprocessable } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { LinkRow } from '../../repositories/links.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { LINK_TOKEN_CHARACTERS } from '../field/links.ts';
import { lockSurvey, signalSurveyChange, surveyAuditEntry } from './survey-lock.ts';

export interface Publication {
  version: number;
  /** false: the draft is what the latest version is, which stays. */
  isNewVersion: boolean;
  links: LinkRow[];
}

const MAX_DETAILS = 500;

/** Publishes drafts. */
export class SurveyPublishingService {
  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Returns the problems that prevent publishing, and warnings for the author. */
  async check(scope: SurveyScope): Promise<{ problems: PublishProblem[]; warnings: PublishWarning[] }> {
    return this.store.snapshot(async ({ definitions, surveys }) => {
      const draft = await definitions.loadDraft(scope.surveyId);
      const key = `${scope.organizationId}:${scope.surveyId}`;
      const survey = (await surveys.findByKeys([key])).get(key);
      const previous = await definitions.findPublished(scope.surveyId, draft.version);
      const settings = surveySettingsOf(survey?.survey_settings ?? {});
      const source = await findPreviousSource(
        { surveys },
        settings,
        survey?.workspace_id ?? scope.workspaceId,
      );
      return {
        problems: findProblems(draft, previous, { settings, source }).map((problem) =>
          withPage(problem, draft),
        ),
        warnings: [
          ...findCollectionWarnings(survey?.survey_settings ?? {}, {
            completeCount: survey?.complete_count ?? 0,
            now: this.clock.now(),
          }),
          ...findMissingTranslations(draft, settings).map(missingTranslationsWarning),
          ...findOutdatedTranslations(draft, settings, survey?.translation_sources ?? {}).map(
            outdatedTranslationsWarning,
          ),
          ...findMoneyWarnings(draft),
          ...findNoAnswerWarnings(draft),
          ...findUnusedTranslations(draft),
          ...findLeftoverTexts(draft),
          ...findMediaWarnings(draft),
          ...authoredFindings(findLeftOutReferences(expandDefinition(draft)), expandDefinition(draft), draft),
        ],
      };
    });
  }

  /** Publishes the draft as the next version, unless it equals the latest one. Started responses keep their version. */
  async publish(scope: SurveyScope, note: string | null = null): Promise<Publication> {
    return this.store.transaction((repositories) =>
      publishSurvey({ repositories, scope, note, ids: this.ids, now: this.clock.now() }),
    );
  }
}

/** Returns everything that prevents publishing. A reference that is wrong in any order is reported once. */
function findProblems(
  draft: SurveyDefinition,
  previous: SurveyDefinition | null,
  { settings, source }: Pick<PreviousState, 'settings' | 'source'>,
): PublishProblem[] {
  const loops = findLoopProblems(draft, previous);
  const expanded = expandDefinition(draft);
  const found = findPublishProblems(expanded);
  const fields = new Set(found.map(({ field }) => field));
  const inParts = [
    ...found,
    ...[
      ...findCalculationProblems(expanded),
      ...findArrangementProblems(expanded),
      ...findPreviousProblems(expanded, { settings, source, published: previous?.previous ?? null }),
    ].filter(({ field }) => !fields.has(field)),
  ];
  return [...loops, ...authoredFindings(inParts, expanded, draft), ...findAnonymityProblems(draft, settings)];
}

/** Returns the survey whose earlier answers a survey can use; null: the workspace has no such survey. */
async function findPreviousSource(
  { surveys }: Pick<Repositories, 'surveys'>,
  { previous_survey_id: surveyId, anonymous }: SurveySettings,
  workspaceId: number,
): Promise<PreviousState['source']> {
  if (surveyId === null) return { isAnonymous: anonymous };
  const found = await surveys.findState(surveyId);
  if (found?.workspace_id !== workspaceId) return null;
  return { isAnonymous: surveySettingsOf(found.survey_settings).anonymous };
}

const PAGE_PATH = /^pages\[(\d+)\]/;

/** Adds the page of a problem that is not about a question. */
function withPage(problem: PublishProblem, { pages }: SurveyDefinition): PublishProblem {
  const page = pages[Number(PAGE_PATH.exec(problem.field)?.[1])];
  return problem.question_code !== undefined || page === undefined
    ? problem
    : { ...problem, page_id: page.id };
}

/** Publishes within the caller's transaction. */
export async function publishSurvey({
  repositories,
  scope,
  note = null,
  ids,
  now,
}: {
  repositories: Repositories;
  scope: SurveyScope;
  /** What the author writes about the version. */
  note?: string | null | undefined;
  ids: Ids;
  now: Date;
}): Promise<Publication> {
  const row = await lockSurvey(repositories, scope);
  if (row.survey_status === SURVEY_STATUS.closed) {
    throw conflict('survey_closed', 'The survey is closed; reopen it with survey_status 2, then publish');
  }
  const draft = await repositories.definitions.loadDraft(scope.surveyId);
  const previous = await repositories.definitions.findPublished(scope.surveyId, draft.version);
  const settings = surveySettingsOf(row.survey_settings);
  const source = await findPreviousSource(repositories, settings, row.workspace_id);
  const problems = findProblems(draft, previous, { settings, source });
  if (problems.length > 0) throw notPublishable(problems);
  const isNewVersion = previous === null || canonicalJson(previous) !== canonicalJson(draft);
  const version = isNewVersion ? draft.version + 1 : draft.version;
  if (isNewVersion) {
    const next = { ...draft, version };
    await repositories.definitions.saveVersion(scope, next, note);
    if (previous !== null) {
      const absences = findAbsenceChanges(previous, next);
      await repositories.definitions.saveAbsences(scope.surveyId, absences, version);
    }
  }
  const isChange = isNewVersion || row.survey_status !== SURVEY_STATUS.active;
  if (isChange) {
    await repositories.surveys.markPublished(scope, version);
    await repositories.questions.markPublished(scope);
  } else {
    // Edits that were undone.
    await repositories.surveys.markUnchanged(scope);
  }
  const links = await repositories.links.listBySurvey(scope, now);
  if (!links.some((link) => link.link_type === 'open')) {
    const token = ids.token(LINK_TOKEN_CHARACTERS);
    links.push(
      await repositories.links.create(
        scope,
        {
          type: 'open',
          name: DEFAULT_LINK_NAMES.open,
          token,
          quota: null,
          expiresAt: null,
          slug: null,
          redirects: {},
          waveId: null,
          requiresSignature: false,
        },
        now,
      ),
    );
  }
  if (isChange) await repositories.audit.record(surveyAuditEntry(scope, 'published', { version }));
  await signalSurveyChange(repositories, { scope, action: 'published' });
  return { version, isNewVersion, links };
}

function missingTranslationsWarning({ language, textCount, missing }: MissingTranslations): PublishWarning {
  return {
    code: 'missing_translations',
    message:
      `${missing.length} of ${textCount} texts have no translation into ${language}: respondents read them in the default language. Texts of a ` +
      `question go in its question_settings.translations.${language}, all others in survey_settings.translations.${language} (pages by page_id)`,
    field: 'survey_settings.languages',
    language,
    missing,
  };
}

function outdatedTranslationsWarning({ language, outdated }: OutdatedTranslations): PublishWarning {
  const count = outdated.length === 1 ? '1 text has' : `${outdated.length} texts have`;
  return {
    code: 'outdated_translations',
    message: `${count} changed after the translation into ${language}: change the translations, or name those that are still right in confirmed_translations`,
    field: 'survey_settings.languages',
    language,
    outdated,
  };
}

/** 422 if logic cycles are the only problem, else 409. */
function notPublishable(problems: readonly PublishProblem[]): AppError {
  const leading =
    problems.find(({ code }) => code === 'dangling_reference') ?? requireItem(problems, 0, 'problem');
  const details = problems.slice(0, MAX_DETAILS).map(({ field, message }) => ({ field, message }));
  const more =
    problems.length > 1
      ? ` (and ${problems.length - 1} more ${problems.length === 2 ? 'problem' : 'problems'}; see details)`
      : '';
  const make = problems.every(({ code }) => code === 'logic_cycle') ? unprocessable : conflict;
  return make(leading.code, `Cannot publish: ${leading.message}${more}`, details);
}
