import { closeGaps } from '../../lib/close-gaps.ts';
import type { Condition } from '../questions/condition.ts';
import { renameColumns } from '../expressions/parse-expression.ts';
import { isRecord } from '../questions/answers/read-answer.ts';
import { codecFor } from '../questions/registry.ts';
import { translationFor } from '../questions/localize.ts';
import { type Block, blocksAround, type Loop, type LoopItem } from './blocks.ts';
import { authoredId, FIRST_COPY_ID } from './copy-ids.ts';
import { loopedOptions, optionCodes, readLoopedCode } from './loop-codes.ts';
import { previousCode } from './previous-codes.ts';
import { type Option, type Page, type Question, questionsOf, type SurveyDefinition } from './definition.ts';

/** Ids of items stay below 2^53. */
const MAX_ITEM_NUMBER = 2 ** 20;

/** The id of a page, question or block as it is shown for an item; unique, because ids of the database are smaller. */
export const idForItem = (id: number, { number }: LoopItem): number => id + number * FIRST_COPY_ID;

/** The code of a question or block as it is shown for an item: `Q5[A]`. */
export const codeForItem = (code: string, item: Pick<LoopItem, 'code'>): string => `${code}[${item.code}]`;

/** The loop around a page or block; null: none. A loop cannot be within another. */
export const loopAround = (
  blocks: readonly Block[],
  blockId: number | null,
): (Block & { loop: Loop }) | null =>
  (blocksAround(blocks, blockId).find(({ loop }) => loop !== null) as (Block & { loop: Loop }) | undefined) ??
  null;

function optionTranslations(
  question: Question,
  { code }: Option,
  attributes: LoopItem | undefined,
): LoopItem['translations'] {
  const { translations } = question.settings;
  const languages = new Set([
    ...Object.keys(translations ?? {}),
    ...Object.keys(attributes?.translations ?? {}),
  ]);
  return Object.fromEntries(
    [...languages].map((language) => {
      const texts = translationFor(translations, language);
      const labels = isRecord(texts) && isRecord(texts.options) ? texts.options : {};
      const label = labels[String(code)];
      const known = attributes?.translations[language];
      return [language, { ...known, ...(typeof label === 'string' && label !== '' && { label }) }];
    }),
  );
}

/** Returns the items of a loop in their order, those that are not shown any more included. */
export function loopItems(loop: Loop, definition: SurveyDefinition): LoopItem[] {
  if (loop.over === 'listed') return loop.items;
  const question = questionsOf(definition, 'all').find(({ code }) => code === loop.questionCode);
  if (question === undefined) return [];
  const options = loopedOptions(question.options);
  const codeOf = optionCodes(options);
  return options.map((option, index): LoopItem => {
    const code = codeOf(option);
    const own = loop.items.find((item) => item.code === code);
    const isSmall = option.code >= 0 && option.code < MAX_ITEM_NUMBER;
    return {
      code,
      label: option.label,
      attributes: own?.attributes ?? {},
      translations: optionTranslations(question, option, own),
      number: isSmall ? option.code + 1 : MAX_ITEM_NUMBER + 1 + index,
      retired: option.retired,
    };
  });
}

/** When an option is an item for a respondent. */
function optionCondition(loop: Loop, question: Question, option: Option): Condition {
  const left = { type: 'question' as const, code: question.code };
  const isMatch = loop.over === 'chosen' ? ('includes_any' as const) : ('includes_none' as const);
  const chosen: Condition = { left, operator: isMatch, right: [option.value] };
  const { options, carry_forward: carried } = question.settings.logic ?? {};
  const own = options?.[String(option.code)];
  if (loop.over === 'chosen' || (own === undefined && carried === undefined)) return chosen;
  // What was not offered was not left out by the respondent.
  const offered: Condition[] = own === undefined ? [] : [own];
  if (carried !== undefined && carried.mode !== 'shown')
    offered.push({
      left: { type: 'question', code: carried.from },
      operator: carried.mode === 'selected' ? 'includes_any' : 'includes_none',
      right: [option.value],
    });
  return { connector: 'and', conditions: [chosen, ...offered] };
}

function itemCondition({ loop, index, definition }: Copy): Condition | undefined {
  if (loop.over === 'listed') return undefined;
  const question = questionsOf(definition, 'all').find(({ code }) => code === loop.questionCode);
  const option = question === undefined ? undefined : loopedOptions(question.options)[index];
  return question && option && optionCondition(loop, question, option);
}

