import { columnNamesIn } from '../../expressions/parse-expression.ts';
import { type Comparison, type Condition, isGroup } from '../../questions/condition.ts';
import { blocksAround } from '../blocks.ts';
import { isCalculated, type Page, type Question, type SurveyDefinition } from '../definition.ts';
import type { QuestionLogic, Skip } from '../../questions/logic-schema.ts';
import { SurveyVariables } from '../logic/calculate.ts';
import { readContextName } from '../logic/expression-names.ts';
import { findPipes } from '../logic/piping.ts';
import { readPreviousCode } from '../previous-codes.ts';

/** The target of a reference. */
export type ReferenceTarget =
  /** A question by code: in a condition, a carry_forward, an expression or a pipe. */
  | { kind: 'question'; code: string; comparison: Comparison | null }
  /** A column of the data. Only filters can refer to columns. */
  | { kind: 'column'; code: string }
  /** The arm of a block, by its code; `right`: the arms that it is compared with. */
  | { kind: 'arm'; code: string; right: Comparison['right'] }
  /** An earlier answer, by the code of its question in the earlier survey; `comparison`: what a condition compares. */
  | { kind: 'previous'; code: string; comparison: Comparison | null }
  | { kind: 'jump'; to: 'page' | 'question'; id: number | undefined }
  /** One of the question's own options, by its code. */
  | { kind: 'option'; code: string };

type ReferenceLocation = 'expression' | 'display' | 'skip' | 'options' | 'carry_forward' | 'piping';

export interface Reference {
  page: Page;
  /** null: the page itself. */
  question: Question | null;
  location: ReferenceLocation;
  /** Field path: `pages[0].questions[2].question_settings.logic.display.conditions[1].left`. */
  field: string;
  target: ReferenceTarget;
}

type Found = Pick<Reference, 'location' | 'field' | 'target'>;

function referencesInCondition(condition: Condition, location: ReferenceLocation, field: string): Found[] {
  if (isGroup(condition)) {
    return condition.conditions.flatMap((part, index) =>
      referencesInCondition(part, location, `${field}.conditions[${index}]`),
    );
  }
  const { type, code } = condition.left;
  if (type === 'hidden' || type === 'attribute') return [];
  const target: ReferenceTarget =
    type === 'arm'
      ? { kind: 'arm', code, right: condition.right }
      : type === 'previous'
        ? { kind: 'previous', code, comparison: condition }
        : type === 'column'
          ? { kind: 'column', code }
          : { kind: 'question', code, comparison: condition };
  return [{ location, field: `${field}.left`, target }];
}

function referencesInSkips(skips: Skip[] | undefined, field: string): Found[] {
  return (skips ?? []).flatMap(({ when, action, target_id: id }, index): Found[] => {
    const at = `${field}.skip[${index}]`;
    const conditions = referencesInCondition(when, 'skip', `${at}.when`);
    if (action !== 'jump_to_page' && action !== 'jump_to_question') return conditions;
    const to = action === 'jump_to_page' ? 'page' : 'question';
    return [...conditions, { location: 'skip', field: `${at}.target_id`, target: { kind: 'jump', to, id } }];
  });
}

function referencesInLogic(logic: QuestionLogic | null, field: string): Found[] {
  if (!logic) return [];
  const display = logic.display ? referencesInCondition(logic.display, 'display', `${field}.display`) : [];
  const options = Object.entries(logic.options ?? {}).flatMap(([code, condition]): Found[] => [
    { location: 'options', field: `${field}.options.${code}`, target: { kind: 'option', code } },
    ...referencesInCondition(condition, 'options', `${field}.options.${code}`),
  ]);
  const source = logic.carry_forward;
  const carryForwardReferences: Found[] = source
    ? [
        {
          location: 'carry_forward',
          field: `${field}.carry_forward.from`,
          target: { kind: 'question', code: source.from, comparison: null },
        },
      ]
    : [];
  return [...display, ...referencesInSkips(logic.skip, field), ...options, ...carryForwardReferences];
}

function referencesInTexts(texts: readonly (readonly [string, unknown])[]): Found[] {
  return texts.flatMap(([field, text]) =>
    findPipes(text).flatMap((pipe): Found[] => {
      if (pipe.kind === 'arm')
        return [{ location: 'piping', field, target: { kind: 'arm', code: pipe.name, right: undefined } }];
      return pipe.kind === 'question' ? [{ location: 'piping', field, target: answerTarget(pipe.code) }] : [];
    }),
  );
}

