import type { StoredAnswers } from '../../domain/questions/answers/codec.ts';
import { codecFor, type Question } from '../../domain/questions/registry.ts';
import type { PreparedDefinition } from '../../domain/survey/prepared-definition.ts';
import { readPreviousCode } from '../../domain/survey/previous-codes.ts';
import type { Store } from '../../repositories/store.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** What a response carries from an earlier one of the same respondent. */
export interface CarriedAnswers {
  /** By codes such as `previous.Q3`. */
  answers: StoredAnswers;
  /** null: there is no earlier response. */
  source: { surveyId: number; responseId: number } | null;
}

interface Respondent {
  panelMember: string | null;
  before: Date;
  /** What a preview shows instead, by codes such as `previous.Q3`. */
  samples?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the samples that are answers to these questions. */
const sampleAnswers = (
  questions: readonly Question[],
  samples: Readonly<Record<string, unknown>>,
): StoredAnswers =>
  Object.fromEntries(
    questions.flatMap((question) => {
      if (!Object.hasOwn(samples, question.code)) return [];
      const read = codecFor(question).read(question, samples[question.code], 'draft');
      return read.ok && read.answer !== null ? [[question.code, read.answer]] : [];
    }),
  );

const NOTHING: CarriedAnswers = { answers: {}, source: null };

/** Finds the earlier answers to which a survey refers. */
export class PreviousAnswers {
  constructor(private readonly store: Store) {}

  /**
   * Returns answers of the newest response of the respondent that was complete at the time `before`, and only those that the survey uses. An
   * invitation names the respondent, or in a link of a panel the `panelMember` whose id the panel has signed; otherwise it is unknown who
   * answers, because anyone can write an id into an address.
   */
  async find(
    link: ResolvedLink,
    { definition: { previous } }: PreparedDefinition,
    { panelMember, before, samples = {} }: Respondent,
  ): Promise<CarriedAnswers> {
    const used = (previous?.questions ?? []).filter(({ retired }) => !retired);
    if (previous === null || used.length === 0 || link.settings.anonymous) return NOTHING;
    if (link.isPreview) return { answers: sampleAnswers(used, samples), source: null };
    const surveyId = previous.surveyId ?? link.surveyId;
    const respondent =
      link.respondent !== null
        ? { respondentId: link.respondent.respondentId }
        : panelMember !== null && link.linkId !== null && surveyId === link.surveyId
          ? { externalId: panelMember, linkId: link.linkId }
          : null;
    if (respondent === null || !(await this.isReadable(surveyId, link.surveyId))) return NOTHING;
    const found = await this.store.read.responses.findNewestComplete(surveyId, respondent, before);
    if (found === null) return NOTHING;
    const answers = Object.fromEntries(
      used.flatMap(({ code }) => {
        const answer = found.answers[readPreviousCode(code) ?? code] ?? null;
        return answer === null ? [] : [[code, answer]];
      }),
    );
    return { answers, source: { surveyId, responseId: found.response_id } };
  }

  /** Whether the earlier survey is still in the workspace of the later one, and not deleted: both can change after the publication. */
  private async isReadable(earlierId: number, surveyId: number): Promise<boolean> {
    if (earlierId === surveyId) return true;
    const states = await this.store.read.surveys.findStates([earlierId, surveyId]);
    const workspaceId = states.get(earlierId)?.workspace_id;
    return workspaceId !== undefined && workspaceId === states.get(surveyId)?.workspace_id;
  }
}