/** One copy of the contents of a loop. */
interface Copy {
  definition: SurveyDefinition;
  block: Block;
  loop: Loop;
  item: LoopItem;
  /** Of the item among all. */
  index: number;
  /** The codes of all questions of the survey, in lower case. */
  surveyCodes: ReadonlySet<string>;
  /** The codes of the questions and blocks in the loop, and the ids of its pages and questions. */
  contents: {
    questions: ReadonlySet<string>;
    blocks: ReadonlySet<string>;
    ids: ReadonlySet<number>;
    /** Codes of questions with earlier answers for items, such as `previous.Q5[A]`. */
    previous: ReadonlySet<string>;
  };
}

const ITEM_PIPE = /\{\{\s*item\.([^{}|]{1,64}?)\s*(?:\|([^{}|]{0,200}))?\}\}/gu;
const QUESTION_PIPE = /\{\{(\s*)(arm\.|previous\.)?([A-Za-z][A-Za-z0-9_]{0,47})(?=\s*(?:\}\}|\||:code))/gu;

/** Returns the names in the item pipes of a text, or of the texts within a list or an object: `label`, `code` and attributes. */
export function itemPipesIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.includes('{{') ? [...value.matchAll(ITEM_PIPE)].map(([, name = '']) => name) : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(itemPipesIn) : [];
}

function itemText(
  { code, label, attributes, translations }: LoopItem,
  name: string,
  language: string | null,
): string {
  const translated = language === null ? undefined : translations[language];
  if (name === 'code') return code;
  if (name === 'label') return translated?.label ?? label;
  const own = Object.hasOwn(attributes, name) ? attributes[name] : '';
  return (
    (translated?.attributes && Object.hasOwn(translated.attributes, name)
      ? translated.attributes[name]
      : own) ?? ''
  );
}

function fillText(
  text: string,
  { item, contents }: Pick<Copy, 'item' | 'contents'>,
  language: string | null,
): string {
  if (!text.includes('{{')) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const found of text.matchAll(ITEM_PIPE)) {
    const [pipe, name = '', fallback = ''] = found;
    pieces.push(text.slice(end, found.index), itemText(item, name, language) || fallback.trim());
    end = found.index + pipe.length;
  }
  return closeGaps([...pieces, text.slice(end)])
    .join('')
    .replace(QUESTION_PIPE, (pipe, space: string, kind: string | undefined, code: string) => {
      const isInside =
        kind === 'previous.'
          ? hasPrevious(code, { item, contents })
          : (kind === undefined ? contents.questions : contents.blocks).has(code);
      return isInside ? `{{${space}${kind ?? ''}${codeForItem(code, item)}` : pipe;
    });
}

/** Whether the question of the earlier survey was in a loop with this item. */
const hasPrevious = (code: string, { item, contents }: Pick<Copy, 'item' | 'contents'>): boolean =>
  contents.previous.has(previousCode(codeForItem(code, item)));

/** Fills the texts, and turns references within the loop to those of this item, wherever they are. */
function copyValue(value: unknown, copy: Pick<Copy, 'item' | 'contents'>, language: string | null): unknown {
  if (typeof value === 'string') return fillText(value, copy, language);
  if (Array.isArray(value)) return value.map((part) => copyValue(part, copy, language));
  if (!isRecord(value)) return value;
  const { item, contents } = copy;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]): [string, unknown] => {
      if (name === 'translations' && isRecord(part))
        return [
          name,
          Object.fromEntries(Object.entries(part).map(([tag, texts]) => [tag, copyValue(texts, copy, tag)])),
        ];
      if (name === 'left' && isRecord(part)) {
        const { type, code } = part;
        const isInside =
          typeof code === 'string' &&
          (type === 'previous'
            ? hasPrevious(code, copy)
            : type === 'arm'
              ? contents.blocks.has(code)
              : type === 'question' && contents.questions.has(code));
        return [name, isInside ? { ...part, code: codeForItem(code, item) } : part];
      }
      if (name === 'target_id' && typeof part === 'number')
        return [name, contents.ids.has(part) ? idForItem(part, item) : part];
      if (name === 'from' && typeof part === 'string')
        return [name, contents.questions.has(part) ? codeForItem(part, item) : part];
      return [name, copyValue(part, copy, language)];
    }),
  );
}

function copyQuestion(question: Question, copy: Copy): Question {
  const { item } = copy;
  const filled = copyValue(question, copy, null) as Question;
  const named = question.settings.report_label ?? question.text;
  return {
    ...filled,
    id: idForItem(question.id, item),
    pageId: idForItem(question.pageId, item),
    code: codeForItem(question.code, item),
    settings: {
      ...filled.settings,
      ...('expression' in filled.settings && {
        expression: copyExpression(filled.settings.expression, copy),
      }),
      // The variable of an imported file cannot be that of several columns.
      variable: undefined,
      // Columns must differ by more than their codes.
      report_label:
        itemPipesIn(named).length > 0 || !codecFor(question).takesAnswers
          ? filled.settings.report_label
          : `${fillText(named, copy, null)} – ${item.label}`,
    },
    retired: question.retired || item.retired,
    // The settings are those of the question's own type, which the compiler cannot follow over the union.
  } as unknown as Question;
}

