import { canonicalJson } from '../../../lib/canonical-json.ts';
import type { QuestionType } from '../../questions/registry.ts';
import type { Block } from '../blocks.ts';
import { type Option, type Page, type Question, questionsOf, type SurveyDefinition } from '../definition.ts';
import { describeCondition, labelsFromQuestions } from '../logic/describe-condition.ts';
import type { PageLogic, QuestionLogic, Skip } from '../../questions/logic-schema.ts';

export const VERSION_CHANGE_KINDS = [
  'survey_changed',
  'page_added',
  'page_removed',
  'page_moved',
  'page_changed',
  'page_logic_changed',
  'page_order_changed',
  'block_added',
  'block_removed',
  'block_changed',
  'question_added',
  'question_removed',
  'question_moved',
  'question_reworded',
  'question_changed',
  'question_logic_changed',
  'question_settings_changed',
  'question_translations_changed',
  'option_added',
  'option_removed',
  'option_reworded',
  'option_changed',
  'options_reordered',
] as const;
type VersionChangeKind = (typeof VERSION_CHANGE_KINDS)[number];

/** One difference between two versions of a survey. */
export interface VersionChange {
  kind: VersionChangeKind;
  page_id: number | null;
  question_id: number | null;
  question_code: string | null;
  option_code: number | null;
  /** The changed field, such as `question_required` or the name of a setting; null if the kind says it. */
  field: string | null;
  /** Values in the form of the API; null: absent. */
  before: unknown;
  after: unknown;
  /** The change in plain English. */
  text: string;
}

const MAX_QUOTED = 120;

