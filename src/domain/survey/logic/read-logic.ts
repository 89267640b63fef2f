import type { z } from 'zod';
import { quote, unknownObject } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { schemaProblems, schemaWording } from '../../../lib/schema-problems.ts';
import { isRecord } from '../../questions/answers/read-answer.ts';
import { questionsOf, type SurveyDefinition } from '../definition.ts';
import { type ConditionNames, namesOfQuestions, readCondition } from './read-condition.ts';
import {
  type PageLogic,
  pageLogicSchema,
  type QuestionLogic,
  questionLogicSchema,
  type Skip,
} from '../../questions/logic-schema.ts';

/** Resolves the references in logic: questions, options, and skip targets. */
export interface LogicNames extends ConditionNames {
  /** `number`: 1 is the first page that is not retired. */
  pageIdAt: (number: number) => number | undefined;
  questionIdOf: (code: string) => number | undefined;
}

export function namesOfSurvey(definition: SurveyDefinition): LogicNames {
  const pages = definition.pages.filter(({ retired }) => !retired);
  const ids = new Map(questionsOf(definition).map(({ code, id }) => [code.toLowerCase(), id]));
  return {
    ...namesOfQuestions(definition),
    pageIdAt: (number) => pages[number - 1]?.id,
    questionIdOf: (code) => ids.get(code.toLowerCase()),
  };
}

type LogicResult<L> = { ok: true; logic: L | null } | { ok: false; problems: ErrorDetail[] };

/** Converts a client's question logic to the stored form. Fields of problems start with `field`. */
export function readQuestionLogic(
  input: unknown,
  names: LogicNames,
  field: string,
): LogicResult<QuestionLogic> {
  return readLogic(questionLogicSchema, { input, names, field });
}

/** Reads only carry_forward from unvalidated logic; it determines the question's options. */
export function carryForwardOf(input: unknown): QuestionLogic | null {
  const { data } = questionLogicSchema.pick({ carry_forward: true }).loose().safeParse(input);
  return data?.carry_forward === undefined ? null : { carry_forward: data.carry_forward };
}

/** Reads a page's logic; see readQuestionLogic. */
export function readPageLogic(input: unknown, names: LogicNames, field: string): LogicResult<PageLogic> {
  return readLogic(pageLogicSchema, { input, names, field });
}

/** Reads a block's logic: when it is shown. */
export function readBlockLogic(input: unknown, names: LogicNames, field: string): LogicResult<PageLogic> {
  return readLogic(pageLogicSchema.pick({ display: true }), { input, names, field });
}

function readLogic<L>(
  schema: z.ZodType<L>,
  { input, names, field }: { input: unknown; names: LogicNames; field: string },
): LogicResult<L> {
  if (input === null || input === undefined) return { ok: true, logic: null };
  const reader = new LogicReader(names);
  const written = reader.read(input, field);
  const parsed = schema.safeParse(written, { error: schemaWording });
  // An invalid condition is passed on unchanged, so its own problems take precedence over the schema's.
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return parsed.success
    ? { ok: true, logic: parsed.data }
    : { ok: false, problems: schemaProblems(parsed.error, field) };
}

/** Expands short forms and resolves ids, labels, codes and page numbers. The schema rejects other shapes. */
class LogicReader {
  readonly problems: ErrorDetail[] = [];
  readonly #names: LogicNames;

  constructor(names: LogicNames) {
    this.#names = names;
  }