/** Names the columns of this item: of `Q5`, also `Q5_1`, unless that is another question. */
function copyExpression(expression: string, { surveyCodes, contents, item }: Copy): string {
  const arms = [...contents.blocks].map((code) => `arm.${code}`);
  const ownItem = `[${item.code}]`;
  const previous = [...contents.previous].flatMap((code) =>
    code.endsWith(ownItem) ? [code.slice(0, -ownItem.length)] : [],
  );
  const codes = [...contents.questions, ...arms, ...previous].sort((a, b) => b.length - a.length);
  return renameColumns(expression, (name) => {
    const folded = name.toLowerCase();
    const found = codes.find((code) => {
      const own = code.toLowerCase();
      return folded === own || (folded.startsWith(`${own}_`) && !surveyCodes.has(folded));
    });
    return found === undefined ? name : `${codeForItem(found, item)}${name.slice(found.length)}`;
  });
}

function copyPage(page: Page, copy: Copy): Page {
  const { item } = copy;
  const { title, description, logic } = copyValue(
    { title: page.title, description: page.description, logic: page.logic },
    copy,
    null,
  ) as Page;
  return {
    ...page,
    title,
    description,
    logic,
    id: idForItem(page.id, item),
    blockId: page.blockId === null ? null : idForItem(page.blockId, item),
    questions: page.questions.map((question) => copyQuestion(question, copy)),
    retired: page.retired || item.retired,
  };
}

/** A block within the loop, or the block of the loop itself: then the part of it that one item sees. */
function copyBlock(block: Block, copy: Copy): Block {
  const { item } = copy;
  const isLoop = block.id === copy.block.id;
  const display = isLoop ? itemCondition(copy) : undefined;
  return {
    ...block,
    id: idForItem(block.id, item),
    code: codeForItem(block.code, item),
    title: isLoop ? item.label : block.title,
    parentId: isLoop ? block.id : block.parentId === null ? null : idForItem(block.parentId, item),
    arm: isLoop ? null : block.arm,
    arms: isLoop ? [] : block.arms,
    assignment: isLoop ? (copy.loop.order === 'least_filled' ? 'least_filled' : 'random') : block.assignment,
    logic: isLoop
      ? display === undefined
        ? null
        : { display }
      : (copyValue(block.logic, copy, null) as Block['logic']),
    loop: null,
    ...(isLoop && { item }),
    retired: block.retired || item.retired,
  };
}

/** Questions that the loops of a survey can have, those of each item counted. */
const MAX_LOOPED_QUESTIONS = 2_000;
/** Characters of them as JSON. */
const MAX_LOOPED_CHARACTERS = 10_000_000;

/** Returns why the loops of a survey are too large to be written out; null: they are not. */
export function loopSizeProblem(definition: SurveyDefinition): string | null {
  let questions = 0;
  let characters = 0;
  for (const block of definition.blocks) {
    if (block.loop === null) continue;
    const pages = definition.pages.filter(
      (page) => loopAround(definition.blocks, page.blockId)?.id === block.id,
    );
    const items = loopItems(block.loop, definition);
    const text = JSON.stringify(pages);
    const longest = Math.max(0, ...items.map((item) => JSON.stringify(item).length));
    questions += items.length * pages.reduce((sum, page) => sum + page.questions.length, 0);
    characters += items.length * (text.length + itemPipesIn(text).length * longest);
  }
  if (questions > MAX_LOOPED_QUESTIONS)
    return `the loops would have ${questions} questions, those of each item counted; at most ${MAX_LOOPED_QUESTIONS} are allowed`;
  return characters > MAX_LOOPED_CHARACTERS
    ? `the texts of the loops, with those of each item, would have more than ${MAX_LOOPED_CHARACTERS} characters`
    : null;
}

/**
 * Returns the definition in which each loop is a block with one block for each of its items, which contains copies of the pages, questions
 * and blocks of the loop. Codes of copies name the item (`Q5[A]`), and references within the loop lead to the copies of the same item. Whatever
 * collects or shows data works with this form; authors work with the other. The same object if there is no loop, or if the loops are too large: no
 * such survey can be published.
 */
