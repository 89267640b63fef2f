import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cellCodecFor, codecFor, QUESTION_TYPES, typeOf } from '../../src/domain/questions/registry.ts';
import { findDecisionsByName } from '../support/decisions-by-name.ts';
import { EVERY_TYPE } from '../support/questions.ts';

const REGISTRY = 'src/domain/questions/registry.ts';
const MODULES = 'src/domain/questions/types/';
const FIELDS = 'src/web/respondent/client/fields/';
/** Guesses the types of the questions in a text that an author pastes. */
const TEXT_READER = 'src/web/studio/client/surveys/paste/';
/** What the studio knows of each type, without the schemas of the modules, which need a library that is too large for the page. */
const STUDIO_TYPES = 'src/web/studio/client/question-types/';

/** Names that mean nothing but a question type; `text`, `scale` or `ranking` are names of other things too. */
const isUnmistakable = (name: string): boolean => name.includes('_') || /^(dropdown|slider)$/.test(name);

const QUOTED_NAME = new RegExp(`'(${QUESTION_TYPES.join('|')})'`);

const decisionsByName = (file: string, text: string): string[] =>
  findDecisionsByName(file, text, {
    names: QUESTION_TYPES,
    mayDecide: (text) => /QuestionType/.test(text) || QUOTED_NAME.test(text),
    isUnmistakable,
    isMember: (member, owner) =>
      member === 'question_type' ||
      member === 'questionType' ||
      (member === 'type' && /question\)?$/i.test(owner)),
    typeNames: /^QuestionType\b/,
    forbidsLookups: false,
  });

const sourceFiles = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) =>
  path.join('src', file),
);

describe('the question type', () => {
  it('is compared in its modules and the registries only', { timeout: 120_000 }, () => {
    const files = sourceFiles.filter(
      (file) =>
        /\.tsx?$/.test(file) &&
        file !== REGISTRY &&
        ![MODULES, FIELDS, STUDIO_TYPES, TEXT_READER].some((folder) => file.startsWith(folder)),
    );
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => decisionsByName(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('is compared by no field of another type', () => {
    const files = sourceFiles.filter((file) => /\.tsx?$/.test(file) && file.startsWith(FIELDS));
    const comparisons = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\.type\s*[!=]==|switch \(\S*type\)/g)].map(
        ([code]) => `${file}: ${code}`,
      ),
    );
    expect(files.length).toBeGreaterThan(8);
    expect(comparisons).toEqual([]);
  });

  it.each([
    "if (question.type === 'text') read();",
    "if (view.question.type !== 'matrix') return;",
    "const { type } = question; if (type === 'nps') draw();",
    "function size({ type }: Question) { return type === 'text' ? 12 : 6; }",
    "switch (question.type) { case 'number': read(); }",
    "switch (row.question_type) { case 'number': read(); }",
    "if (['scale', 'nps'].includes(question.type)) draw();",
    "const drawn = new Set(['text', 'date']).has(row.question_type);",
    'const NAMES: Record<QuestionType, string> = names;',
    "if (kind === 'multiple_choice') draw();",
    "const TYPES = ['slider'];",
  ])('is found to be compared in `%s`', (code) => {
    expect(decisionsByName('sample.ts', code)).not.toEqual([]);
  });

  it.each([
    "const body = { question_type: 'single_choice', question_text };",
    "if (column.type === 'text') read();",
    "if (spec.measure === 'scale') read();",
    'if (before.type !== question.type) save();',
    'const { answers } = typeOf(question);',
  ])('is not found to be compared in `%s`', (code) => {
    expect(decisionsByName('sample.ts', code)).toEqual([]);
  });
});

/** Lists that the compiler does not check: files that must name every type, and how. */
const LISTS: readonly [file: string, mention: (type: string) => string][] = [
  ['test/unit/domain/questions/round-trip.test.ts', (type) => `question('${type}'`],
  ['test/support/all-features-survey.ts', (type) => `'${type}'`],
  ['test/unit/domain/dataset/survey-fixture.ts', (type) => `'${type}'`],
  ['docs/reference/question-types.md', (type) => `\n| \`${type}\` `],
];

describe('every question type', () => {
  it.each(QUESTION_TYPES)('%s has a field of its own on the respondent page', async (type) => {
    // The page has another TypeScript configuration, so its types are not imported.
    const { fieldOf, loadFields } = (await import(path.resolve(FIELDS, 'registry.ts'))) as {
      loadFields: (definition: unknown) => Promise<void>;
      fieldOf: (question: { type: string }) => { Field: unknown } | undefined;
    };
    const settings = { no_answers: [] };
    const questions = QUESTION_TYPES.map((each) => ({ type: each, retired: false, options: [], settings }));
    await loadFields({ pages: [{ retired: false, questions }] });
    const fields = QUESTION_TYPES.map((other) => fieldOf({ type: other }));
    expect(fieldOf({ type })?.Field).toBeTypeOf('function');
    expect(fields.filter((field) => field === fieldOf({ type }))).toHaveLength(1);
  });

  it.each(QUESTION_TYPES)('%s has the same answers in both tables of the registry', (type) => {
    expect(codecFor({ type })).toBe(typeOf({ type }).answers);
    expect(cellCodecFor({ type })).toBe(typeOf({ type }).cells);
  });

  it('has an example with its own code', () => {
    const codes = QUESTION_TYPES.map((type) => typeOf({ type }).example.question_code);
    expect(codes.toSorted(byNumber)).toEqual(codes.map((_, index) => `Q${index + 1}`));
  });

  it('is in the questions that tests of all types use', () => {
    const types = EVERY_TYPE.map(({ question_type }) => question_type);
    expect(types.toSorted()).toEqual([...QUESTION_TYPES].toSorted());
  });

  it.each(LISTS)('is in %s', (file, mention) => {
    const text = readFileSync(file, 'utf8');
    expect(QUESTION_TYPES.filter((type) => !text.includes(mention(type)))).toEqual([]);
  });
});

const byNumber = (one: string, other: string): number => Number(one.slice(1)) - Number(other.slice(1));
