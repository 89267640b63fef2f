import { describe, expect, it } from 'vitest';
import type { SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import {
  NO_RESPONDENT_CONTEXT,
  operandOf,
  withoutOptions,
} from '../../../../../src/domain/survey/logic/evaluate-logic.ts';
import { prepareDefinition } from '../../../../../src/domain/survey/logic/prepare-definition.ts';
import { renderSurvey } from '../../../../../src/domain/survey/logic/render-survey.ts';
import { page, pageWith, question, survey } from '../../../../support/survey-builder.ts';

const equals = (code: string, right: string, rowCode?: string) => ({
  left: { type: 'question' as const, code, row_code: rowCode },
  operator: 'equals' as const,
  right,
});
const shownWhen = (condition: object) => ({ settings: { logic: { display: condition } as never } });

const shownOf = (definition: SurveyDefinition, answers: object) => [
  ...renderSurvey(prepareDefinition(definition), answers as never, {
    ...NO_RESPONDENT_CONTEXT,
    seed: 's',
    language: null,
  }).shown,
];

describe('shown questions', () => {
  const definition = survey(
    page(question('single_choice'), question('matrix')),
    pageWith(
      { logic: { display: equals('Q1', '1') } },
      question('text'),
      question('text', shownWhen(equals('Q2', '3', 'r2'))),
    ),
    pageWith({ retired: true }, question('text')),
    page(question('text', shownWhen({ left: { type: 'question', code: 'Q3' }, operator: 'answered' }))),
  );
  const shown = (answers: object) => shownOf(definition, answers);

  it('depend on pages, questions and matrix rows', () => {
    expect(shown({})).toEqual(['Q1', 'Q2']);
    expect(shown({ Q1: '1' })).toEqual(['Q1', 'Q2', 'Q3']);
    expect(shown({ Q1: '1', Q2: { r2: '3' } })).toEqual(['Q1', 'Q2', 'Q3', 'Q4']);
    expect(shown({ Q1: '1', Q2: { r1: '3' } })).toEqual(['Q1', 'Q2', 'Q3']);
    expect(shown({ Q1: '1', Q3: 'x' })).toEqual(['Q1', 'Q2', 'Q3', 'Q6']);
  });

  it('do not depend on the answer of a hidden question', () => {
    expect(shown({ Q1: '2', Q3: 'x' })).toEqual(['Q1', 'Q2']);
  });

  it('treat an unknown question as missing', () => {
    const lost = survey(page(question('text', shownWhen(equals('constructor', 'x')))));
    expect(shownOf(lost, {})).toEqual([]);
  });
});

describe('an answer in a comparison', () => {
  it('has the value of its question type', () => {
    expect(operandOf(question('single_choice'), { value: '9', other: 'x' })).toEqual({
      kind: 'choice',
      values: ['9'],
    });
    expect(operandOf(question('multiple_choice'), ['1', { value: '9', other: 'x' }])).toEqual({
      kind: 'choice',
      values: ['1', '9'],
    });
    expect(operandOf(question('matrix'), { r1: '1', r2: ['2', '3'] })).toEqual({
      kind: 'choice',
      values: ['1', '2', '3'],
    });
    expect(operandOf(question('multiple_choice'), [])).toEqual({ kind: 'choice', values: [] });
    expect(operandOf(question('multiple_choice'), null)).toBeNull();
    expect(operandOf(question('matrix'), { r1: [] }, 'r1')).toEqual({ kind: 'choice', values: [] });
    expect(operandOf(question('matrix'), { r1: [] })).toEqual({ kind: 'choice', values: [] });
    expect(operandOf(question('matrix'), { r1: '1' }, 'r2')).toBeNull();
    expect(operandOf(question('matrix'), { r1: '1' }, 'constructor')).toBeNull();
    expect(operandOf(question('nps'), 9)).toEqual({ kind: 'number', value: 9 });
    expect(operandOf(question('date'), '2024-01-01')).toEqual({ kind: 'date', text: '2024-01-01' });
    expect(operandOf(question('text'), null)).toBeNull();
  });
});

describe('an answer without withheld options', () => {
  const withheld = new Set(['2']);
  it('keeps the remaining options', () => {
    expect(withoutOptions(question('single_choice'), '2', withheld)).toBeNull();
    expect(withoutOptions(question('single_choice'), '1', withheld)).toBe('1');
    expect(withoutOptions(question('ranking'), ['3', '2', '1'], withheld)).toEqual(['3', '1']);
    expect(withoutOptions(question('matrix'), { r1: '2', r2: '1' }, withheld)).toEqual({ r2: '1' });
    expect(withoutOptions(question('matrix'), { r1: ['2'], r2: ['1', '2'] }, withheld)).toEqual({
      r2: ['1'],
    });
    expect(withoutOptions(question('text'), '2', withheld)).toBe('2');
  });

  it('stays empty if nothing was ticked, and is missing if all ticked options are withheld', () => {
    expect(withoutOptions(question('multiple_choice'), [], withheld)).toEqual([]);
    expect(withoutOptions(question('multiple_choice'), ['2'], withheld)).toBeNull();
    expect(withoutOptions(question('matrix'), { r1: [], r2: ['2'] }, withheld)).toEqual({ r1: [] });
  });
});
