import { reasonAnswer } from '../questions/answers/no-answer.ts';
import type { StoredAnswer, StoredAnswers } from '../questions/answers/codec.ts';
import type { Presentation } from '../responses/presentation.ts';
import type { ResponseStatus } from '../responses/response-row.ts';
import { asksRespondents, rowsOf, typeOf } from '../questions/registry.ts';
import type { Option, Question, SurveyDefinition } from '../survey/definition.ts';
import { AnswerInputReader, calculatedValues, validateAnswers } from '../survey/validate-answers.ts';
import {
  evaluateLogic,
  NO_RESPONDENT_CONTEXT,
  type RespondentContext,
  type SurveyPath,
} from '../survey/logic/evaluate-logic.ts';
import { type Block, liveArms, randomArm } from '../survey/blocks.ts';
import { readPreviousCode } from '../survey/previous-codes.ts';
import { presentationUntil } from '../survey/logic/presentation.ts';
import { prepareDefinition } from '../survey/logic/prepare-definition.ts';
import type { PreparedDefinition, PreparedQuestion } from '../survey/prepared-definition.ts';
import {
  createRespondent,
  type OptionProfile,
  type QuestionProfile,
  type SurveyLanguages,
  type SyntheticRespondent,
  type Tendency,
} from '../questions/generate-answers.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { SeededRandom } from '../../lib/seeded-random.ts';

const PAGE_SECONDS = 3;
/** Standard deviation of log durations: about 5 % take less than half the median, and 5 % more than twice. */
const SPREAD = 0.42;

/** Returns the seconds up to the end of a page, to the millisecond (null: no page was submitted). */
function generateDuration(
  route: SurveyPath,
  lastPageId: number | null,
  { random }: SyntheticRespondent,
): number {
  let usual = PAGE_SECONDS;
  for (const { page, questions } of route.pages) {
    if (lastPageId === null) break;
    usual += PAGE_SECONDS;
    for (const { prepared } of questions)
      usual += typeOf(prepared.question).seeding.seconds(prepared.question);
    if (page.id === lastPageId) break;
  }
  return Number((usual * Math.exp(SPREAD * random.normal())).toFixed(3));
}

export interface GeneratedResponse {
  status: ResponseStatus;
  statusReason: 'screen_out' | null;
  endReason: string | null;
  answers: StoredAnswers;
  lastPageId: number | null;
  presentation: Presentation | null;
  language: string;
  durationSeconds: number;
  /** Position in the period being filled, from 0 to 1. */
  relativeTime: number;
}

/** Generated answers can fail validation. */
const MAX_TRIES = 5;
const PROBES = 20;
/** That a question which offers reasons gets one instead of an answer. */
const REASON_PROBABILITY = 0.08;
/** Share of respondents who leave a survey of several pages early. */
const DROP_OUT_PROBABILITY = 0.1;
/** That a respondent has no earlier answers. */
const FIRST_TIME_PROBABILITY = 0.2;
/** Between the most and the least liked arm of an experiment, in standard deviations of the attitude. */
const ARM_DISTANCE = 1;

/**
 * Generates synthetic responses: each follows the survey's route like a respondent, and its answers pass the survey's own validation. The
 * same survey and seed give the same response at each index.
 */
export class ResponseGenerator {
  /** Codes of questions that cannot be generated: file uploads and patterns without an example. They are treated as optional. */
  readonly unansweredCodes: readonly string[];
  private readonly prepared: PreparedDefinition;
  private readonly profiles: ReadonlyMap<string, QuestionProfile>;
  /** By question code: the blocks with arms around the question. */
  private readonly experiments: ReadonlyMap<string, readonly Block[]>;

  constructor(
    definition: SurveyDefinition,
    private readonly seed: number,
    private readonly languages: SurveyLanguages,
  ) {
    const prepared = prepareDefinition(definition);
    const live = prepared.pages.flatMap(({ questions }) => questions);
    this.profiles = new Map(
      [...live.map(({ question }) => question), ...(prepared.definition.previous?.questions ?? [])].map(
        (question) => [question.code, createQuestionProfile(question, `${seed} question`)],
      ),
    );
    const probe = createRespondent(`${seed} probe`, languages);
    this.unansweredCodes = live
      .filter((prepared) => asksRespondents(prepared.question) && !this.canAnswer(prepared, probe))
      .map(({ question }) => question.code);
    this.prepared = prepareDefinition(withOptionalQuestions(definition, new Set(this.unansweredCodes)));
    this.experiments = new Map(
      this.prepared.pages.flatMap(({ blocks, questions }) => {
        const withArms = blocks.filter((block) => liveArms(block).length > 0);
        return questions.map(({ question }) => [question.code, withArms] as const);
      }),
    );
  }

