import { describe, expect, it } from 'vitest';
import {
  type RespondentContext,
  NO_RESPONDENT_CONTEXT,
} from '../../../../../src/domain/survey/logic/evaluate-logic.ts';
import { pickReferencedProfile } from '../../../../../src/domain/survey/logic/referenced-values.ts';
import { conditionSchema } from '../../../../../src/domain/questions/logic-schema.ts';
import { findPipes } from '../../../../../src/domain/survey/logic/piping.ts';
import { prepareDefinition } from '../../../../../src/domain/survey/logic/prepare-definition.ts';
import { validateAnswers } from '../../../../../src/domain/survey/validate-answers.ts';
import { page, question, survey } from '../../../../support/survey-builder.ts';
import { renderAnswers } from '../../../../support/render-answers.ts';

const attribute = (code: string, operator: string, right?: unknown) =>
  ({ left: { type: 'attribute', code }, operator, right }) as never;
const shownWhen = (condition: never) => ({ settings: { logic: { display: condition } as never } });
const ana: RespondentContext = {
  ...NO_RESPONDENT_CONTEXT,
  respondent: { name: 'Ana', attributes: { city: 'Porto', age: 42, member: true, empty: '' } },
};

describe('respondent context', () => {
  it.each([
    ['a text, ignoring case', attribute('city', 'equals', 'porto'), true],
    ['another text', attribute('city', 'equals', 'Lisbon'), false],
    ['a number', attribute('age', 'gte', 42), true],
    ['a number given as text', attribute('age', 'between', ['40', '50']), true],
    ['true or false', attribute('member', 'equals', true), true],
    ['one of several values', attribute('city', 'in', ['Faro', 'Porto']), true],
    ['a missing attribute', attribute('region', 'not_equals', 'north'), false],
    ['the absence of an attribute', attribute('region', 'not_answered'), true],
    ['an empty attribute', attribute('empty', 'answered'), false],
    ['a name inherited from Object.prototype', attribute('toString', 'answered'), false],
  ])('controls what is shown: %s', (_what, condition, isShown) => {
    const definition = survey(page(question('text', shownWhen(condition))), page(question('text')));
    expect(renderAnswers(definition, {}, ana).shown.has('Q1')).toBe(isShown);
    const answers = { Q1: 'x', Q2: 'y' };
    const judged = validateAnswers(prepareDefinition(definition), answers, {
      mode: 'complete',
      context: ana,
    });
    expect(judged).toMatchObject({ ok: true, answers: isShown ? answers : { Q2: 'y' } });
  });

  it('returns no attributes for an unknown respondent', () => {
    const definition = survey(page(question('text', shownWhen(attribute('city', 'not_equals', 'x')))));
    expect(renderAnswers(definition, {}, NO_RESPONDENT_CONTEXT).shown.size).toBe(0);
  });

  it('fills texts as plain text, and inserts nothing for a missing value', () => {
    const text = 'Hello {{ respondent.name }} of {{attribute.city}}, {{attribute.age}}{{attribute.region}}!';
    const definition = survey(page(question('text', { text })));
    const renderText = (background: RespondentContext) =>
      renderAnswers(definition, {}, background).pages[0]!.questions[0]!.text;
    expect(renderText(ana)).toBe('Hello Ana of Porto, 42!');
    expect(renderText(NO_RESPONDENT_CONTEXT)).toBe('Hello of,!');
    const sly = { ...ana, respondent: { name: '{{attribute.city}}', attributes: { city: 'Porto' } } };
    expect(renderText(sly)).toBe('Hello {{attribute.city}} of Porto,!');
  });

  it.each(['{{attribute.Größe in cm}}', '{{attribute.a-b.c}}', '{{ attribute.x }}'])(
    'is referenced by %s',
    (pipe) => {
      expect(findPipes(pipe)).toEqual([
        { kind: 'attribute', name: pipe.replace(/^\{\{\s*attribute\.|\s*\}\}$/g, '') },
      ]);
    },
  );

  it.each(['{{attribute.}}', '{{attribute. x}}', '{{attribute.x.}}', '{{respondent.email}}', '{{attribute}'])(
    'is not referenced by %s',
    (text) => expect(findPipes(text).filter(({ kind }) => kind !== 'question')).toEqual([]),
  );

  it('sends only referenced values to the browser', () => {
    const facts = ana.respondent!;
    const pages = [
      question('text', { text: 'Do you like {{attribute.city}}?' }),
      question('text', shownWhen({ connector: 'or', conditions: [attribute('age', 'gt', 1)] } as never)),
    ];
    expect(pickReferencedProfile(facts, pages)).toEqual({
      name: null,
      attributes: { city: 'Porto', age: 42 },
    });
    expect(pickReferencedProfile(facts, ['{{respondent.name}}'])).toEqual({ name: 'Ana', attributes: {} });
  });

  it.each([
    [{ type: 'attribute', code: 'constructor' }, ['left', 'code']],
    [{ type: 'attribute', code: 'a{b' }, ['left', 'code']],
    [{ type: 'attribute', code: 'city', row_code: 'r1' }, ['left', 'row_code']],
  ])('rejects an invalid left operand: %j', (left, path) => {
    const read = conditionSchema.safeParse({ left, operator: 'answered' });
    expect(JSON.stringify(read.error?.issues)).toContain(JSON.stringify(path.at(-1)));
    expect(read.success).toBe(false);
  });
});
