import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SurveyDefinition } from '../../../../src/domain/survey/definition.ts';
import type { Skip } from '../../../../src/domain/questions/logic-schema.ts';
import { shuffleItems } from '../../../../src/domain/survey/logic/random-order.ts';
import { pageWith, question, survey } from '../../../support/survey-builder.ts';
import { equals, pagesOf, renderAnswers } from '../../../support/render-answers.ts';

const PAGES = 5;
const PER_PAGE = 3;
const anyPosition = fc.integer({ min: 1, max: PAGES * PER_PAGE });
const condition = fc
  .tuple(anyPosition, fc.constantFrom('1', '2'))
  .map(([number, value]) => equals(`Q${number}`, value));
const skip = fc
  .record({
    when: condition,
    action: fc.constantFrom('jump_to_page', 'jump_to_question', 'end_survey', 'screen_out'),
    target: anyPosition,
  })
  .map(({ when, action, target }): Skip => ({
    when,
    action: action,
    target_id: action === 'jump_to_page' ? 1 + (target % PAGES) : 100 + target,
  }));
const logicOf = fc.record({
  display: fc.option(condition, { nil: undefined }),
  skip: fc.array(skip, { maxLength: 2 }),
});

/** Whatever logic there can be: forward, back, in circles. */
const anySurvey = fc
  .tuple(
    fc.array(logicOf, { minLength: PAGES, maxLength: PAGES }),
    fc.array(fc.record({ logic: logicOf, hidden: fc.nat({ max: 9 }) }), {
      minLength: PAGES * PER_PAGE,
      maxLength: PAGES * PER_PAGE,
    }),
  )
  .map(([pages, questions]): SurveyDefinition =>
    survey(
      ...pages.map((logic, index) =>
        pageWith(
          { logic },
          ...questions.slice(index * PER_PAGE, (index + 1) * PER_PAGE).map((one) =>
            question('single_choice', {
              settings: { logic: one.logic, hidden: one.hidden === 0 },
            }),
          ),
        ),
      ),
    ),
  );
const anyAnswers = fc
  .array(fc.option(fc.constantFrom('1', '2', '3')), {
    minLength: PAGES * PER_PAGE,
    maxLength: PAGES * PER_PAGE,
  })
  .map((values) => Object.fromEntries(values.map((value, index) => [`Q${index + 1}`, value])));

describe('for any logic and answers', () => {
  it('pages come in order, at most once, and with at least one question', () => {
    fc.assert(
      fc.property(anySurvey, anyAnswers, (definition, answers) => {
        const { pages, end } = renderAnswers(definition, answers);
        const ids = pages.map(({ page }) => page.id);
        expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
        expect(pages.every(({ questions }) => questions.length > 0)).toBe(true);
        if (end !== null) expect(end.afterPageId).toBe(ids.at(-1));
      }),
    );
  });

  it('answers to hidden questions change nothing', () => {
    fc.assert(
      fc.property(anySurvey, anyAnswers, anyAnswers, (definition, answers, others) => {
        const walk = renderAnswers(definition, answers);
        const isHidden = (code: string) =>
          definition.pages.some(({ questions }) =>
            questions.some((entry) => entry.code === code && entry.settings.hidden),
          );
        const mixed = Object.fromEntries(
          Object.entries(answers).map(([code, answer]) =>
            walk.shown.has(code) || isHidden(code) ? [code, answer] : [code, others[code]],
          ),
        );
        expect(pagesOf(renderAnswers(definition, mixed))).toEqual(pagesOf(walk));
      }),
    );
  });

  it('the shown path depends only on earlier answers', () => {
    fc.assert(
      fc.property(anySurvey, anyAnswers, anyAnswers, (definition, answers, others) => {
        const walk = renderAnswers(definition, answers);
        const second = walk.pages[1];
        if (second === undefined) return;
        const later = new Set(
          definition.pages
            .filter(({ id }) => id >= second.page.id)
            .flatMap(({ questions }) =>
              questions.filter((entry) => !entry.settings.hidden).map(({ code }) => code),
            ),
        );
        const mixed = Object.fromEntries(
          Object.entries(answers).map(([code, answer]) => [code, later.has(code) ? others[code] : answer]),
        );
        expect(pagesOf(renderAnswers(definition, mixed))[0]).toBe(pagesOf(walk)[0]);
        expect(renderAnswers(definition, mixed).pages[1]?.page.id).toBe(second.page.id);
      }),
    );
  });
});

describe('a randomized list', () => {
  const items = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 12 });
  const mode = fc.constantFrom('random', 'rotate', 'reverse');

  it('keeps its items, in the same order for the same seed, with anchored ones in place', () => {
    fc.assert(
      fc.property(items, mode, fc.string(), fc.func(fc.boolean()), (list, how, seed, isAnchored) => {
        const order = shuffleItems(list, { mode: how, seed, isAnchored });
        expect([...order].sort()).toEqual([...list].sort());
        expect(shuffleItems(list, { mode: how, seed, isAnchored })).toEqual(order);
        list.forEach((item, index) => isAnchored(item) && expect(order[index]).toBe(item));
      }),
    );
  });

  const orders = (how: 'random' | 'rotate' | 'reverse', list: number[]) =>
    Array.from({ length: 6000 }, (_, person) =>
      shuffleItems(list, { mode: how, seed: `person-${person} Q1` }).join(''),
    );
  const counts = (texts: string[]) => {
    const found = new Map<string, number>();
    for (const text of texts) found.set(text, (found.get(text) ?? 0) + 1);
    return found;
  };

  it('random: gives every order with equal probability', () => {
    const found = counts(orders('random', [1, 2, 3]));
    expect(found.size).toBe(6);
    // 1,000 are expected of each; the standard deviation is 29.
    for (const count of found.values()) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  it('rotate: gives every start with equal probability; reverse: reverses for half of them', () => {
    const rotated = counts(orders('rotate', [1, 2, 3]));
    expect([...rotated.keys()].sort()).toEqual(['123', '231', '312']);
    for (const count of rotated.values()) expect(Math.abs(count - 2000)).toBeLessThan(170);
    const reversed = counts(orders('reverse', [1, 2, 3]));
    expect([...reversed.keys()].sort()).toEqual(['123', '321']);
    expect(Math.abs(reversed.get('123')! - 3000)).toBeLessThan(180);
  });

  it('differs between questions of one respondent', () => {
    const list = Array.from({ length: 10 }, (_, index) => index);
    expect(shuffleItems(list, { mode: 'random', seed: 'a Q1' })).not.toEqual(
      shuffleItems(list, { mode: 'random', seed: 'a Q2' }),
    );
  });
});