  generate(index: number): GeneratedResponse {
    const respondent = createRespondent(`${this.seed} person ${index}`, this.languages);
    const seed = `${this.seed} person ${index}`;
    const context = { ...NO_RESPONDENT_CONTEXT, seed, previous: this.previousAnswers(respondent) };
    const route = evaluateLogic(
      this.prepared,
      (prepared, offered) =>
        this.answerOrSkip(prepared, offered, this.inArms(prepared.question, respondent, seed)),
      context,
    );
    const response = this.finish(route, respondent, context);
    return {
      ...response,
      presentation: presentationUntil(this.prepared.definition, route, response.lastPageId, context),
      language: respondent.language,
      durationSeconds: generateDuration(route, response.lastPageId, respondent),
      relativeTime: respondent.random.next(),
    };
  }

  /** Returns the respondent with the attitude to what the arms around a question show, so that comparisons of arms can be tried out. */
  private inArms({ code }: Question, respondent: SyntheticRespondent, seed: string): SyntheticRespondent {
    const blocks = this.experiments.get(code) ?? [];
    const effects = blocks.map((block) => {
      const likingOf = (arm: string | null) =>
        new SeededRandom(`${this.seed} arm ${block.code} ${arm}`).next();
      const arms = liveArms(block).sort((a, b) => likingOf(a.code) - likingOf(b.code));
      const rank = arms.findIndex((arm) => arm.code === randomArm(block, seed));
      return ARM_DISTANCE * (rank / Math.max(1, arms.length - 1) - 0.5);
    });
    return { ...respondent, attitude: effects.reduce((sum, effect) => sum + effect, respondent.attitude) };
  }

  /** Answers of an earlier response, which some respondents do not have. */
  private previousAnswers(respondent: SyntheticRespondent): StoredAnswers {
    const { previous } = this.prepared.definition;
    if (previous === null || respondent.random.isTrue(FIRST_TIME_PROBABILITY)) return {};
    return Object.fromEntries(
      previous.questions.flatMap(({ code, retired }) => {
        const prepared = this.prepared.byCode.get(code);
        if (retired || prepared === undefined || prepared.codec.isCalculated) return [];
        const answer = this.generateValidAnswer(prepared, prepared.options, respondent);
        return answer === null ? [] : [[code, answer]];
      }),
    );
  }

  private canAnswer(prepared: PreparedQuestion, respondent: SyntheticRespondent): boolean {
    for (let probe = 0; probe < PROBES; probe++)
      if (this.generateValidAnswer(prepared, prepared.options, respondent) !== null) return true;
    return false;
  }

  private answerOrSkip(
    prepared: PreparedQuestion,
    offered: readonly Option[],
    respondent: SyntheticRespondent,
  ): StoredAnswer | null {
    const { question } = prepared;
    if (!question.required && respondent.random.isTrue(this.profileOf(question).skipProbability)) return null;
    const { no_answers: reasons } = question.settings;
    const [first] = reasons;
    if (first !== undefined && respondent.random.isTrue(REASON_PROBABILITY))
      return reasonAnswer((reasons[Math.floor(respondent.random.next() * reasons.length)] ?? first).reason);
    return this.generateValidAnswer(prepared, offered, respondent);
  }