  read(input: unknown, field: string): unknown {
    if (!isRecord(input)) return input;
    const { display, skip, options, carry_forward: carryForward } = input;
    return {
      ...input,
      ...(display === undefined ? {} : { display: this.#condition(display, `${field}.display`) }),
      ...(Array.isArray(skip) ? { skip: this.#skips(skip, `${field}.skip`) } : {}),
      ...(isRecord(options) ? { options: this.#options(options, `${field}.options`) } : {}),
      ...(isRecord(carryForward) ? { carry_forward: this.#carryForward(carryForward) } : {}),
    };
  }

  #condition(input: unknown, field: string): unknown {
    const read = readCondition(input, this.#names, { field, shortFormType: 'question' });
    if (read.ok) return read.condition;
    this.problems.push(...read.problems);
    return input;
  }

  #options(options: Record<string, unknown>, field: string): Record<string, unknown> {
    const entries = Object.entries(options);
    return Object.fromEntries(
      entries.map(([code, condition]) => [code, this.#condition(condition, `${field}.${code}`)]),
    );
  }

  #carryForward(carryForward: Record<string, unknown>): Record<string, unknown> {
    const { question_id: id, ...rest } = carryForward;
    const from = rest.from ?? (typeof id === 'number' ? this.#names.codeOfId(id) : undefined);
    if (from === undefined) return carryForward;
    if (typeof from !== 'string') return { ...rest, from };
    return { ...rest, from: this.#names.codeAsWritten({ type: 'question', code: from }) };
  }

  #skips(skips: unknown[], field: string): unknown[] {
    return skips.map((skip, index) => {
      if (!isRecord(skip)) return skip;
      const at = `${field}[${index}]`;
      const when = skip.when === undefined ? {} : { when: this.#condition(skip.when, `${at}.when`) };
      return this.#withTarget({ ...skip, ...when }, at);
    });
  }

  /** Replaces `target_question` and `target_page` by ids. */
  #withTarget(skip: Record<string, unknown>, field: string): Record<string, unknown> {
    const { target_question: code, target_page: number, ...rest } = skip;
    if (code === undefined && number === undefined) return skip;
    const isPage = rest.action === 'jump_to_page';
    const name = isPage ? 'target_page' : 'target_question';
    const written = isPage ? number : code;
    if (
      written === undefined ||
      (code !== undefined && number !== undefined) ||
      rest.target_id !== undefined
    ) {
      const wanted = `${name} or target_id, and only one of them`;
      this.problems.push({ field, message: `${quote(rest.action)} requires ${wanted}` });
      return skip;
    }
    const id = isPage
      ? typeof written === 'number'
        ? this.#names.pageIdAt(written)
        : undefined
      : typeof written === 'string'
        ? this.#names.questionIdOf(written)
        : undefined;
    if (id === undefined) {
      const message = isPage
        ? `${unknownObject({ kind: 'page', idOrCode: written, scope: 'in this survey' })}; pages are numbered from 1`
        : unknownObject({ kind: 'question', idOrCode: written, scope: 'in this survey' });
      this.problems.push({ field: `${field}.${name}`, message });
      return skip;
    }
    return { ...rest, target_id: id };
  }
}

/**
 * Returns jumps to targets that do not exist. Ignores jumps already in `before`: the publish check reports them, and clients may send back
 * what they received. Fields are relative to the logic.
 */
export function findUnknownSkipTargets(
  logic: PageLogic | null,
  before: PageLogic | null,
  definition: SurveyDefinition,
): ErrorDetail[] {
  const existingTargets = new Set((before?.skip ?? []).map(skipKey));
  for (const page of definition.pages) if (!page.retired) existingTargets.add(`jump_to_page ${page.id}`);
  for (const question of questionsOf(definition)) existingTargets.add(`jump_to_question ${question.id}`);
  return (logic?.skip ?? []).flatMap((skip, index) => {
    if (
      skip.target_id === undefined ||
      !skip.action.startsWith('jump_') ||
      existingTargets.has(skipKey(skip))
    )
      return [];
    const noun = skip.action === 'jump_to_page' ? 'page' : 'question';
    return [
      {
        field: `skip[${index}].target_id`,
        message: unknownObject({ kind: noun, idOrCode: skip.target_id, scope: 'in this survey' }),
      },
    ];
  });
}

const skipKey = (skip: Skip): string => `${skip.action} ${skip.target_id}`;