export function expandLoops(definition: SurveyDefinition): SurveyDefinition {
  const { blocks, pages } = definition;
  const loops = blocks.filter((block): block is Block & { loop: Loop } => block.loop !== null);
  if (loops.length === 0 || loopSizeProblem(definition) !== null) return definition;
  const copies = new Map(loops.map((block) => [block.id, copiesOf(block, definition)]));
  const copiesAround = (blockId: number | null) => {
    const around = loopAround(blocks, blockId);
    return around === null ? null : { around, copies: copies.get(around.id) ?? [] };
  };
  const expandedPages = pages.flatMap((page) => (copiesAround(page.blockId) === null ? [page] : []));
  // The pages of a loop stand where its first page stood.
  for (const block of loops) {
    const own = pages.filter((page) => copiesAround(page.blockId)?.around === block);
    const [first] = own;
    if (first === undefined) continue;
    const before = pages.slice(0, pages.indexOf(first)).map(({ id }) => id);
    const place = expandedPages.findLastIndex(({ id }) => before.includes(authoredId(id))) + 1;
    const copied = (copies.get(block.id) ?? []).flatMap((copy) => own.map((page) => copyPage(page, copy)));
    expandedPages.splice(place, 0, ...copied);
  }
  return {
    ...definition,
    pages: expandedPages,
    blocks: blocks.flatMap((block) => {
      if (block.loop !== null && loopAround(blocks, block.parentId) === null)
        return [
          {
            ...block,
            loop: null,
            repeats: { max: block.loop.max, order: block.loop.order },
            arrangement: arrangementOf(block.loop),
          },
          ...(copies.get(block.id) ?? []).map((copy) => copyBlock(block, copy)),
        ];
      const within = copiesAround(block.parentId);
      return within === null ? [block] : within.copies.map((copy) => copyBlock(block, copy));
    }),
  };
}

const arrangementOf = ({ order }: Loop): Block['arrangement'] =>
  order === 'fixed' ? null : { order: 'random', pinned: [], show: null };

function copiesOf(block: Block & { loop: Loop }, definition: SurveyDefinition): Copy[] {
  const { blocks } = definition;
  const pages = definition.pages.filter((page) => loopAround(blocks, page.blockId)?.id === block.id);
  const questions = pages.flatMap((page) => page.questions);
  const inner = blocks.filter(({ parentId }) => loopAround(blocks, parentId)?.id === block.id);
  const contents: Copy['contents'] = {
    questions: new Set(questions.map(({ code }) => code)),
    blocks: new Set(inner.map(({ code }) => code)),
    ids: new Set([...pages, ...questions].map(({ id }) => id)),
    previous: previousCodes(definition),
  };
  const surveyCodes = new Set(questionsOf(definition, 'all').map(({ code }) => code.toLowerCase()));
  return loopItems(block.loop, definition).map((item, index) => ({
    definition,
    surveyCodes,
    block,
    loop: block.loop,
    item,
    index,
    contents,
  }));
}

/**
 * Returns translations of the survey (survey_settings.translations) with those of the pages that loops repeat.
 *
 * @param expanded a definition of expandLoops
 */
export function expandPageTranslations<T>(translations: T, definition: SurveyDefinition): T {
  const { blocks, pages } = definition;
  if (!isRecord(translations)) return translations;
  const repeated = pages.flatMap((page) => {
    const around = blocksAround(blocks, page.blockId);
    const itemBlock = around.find(({ item }) => item !== undefined);
    return itemBlock?.item === undefined
      ? []
      : [{ page, copy: { item: itemBlock.item, contents: contentsOf(itemBlock, definition) } }];
  });
  if (repeated.length === 0) return translations;
  const expand = (texts: unknown, language: string): unknown => {
    if (!isRecord(texts) || !isRecord(texts.pages)) return texts;
    const own = texts.pages;
    const added = repeated.flatMap(({ page, copy }): [string, unknown][] => {
      const authored = String(authoredId(page.id));
      return Object.hasOwn(own, authored)
        ? [[String(page.id), copyValue(own[authored], copy, language)]]
        : [];
    });
    return { ...texts, pages: { ...own, ...Object.fromEntries(added) } };
  };
  return Object.fromEntries(
    Object.entries(translations).map(([language, texts]) => [language, expand(texts, language)]),
  ) as T;
}

const previousCodes = ({ previous }: SurveyDefinition): ReadonlySet<string> =>
  new Set((previous?.questions ?? []).map(({ code }) => code));

/** The authored codes and ids of what an expanded definition shows for an item. */
function contentsOf(itemBlock: Block, definition: SurveyDefinition): Copy['contents'] {
  const { blocks, pages } = definition;
  const isWithin = (id: number | null) => blocksAround(blocks, id).includes(itemBlock);
  const authoredCode = ({ code }: { code: string }) => readLoopedCode(code)?.authored ?? code;
  const questions = pages.filter(({ blockId }) => isWithin(blockId)).flatMap((page) => page.questions);
  return {
    questions: new Set(questions.map(authoredCode)),
    blocks: new Set(blocks.filter((block) => block !== itemBlock && isWithin(block.id)).map(authoredCode)),
    ids: new Set(),
    previous: previousCodes(definition),
  };
}