  /** Returns null if no attempt gave a valid answer. */
  private generateValidAnswer(
    prepared: PreparedQuestion,
    offered: readonly Option[],
    respondent: SyntheticRespondent,
  ): StoredAnswer | null {
    const { question } = prepared;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const profile = this.profileOf(question);
      const answer = typeOf(question).seeding.answer({ question, offered, profile, respondent });
      if (answer === null) continue;
      const reader = new AnswerInputReader({ [question.code]: answer });
      const read = reader.read(prepared, offered, 'answer') ?? null;
      if (read !== null && reader.problems.length === 0) return read;
    }
    return null;
  }

  private profileOf({ code }: Question): QuestionProfile {
    const profile = this.profiles.get(code);
    if (profile === undefined) throw new Error(`Question ${code} has no profile`);
    return profile;
  }

  private finish(
    route: SurveyPath,
    { random }: SyntheticRespondent,
    context: RespondentContext,
  ): Pick<GeneratedResponse, 'status' | 'statusReason' | 'endReason' | 'answers' | 'lastPageId'> {
    const visited = route.pages.length;
    if (visited > 1 && random.isTrue(DROP_OUT_PROBABILITY))
      return this.dropOut(route, 1 + random.integer(visited - 1), context);
    const given = Object.fromEntries(
      Object.entries(route.answers).filter(([code]) => readPreviousCode(code) === null),
    );
    const result = validateAnswers(this.prepared, given, { mode: 'complete', context });
    // A required question could not be answered with the offered options.
    if (!result.ok) return this.dropOut(route, Math.max(0, pageOfProblem(route, result.problems)), context);
    const isScreenedOut = result.end?.kind === 'screened_out';
    return {
      status: isScreenedOut ? 'screened_out' : 'complete',
      statusReason: isScreenedOut ? 'screen_out' : null,
      endReason: result.end?.reason ?? null,
      answers: result.answers,
      lastPageId: route.pages.at(-1)?.page.id ?? null,
    };
  }

  /** Ends the response after the given number of pages. */
  private dropOut(
    route: SurveyPath,
    pageCount: number,
    context: RespondentContext,
  ): ReturnType<ResponseGenerator['finish']> {
    const pages = route.pages.slice(0, pageCount);
    const answers = Object.create(null) as StoredAnswers;
    for (const [code, answer] of Object.entries(route.answers))
      if (!route.shown.has(code) && readPreviousCode(code) === null) answers[code] = answer;
    for (const { questions } of pages)
      for (const { prepared, answer } of questions) answers[prepared.question.code] = answer;
    const result = validateAnswers(this.prepared, answers, { mode: 'partial' });
    if (!result.ok) throw new Error('the generated partial response is invalid');
    const lastPageId = pages.at(-1)?.page.id ?? null;
    return {
      status: 'partial',
      statusReason: null,
      endReason: null,
      answers: {
        ...result.answers,
        ...calculatedValues(this.prepared, result.answers, context),
        ...context.previous,
      },
      lastPageId,
    };
  }
}

/** Returns the survey with these questions optional. */
function withOptionalQuestions(definition: SurveyDefinition, codes: ReadonlySet<string>): SurveyDefinition {
  return {
    ...definition,
    pages: definition.pages.map((page) => ({
      ...page,
      questions: page.questions.map((question) =>
        codes.has(question.code) ? { ...question, required: false } : question,
      ),
    })),
  };
}

/** Returns the index of the page of the first problem, whose field is `answers.Q3` or a path within; -1: not on a page. */
function pageOfProblem(route: SurveyPath, [problem]: readonly ErrorDetail[]): number {
  const [, code] = /^answers\.(\w+)/.exec(problem?.field ?? '') ?? [];
  return route.pages.findIndex(({ questions }) =>
    questions.some(({ prepared }) => prepared.question.code === code),
  );
}

/** Creates the same profile for the same seed and question code; adding an option does not change the others. */
function createQuestionProfile(question: Question, seed: string): QuestionProfile {
  const { seeding } = typeOf(question);
  const createRandom = (...parts: (string | number)[]) =>
    new SeededRandom([seed, question.code, ...parts].join(' '));
  return {
    tendency: createTendency(createRandom(), seeding.tendency),
    rows: new Map(
      rowsOf(question).map(({ row_code: code }) => [code, createTendency(createRandom('row', code), 0.15)]),
    ),
    options: new Map(
      question.options.map((option) => [
        option.code,
        createOptionProfile(createRandom('option', option.code), option),
      ]),
    ),
    skipProbability: seeding.skipProbability(createRandom('skipping')),
    example: seeding.createExample(question),
  };
}

function createTendency(chance: SeededRandom, mean: number): Tendency {
  return { center: mean + 0.45 * chance.normal(), loading: 0.5 + 0.3 * chance.next() };
}

function createOptionProfile(chance: SeededRandom, option: Option): OptionProfile {
  const isRare = option.exclusive || option.other || option.missing;
  return {
    weight: Math.exp(0.7 * chance.normal()) * (isRare ? 0.2 : 1),
    logOdds: -0.6 + 0.9 * chance.normal() - (isRare ? 1.5 : 0),
    tilt: 0.35 * chance.normal(),
  };
}