function quoted(text: string | null): string {
  if (text === null || text === '') return 'nothing';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `“${line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED).toWellFormed()}…` : line}”`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `show_progress` becomes `show progress`. */
const inWords = (name: string): string => name.replaceAll('_', ' ');

function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return value.length === 0 ? 'nothing' : `a list of ${value.length}`;
  return 'other values';
}

/** A page by its title, otherwise by its number among the pages that are shown. */
const pageName = (page: Page, index: number): string =>
  page.title === null ? `page ${index + 1}` : `page ${quoted(page.title)}`;
const questionName = ({ code, text }: Question): string => `${code} ${quoted(text)}`;

/** Adds the changes of one object. */
interface ChangeList {
  add(
    kind: VersionChangeKind,
    text: string,
    details?: Partial<Pick<VersionChange, 'field' | 'before' | 'after' | 'option_code'>>,
  ): void;
}

/** Returns what respondents see differently in `after`: retired pages, questions and options count as removed. */
export function compareVersions(before: SurveyDefinition, after: SurveyDefinition): VersionChange[] {
  const changes: VersionChange[] = [];
  const listFor = (page: Page | null, question: Question | null): ChangeList => ({
    add(kind, text, details = {}) {
      changes.push({
        kind,
        page_id: question?.pageId ?? page?.id ?? null,
        question_id: question?.id ?? null,
        question_code: question?.code ?? null,
        option_code: null,
        field: null,
        before: null,
        after: null,
        ...details,
        text: `${capitalized(text)}.`,
      });
    },
  });
  compareSurveys(before, after, listFor(null, null));
  compareBlocks(before, after, listFor(null, null));
  comparePages(before, after, (page) => listFor(page, null));
  compareAllQuestions(before, after, (question) => listFor(null, question));
  return changes;
}

function compareSurveys(before: SurveyDefinition, after: SurveyDefinition, list: ChangeList): void {
  if (before.name !== after.name)
    list.add(
      'survey_changed',
      `the survey was renamed from ${quoted(before.name)} to ${quoted(after.name)}`,
      {
        field: 'survey_name',
        before: before.name,
        after: after.name,
      },
    );
  if (before.description !== after.description)
    list.add(
      'survey_changed',
      `the description of the survey changed from ${quoted(before.description)} to ${quoted(after.description)}`,
      { field: 'survey_description', before: before.description, after: after.description },
    );
}

/** The contents of a block in the form of the API, without its id. */
const blockFields = (
  { id: _, parentId, retired: __, repeats: ___, item: ____, stacked: _____, ...block }: Block,
  blocks: readonly Block[],
) => ({
  ...block,
  parent: blocks.find(({ id }) => id === parentId)?.code ?? null,
});

function compareBlocks(before: SurveyDefinition, after: SurveyDefinition, list: ChangeList): void {
  const liveBlocks = ({ blocks }: SurveyDefinition) => blocks.filter(({ retired }) => !retired);
  const [old, current] = [liveBlocks(before), liveBlocks(after)];
  for (const block of old)
    if (!current.some(({ id }) => id === block.id))
      list.add('block_removed', `the block ${quoted(block.title ?? block.code)} was removed`, {
        before: block.code,
      });
  for (const block of current) {
    const name = quoted(block.title ?? block.code);
    const known = old.find(({ id }) => id === block.id);
    if (known === undefined) list.add('block_added', `the block ${name} was added`, { after: block.code });
    else {
      const [was, is] = [blockFields(known, old), blockFields(block, current)];
      const changed = (Object.keys(is) as (keyof typeof is)[]).filter(
        (field) => !isSame(was[field], is[field]),
      );
      for (const field of changed)
        list.add('block_changed', `${BLOCK_FIELDS[field]} of the block ${name} changed`, {
          field: BLOCK_FIELD_NAMES[field],
          before: was[field],
          after: is[field],
        });
    }
  }
  if (!isSame(before.arrangement, after.arrangement))
    list.add('survey_changed', 'the order of the pages and blocks of the survey changed', {
      field: 'survey_arrangement',
      before: before.arrangement,
      after: after.arrangement,
    });
}

const BLOCK_FIELDS: Readonly<Record<keyof ReturnType<typeof blockFields>, string>> = {
  code: 'the code',
  title: 'the title',
  parent: 'the place',
  arm: 'the arm',
  arrangement: 'the order of the contents',
  arms: 'the arms',
  assignment: 'the assignment of the arms',
  logic: 'the logic',
  loop: 'the loop',
};

const BLOCK_FIELD_NAMES: Readonly<Record<keyof ReturnType<typeof blockFields>, string>> = {
  code: 'block_code',
  title: 'block_title',
  parent: 'parent_block_id',
  arm: 'shown_to_arm',
  arrangement: 'block_arrangement',
  arms: 'arms',
  assignment: 'arm_assignment',
  logic: 'block_logic',
  loop: 'block_loop',
};

const livePages = ({ pages }: SurveyDefinition): Page[] => pages.filter(({ retired }) => !retired);

function comparePages(
  before: SurveyDefinition,
  after: SurveyDefinition,
  listFor: (page: Page) => ChangeList,
): void {
  const [old, current] = [livePages(before), livePages(after)];
  const oldById = new Map(old.map((page, index) => [page.id, { page, index }]));
  const currentIds = new Set(current.map(({ id }) => id));
  const moved = findMoved(old, current);
  const describeBefore = conditionsOf(before);
  const describeAfter = conditionsOf(after);
  for (const [index, page] of old.entries()) {
    if (!currentIds.has(page.id))
      listFor(page).add('page_removed', `${pageName(page, index)} was removed`, { before: page.title });
  }
  for (const [index, page] of current.entries()) {
    const list = listFor(page);
    const known = oldById.get(page.id);
    if (known === undefined) {
      list.add('page_added', `${pageName(page, index)} was added`, { after: page.title });
      continue;
    }
    if (moved.has(page.id))
      list.add(
        'page_moved',
        `${pageName(page, index)} moved from position ${known.index + 1} to ${index + 1}`,
        {
          before: known.index + 1,
          after: index + 1,
        },
      );
    for (const [field, name] of [
      ['title', 'title'],
      ['description', 'description'],
    ] as const)
      if (known.page[field] !== page[field])
        list.add(
          'page_changed',
          `the ${name} of page ${index + 1} changed from ${quoted(known.page[field])} to ${quoted(page[field])}`,
          { field: `page_${field}`, before: known.page[field], after: page[field] },
        );
    if (!isSame(known.page.logic, page.logic))
      list.add(
        'page_logic_changed',
        `the logic of ${pageName(page, index)} changed from ${describeBefore(known.page.logic)} to ${describeAfter(page.logic)}`,
        { field: 'page_logic', before: known.page.logic, after: page.logic },
      );
    for (const [field, name, apiField] of PAGE_PLACE)
      if (!isSame(known.page[field], page[field]))
        list.add('page_order_changed', `${name} of ${pageName(page, index)} changed`, {
          field: apiField,
          before: known.page[field],
          after: page[field],
        });
  }
}

const PAGE_PLACE = [
  ['blockId', 'the block', 'block_id'],
  ['arm', 'the arm', 'shown_to_arm'],
  ['arrangement', 'the order of the questions', 'page_arrangement'],
] as const;

interface PlacedQuestion {
  question: Question;
  pageIndex: number;
}

const placedQuestions = (definition: SurveyDefinition): PlacedQuestion[] =>
  livePages(definition).flatMap(({ questions }, pageIndex) =>
    questions.filter(({ retired }) => !retired).map((question) => ({ question, pageIndex })),
  );

function compareAllQuestions(
  before: SurveyDefinition,
  after: SurveyDefinition,
  listFor: (question: Question) => ChangeList,
): void {
  const [old, current] = [placedQuestions(before), placedQuestions(after)];
  const oldById = new Map(old.map((placed) => [placed.question.id, placed]));
  const currentIds = new Set(current.map(({ question }) => question.id));
  const stayed = (placed: readonly PlacedQuestion[]) =>
    placed.filter(({ question: { id, pageId } }) => oldById.get(id)?.question.pageId === pageId);
  const currentPages = new Map(current.map(({ question }) => [question.id, question.pageId]));
  const moved = findMoved(
    old
      .filter(({ question }) => currentPages.get(question.id) === question.pageId)
      .map(({ question }) => question),
    stayed(current).map(({ question }) => question),
  );
  const logicBefore = conditionsOf(before);
  const logicAfter = conditionsOf(after);
  for (const { question } of old) {
    if (!currentIds.has(question.id))
      listFor(question).add('question_removed', `question ${questionName(question)} was removed`, {
        before: question.text,
      });
  }
  for (const { question, pageIndex } of current) {
    const list = listFor(question);
    const known = oldById.get(question.id);
    if (known === undefined) {
      list.add('question_added', `question ${questionName(question)} was added`, { after: question.text });
      continue;
    }
    if (known.question.pageId !== question.pageId)
      list.add(
        'question_moved',
        `question ${question.code} moved from page ${known.pageIndex + 1} to page ${pageIndex + 1}`,
        { field: 'page_id', before: known.question.pageId, after: question.pageId },
      );
    else if (moved.has(question.id))
      list.add(
        'question_moved',
        `question ${question.code} moved to another position on page ${pageIndex + 1}`,
      );
    compareQuestions(known.question, question, { list, logicBefore, logicAfter });
  }
}

type DescribeLogic = (logic: QuestionLogic | PageLogic | null) => string;

function compareQuestions(
  before: Question,
  after: Question,
  {
    list,
    logicBefore,
    logicAfter,
  }: { list: ChangeList; logicBefore: DescribeLogic; logicAfter: DescribeLogic },
): void {
  const { code } = after;
  if (before.text !== after.text)
    list.add(
      'question_reworded',
      `question ${code} was reworded from ${quoted(before.text)} to ${quoted(after.text)}`,
      {
        field: 'question_text',
        before: before.text,
        after: after.text,
      },
    );
  if (before.code !== after.code)
    list.add('question_changed', `the code of question ${before.code} changed to ${code}`, {
      field: 'question_code',
      before: before.code,
      after: code,
    });
  if (before.type !== after.type)
    list.add(
      'question_changed',
      `question ${code} changed from ${typeName(before.type)} to ${typeName(after.type)}`,
      {
        field: 'question_type',
        before: before.type,
        after: after.type,
      },
    );
  if (before.required !== after.required)
    list.add(
      'question_changed',
      `question ${code} is ${after.required ? 'now required' : 'no longer required'}`,
      {
        field: 'question_required',
        before: before.required,
        after: after.required,
      },
    );
  const { logic: oldLogic, ...oldSettings } = before.settings;
  const { logic, ...settings } = after.settings;
  if (!isSame(oldLogic, logic))
    list.add(
      'question_logic_changed',
      `the logic of question ${code} changed from ${logicBefore(oldLogic)} to ${logicAfter(logic)}`,
      { field: 'logic', before: oldLogic, after: logic },
    );
  compareSettings(code, oldSettings, settings, list);
  compareOptions(before, after, list);
}

const typeName = (type: QuestionType): string => inWords(type);

function compareSettings(code: string, before: object, after: object, list: ChangeList): void {
  const [old, current] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  for (const name of new Set([...old.keys(), ...current.keys()])) {
    const [was, is] = [old.get(name) as unknown, current.get(name) as unknown];
    if (isSame(was, is)) continue;
    const details = { field: name, before: was ?? null, after: is ?? null };
    if (name === 'translations')
      list.add('question_translations_changed', `the translations of question ${code} changed`, details);
    else if (name === 'rows')
      list.add('question_settings_changed', `the rows of question ${code} changed`, details);
    else
      list.add(
        'question_settings_changed',
        `the setting “${inWords(name)}” of question ${code} changed from ${valueInWords(was)} to ${valueInWords(is)}`,
        details,
      );
  }
}

const liveOptions = ({ options }: Question): Option[] => options.filter(({ retired }) => !retired);

/** Properties of options besides label and order, with the phrases that say that they are switched on and off. */
const OPTION_PROPERTIES = [
  ['exclusive', 'option_exclusive', 'excludes all others now', 'no longer excludes all others'],
  ['other', 'option_other', 'asks for a text now', 'no longer asks for a text'],
  ['anchor', 'option_anchor', 'keeps its place now', 'no longer keeps its place'],
  ['missing', 'option_missing', 'counts as no answer now', 'no longer counts as no answer'],
  ['image', 'option_image', 'has another picture', 'has another picture'],
] as const;

function compareOptions(before: Question, after: Question, list: ChangeList): void {
  const [old, current] = [liveOptions(before), liveOptions(after)];
  const oldByCode = new Map(old.map((option) => [option.code, option]));
  const currentCodes = new Set(current.map(({ code }) => code));
  const ofQuestion = `of question ${after.code}`;
  for (const option of old) {
    if (!currentCodes.has(option.code))
      list.add('option_removed', `option ${quoted(option.label)} ${ofQuestion} was removed`, {
        option_code: option.code,
        before: option.label,
      });
  }
  for (const option of current) {
    const known = oldByCode.get(option.code);
    const code = { option_code: option.code };
    if (known === undefined) {
      list.add('option_added', `option ${quoted(option.label)} ${ofQuestion} was added`, {
        ...code,
        after: option.label,
      });
      continue;
    }
    if (known.label !== option.label)
      list.add(
        'option_reworded',
        `option ${quoted(known.label)} ${ofQuestion} was reworded to ${quoted(option.label)}`,
        { ...code, field: 'option_label', before: known.label, after: option.label },
      );
    if (known.value !== option.value)
      list.add('option_changed', `the value of option ${quoted(option.label)} ${ofQuestion} changed`, {
        ...code,
        field: 'option_value',
        before: known.value,
        after: option.value,
      });
    for (const [property, field, on, off] of OPTION_PROPERTIES)
      if (known[property] !== option[property])
        list.add(
          'option_changed',
          `option ${quoted(option.label)} ${ofQuestion} ${option[property] === false ? off : on}`,
          { ...code, field, before: known[property], after: option[property] },
        );
  }
  const order = (options: readonly Option[], shared: (code: number) => boolean) =>
    options.map(({ code }) => code).filter(shared);
  const [oldOrder, newOrder] = [
    order(old, (code) => currentCodes.has(code)),
    order(current, (code) => oldByCode.has(code)),
  ];
  if (!isSame(oldOrder, newOrder))
    list.add('options_reordered', `the options ${ofQuestion} were reordered`, {
      field: 'option_order',
      before: oldOrder,
      after: newOrder,
    });
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/**
 * Returns the ids whose place among the common items differs: those outside of a longest common subsequence, so that one item that was
 * dragged counts as one move.
 */
function findMoved(before: readonly { id: number }[], after: readonly { id: number }[]): Set<number> {
  const positions = new Map(before.map(({ id }, index) => [id, index]));
  const common = after.filter(({ id }) => positions.has(id)).map(({ id }) => id);
  const kept = longestIncreasing(common.map((id) => positions.get(id) ?? 0));
  return new Set(common.filter((_, index) => !kept.has(index)));
}

/** Returns the indexes of a longest increasing subsequence (patience sorting). */
function longestIncreasing(values: readonly number[]): Set<number> {
  /** The index of the last value of a best sequence, by its length. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1];
    ends[low] = index;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) kept.add(index);
  return kept;
}

/** Describes logic with the labels of one version. */
function conditionsOf(definition: SurveyDefinition): DescribeLogic {
  const questions = questionsOf(definition, 'all');
  const byCode = new Map(questions.map((question) => [question.code, question]));
  const byId = new Map(questions.map((question) => [question.id, question]));
  const pageNumbers = new Map(livePages(definition).map(({ id }, index) => [id, index + 1]));
  const labels = labelsFromQuestions((code) => byCode.get(code));
  const skipInWords = ({ when, action, target_id: target = 0 }: Skip): string => {
    const condition = describeCondition(when, labels);
    switch (action) {
      case 'jump_to_page':
        return `continue on page ${pageNumbers.get(target) ?? '(removed)'} if ${condition}`;
      case 'jump_to_question':
        return `continue with question ${byId.get(target)?.code ?? '(removed)'} if ${condition}`;
      case 'end_survey':
        return `end the survey if ${condition}`;
      case 'screen_out':
        return `screen out if ${condition}`;
    }
  };
  return (logic) => {
    if (logic === null) return 'none';
    const parts = [
      ...(logic.display === undefined ? [] : [`show if ${describeCondition(logic.display, labels)}`]),
      ...(logic.skip ?? []).map(skipInWords),
    ];
    if ('carry_forward' in logic && logic.carry_forward !== undefined)
      parts.push(`options carried forward from question ${logic.carry_forward.from}`);
    const optionConditions = 'options' in logic ? Object.keys(logic.options ?? {}).length : 0;
    if (optionConditions > 0)
      parts.push(`conditions of ${optionConditions} ${optionConditions === 1 ? 'option' : 'options'}`);
    return parts.length === 0 ? 'none' : parts.join('; ');
  };
}