/** The target of a reference that names an answer without comparing it. */
function answerTarget(code: string): ReferenceTarget {
  const earlier = readPreviousCode(code);
  return earlier === null
    ? { kind: 'question', code, comparison: null }
    : { kind: 'previous', code: earlier, comparison: null };
}

function referencesInExpression(question: Question, variables: () => SurveyVariables): Found[] {
  if (!isCalculated(question)) return [];
  const at = { location: 'expression', field: 'question_settings.expression' } as const;
  return columnNamesIn(question.settings.expression).flatMap((name): Found[] => {
    const code = variables().find(name)?.question?.code;
    if (code !== undefined) return [{ ...at, target: answerTarget(code) }];
    const value = readContextName(name);
    if (value?.type === 'previous')
      return [{ ...at, target: { kind: 'previous', code: value.code, comparison: null } }];
    return value?.type === 'arm'
      ? [{ ...at, target: { kind: 'arm', code: value.code, right: undefined } }]
      : [];
  });
}

/** Settings without texts for respondents. */
const UNREAD_SETTINGS: ReadonlySet<string> = new Set([
  'expression',
  'logic',
  'pattern',
  'report_label',
  'variable',
]);

/** Returns the texts of a question that respondents read, with their fields. */
function textsOf(question: Question): [string, unknown][] {
  const { settings } = question;
  const named = Object.entries(settings).filter(([name]) => !UNREAD_SETTINGS.has(name));
  return [
    ['question_text', question.text],
    ...named.map(([name, value]): [string, unknown] => [`question_settings.${name}`, value]),
    ...question.options.map((option, index): [string, unknown] => [
      `options[${index}].option_label`,
      option.label,
    ]),
  ];
}

/** Returns all references of live blocks, pages and questions, in order. Those of a block count as those of its first page. */
export function findReferences(definition: SurveyDefinition): Reference[] {
  return [...blockReferences(definition), ...pageReferences(definition)];
}

function blockReferences({ blocks, pages }: SurveyDefinition): Reference[] {
  return blocks.flatMap((block, index) => {
    const page = pages.find(
      ({ retired, blockId }) => !retired && blocksAround(blocks, blockId).some(({ id }) => id === block.id),
    );
    if (block.retired || page === undefined) return [];
    return referencesInLogic(block.logic, `blocks[${index}].block_logic`).map((found): Reference => ({
      ...found,
      page,
      question: null,
    }));
  });
}

function pageReferences(definition: SurveyDefinition): Reference[] {
  let found: SurveyVariables | undefined;
  const variables = () => (found ??= new SurveyVariables(definition));
  return definition.pages.flatMap((page, pageIndex) => {
    if (page.retired) return [];
    const at = `pages[${pageIndex}]`;
    const ownReferences = [
      ...referencesInLogic(page.logic, 'page_logic'),
      ...referencesInTexts([
        ['page_title', page.title],
        ['page_description', page.description],
      ]),
    ].map((found): Reference => ({ ...found, page, question: null, field: `${at}.${found.field}` }));
    const questionReferences = page.questions.flatMap((question, index) => {
      if (question.retired) return [];
      const found = [
        ...referencesInLogic(question.settings.logic, 'question_settings.logic'),
        ...referencesInExpression(question, variables),
        ...referencesInTexts(textsOf(question)),
      ];
      const questionAt = `${at}.questions[${index}]`;
      return found.map((each): Reference => ({
        ...each,
        page,
        question,
        field: `${questionAt}.${each.field}`,
      }));
    });
    return [...ownReferences, ...questionReferences];
  });
}

/** Returns references to questions and pages that are to be deleted, except references within them. */
export function findReferencesTo(
  definition: SurveyDefinition,
  deleted: { questionIds?: ReadonlySet<number>; pageIds?: ReadonlySet<number> },
): Reference[] {
  const questionIds = deleted.questionIds ?? new Set<number>();
  const pageIds = deleted.pageIds ?? new Set<number>();
  const isDeleted = (question: Question) => questionIds.has(question.id) || pageIds.has(question.pageId);
  const questions = definition.pages.flatMap((page) => page.questions);
  const codes = new Set(questions.filter(isDeleted).map(({ code }) => code));
  const ids = new Set(questions.filter(isDeleted).map(({ id }) => id));
  return findReferences(definition).filter(({ page, question, target }) => {
    if (pageIds.has(page.id) || (question !== null && isDeleted(question))) return false;
    if (target.kind === 'question') return codes.has(target.code);
    if (target.kind === 'jump')
      return target.id !== undefined && (target.to === 'page' ? pageIds : ids).has(target.id);
    return false;
  });
}
