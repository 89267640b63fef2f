import { describe, expect, it } from 'vitest';
import type { Arrangement, Block } from '../../../../../src/domain/survey/blocks.ts';
import { leastFilledArm, randomArm } from '../../../../../src/domain/survey/blocks.ts';
import type { SurveyDefinition } from '../../../../../src/domain/survey/definition.ts';
import { NO_RESPONDENT_CONTEXT } from '../../../../../src/domain/survey/logic/evaluate-logic.ts';
import { presentationOf } from '../../../../../src/domain/survey/logic/presentation.ts';
import { prepareDefinition } from '../../../../../src/domain/survey/logic/prepare-definition.ts';
import { draftPath } from '../../../../../src/domain/survey/validate-answers.ts';
import { page, question, survey } from '../../../../support/survey-builder.ts';
import { pagesOf, renderAnswers } from '../../../../support/render-answers.ts';

const PEOPLE = 10_000;
const arrangement = (fields: Partial<Arrangement>): Arrangement => ({
  order: 'fixed',
  pinned: [],
  show: null,
  ...fields,
});
const block = (id: number, fields: Partial<Block> = {}): Block => ({
  id,
  code: `BLOCK${id}`,
  title: null,
  parentId: null,
  arm: null,
  arrangement: null,
  arms: [],
  assignment: 'random',
  logic: null,
  loop: null,
  retired: false,
  ...fields,
});
const arm = (code: string, share = 1) => ({ code, label: `Arm ${code}`, share, retired: false });

/** A survey of pages 1, 2 … with a question each; `within`: the ids of the blocks of the pages. */
function pages(blocks: Block[], within: (number | null)[]): SurveyDefinition {
  const definition = survey(...within.map(() => page(question('single_choice', { options: ['1', '2'] }))));
  within.forEach((blockId, index) => (definition.pages[index]!.blockId = blockId));
  return { ...definition, blocks };
}

const orderOf = (definition: SurveyDefinition, seed: string): string =>
  renderAnswers(definition, {}, { seed })
    .pages.map((view) => view.page.id)
    .join(' ');

/** Counts what 10,000 people with their own seeds get. */
function counts(valueOf: (seed: string) => string): Map<string, number> {
  const found = new Map<string, number>();
  for (let person = 0; person < PEOPLE; person++) {
    const value = valueOf(`person-${person}`);
    found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}

/** Pearson's chi-square of the counts against these shares: R's chisq.test(counts, p = shares)$statistic. */
function chiSquare(found: ReadonlyMap<string, number>, shares: Readonly<Record<string, number>>): number {
  expect([...found.keys()].sort()).toEqual(Object.keys(shares).sort());
  return Object.entries(shares).reduce((sum, [value, share]) => {
    const expected = PEOPLE * share;
    return sum + ((found.get(value) ?? 0) - expected) ** 2 / expected;
  }, 0);
}
const equally = (values: readonly string[]) =>
  Object.fromEntries(values.map((value) => [value, 1 / values.length]));
/** R: qchisq(0.999, df). The seeds are fixed, so the tests always give the same result. */
const LIMITS: Readonly<Record<number, number>> = {
  1: 10.83,
  2: 13.82,
  3: 16.27,
  5: 20.52,
  9: 27.88,
  23: 49.73,
};
const expectUniform = (found: ReadonlyMap<string, number>, shares: Readonly<Record<string, number>>) =>
  expect(chiSquare(found, shares)).toBeLessThan(LIMITS[Object.keys(shares).length - 1]!);

const permutations = (items: readonly string[]): string[][] =>
  items.length <= 1
    ? [[...items]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );

describe('the order of the parts of a survey', () => {
  it('is every order equally often', () => {
    const definition = pages([block(1, { arrangement: arrangement({ order: 'random' }) })], [1, 1, 1, 1]);
    const orders = permutations(['1', '2', '3', '4']).map((order) => order.join(' '));
    expectUniform(
      counts((seed) => orderOf(definition, seed)),
      equally(orders),
    );
  });

  it('keeps pinned places, and rotates from every start', () => {
    const pinned = pages(
      [block(1, { arrangement: arrangement({ order: 'random', pinned: [1, 4] }) })],
      [1, 1, 1, 1],
    );
    expectUniform(
      counts((seed) => orderOf(pinned, seed)),
      equally(['1 2 3 4', '1 3 2 4']),
    );
    const rotated = pages([block(1, { arrangement: arrangement({ order: 'rotate' }) })], [1, 1, 1]);
    expectUniform(
      counts((seed) => orderOf(rotated, seed)),
      equally(['1 2 3', '2 3 1', '3 1 2']),
    );
  });

  it('shows every selection equally often, and pinned parts always', () => {
    const definition = pages([block(1, { arrangement: arrangement({ show: 2 }) })], [1, 1, 1, 1]);
    expectUniform(
      counts((seed) => orderOf(definition, seed)),
      equally(['1 2', '1 3', '1 4', '2 3', '2 4', '3 4']),
    );
    const pinned = pages([block(1, { arrangement: arrangement({ show: 2, pinned: [4] }) })], [1, 1, 1, 1]);
    expectUniform(
      counts((seed) => orderOf(pinned, seed)),
      equally(['1 4', '2 4', '3 4']),
    );
  });

  it('is independent of the order in other blocks', () => {
    const random = arrangement({ order: 'random' });
    const definition = pages(
      [block(1, { arrangement: random }), block(2, { arrangement: random })],
      [1, 1, null, 2, 2],
    );
    expectUniform(
      counts((seed) => orderOf(definition, seed)),
      equally(['1 2 3 4 5', '2 1 3 4 5', '1 2 3 5 4', '2 1 3 5 4']),
    );
  });

  it('moves blocks as a whole, with the order within them', () => {
    const definition = pages(
      [
        block(1, { arrangement: arrangement({ order: 'random' }) }),
        block(2, { parentId: 1, arrangement: arrangement({ order: 'random' }) }),
      ],
      [1, 2, 2],
    );
    expectUniform(
      counts((seed) => orderOf(definition, seed)),
      equally(['1 2 3', '1 3 2', '2 3 1', '3 2 1']),
    );
  });

  it('applies to the survey, and to the questions of a page', () => {
    const definition = survey(
      page(question('text'), question('text'), question('text')),
      page(question('text')),
    );
    definition.arrangement = arrangement({ order: 'random' });
    definition.pages[0]!.arrangement = arrangement({ order: 'random', show: 2, pinned: [3] });
    const found = counts((seed) => pagesOf(renderAnswers(definition, {}, { seed })).join(' '));
    expectUniform(found, equally(['1: Q1 Q3 2: Q4', '1: Q2 Q3 2: Q4', '2: Q4 1: Q1 Q3', '2: Q4 1: Q2 Q3']));
  });

  it('is the same for the same seed, and the stored one without a seed', () => {
    const definition = pages([block(1, { arrangement: arrangement({ order: 'random' }) })], [1, 1, 1, 1]);
    expect(orderOf(definition, 'Ana')).toBe(orderOf(definition, 'Ana'));
    const path = draftPath(prepareDefinition(definition), {}, NO_RESPONDENT_CONTEXT);
    expect(path.pages.map((each) => each.page.id)).toEqual([1, 2, 3, 4]);
    const answered = draftPath(
      prepareDefinition({
        ...definition,
        blocks: [block(1, { arrangement: arrangement({ order: 'random', show: 2 }) })],
      }),
      { Q2: '1', Q4: '1' },
      NO_RESPONDENT_CONTEXT,
    );
    expect([...answered.shown]).toEqual(['Q2', 'Q4']);
  });
});

describe('arms', () => {
  const arms = [arm('A'), arm('B', 2), { ...arm('C'), retired: true }];

  it('are assigned in proportion to their shares, and independently in each block', () => {
    expectUniform(
      counts((seed) => randomArm(block(1, { arms }), seed) ?? ''),
      { A: 1 / 3, B: 2 / 3 },
    );
    const two = [block(1, { arms }), block(2, { arms })];
    expectUniform(
      counts((seed) => two.map((each) => randomArm(each, seed)).join(' ')),
      { 'A A': 1 / 9, 'A B': 2 / 9, 'B A': 2 / 9, 'B B': 4 / 9 },
    );
  });

  it('decide which pages are shown, and conditions and texts know them', () => {
    const definition = pages([block(1, { arms })], [1, 1, null]);
    definition.pages[0]!.arm = 'A';
    definition.pages[1]!.arm = 'B';
    const last = definition.pages[2]!.questions[0]!;
    last.text = 'You saw {{arm.BLOCK1}}.';
    for (let person = 0; person < 20; person++) {
      const seed = `person-${person}`;
      const assigned = randomArm(definition.blocks[0]!, seed);
      const view = renderAnswers(definition, {}, { seed });
      expect(view.pages.map((each) => each.page.id)).toEqual([assigned === 'A' ? 1 : 2, 3]);
      expect(view.pages[1]!.questions[0]!.text).toBe(`You saw Arm ${assigned}.`);
      const conditional = structuredClone(definition);
      conditional.pages[2]!.logic = {
        display: { left: { type: 'arm', code: 'BLOCK1' }, operator: 'equals', right: 'A' },
      };
      expect(renderAnswers(conditional, {}, { seed }).pages).toHaveLength(assigned === 'A' ? 2 : 1);
    }
  });

  it('that fill evenly are awaited, and go to the arm with the fewest for its share', () => {
    const fills = block(1, { arms, assignment: 'least_filled' });
    const definition = pages([fills], [null, 1, null]);
    const waiting = renderAnswers(definition, {}, { awaitsArms: true });
    expect([waiting.pages.length, waiting.awaitsArm]).toEqual([1, true]);
    const known = renderAnswers(definition, {}, { awaitsArms: true, arms: { 1: 'A' } });
    expect([known.pages.length, known.awaitsArm]).toEqual([3, false]);
    const assigned = new Map<string, number>();
    for (let person = 1; person <= 300; person++) {
      const code = leastFilledArm(fills, assigned, `person-${person}`)!;
      assigned.set(code, (assigned.get(code) ?? 0) + 1);
      expect(Math.abs((assigned.get('A') ?? 0) - person / 3)).toBeLessThan(1);
    }
  });

  it('are not entered where the condition of the block does not hold', () => {
    const definition = pages(
      [
        block(1, {
          arms,
          assignment: 'least_filled',
          logic: { display: { left: { type: 'question', code: 'Q1' }, operator: 'equals', right: '2' } },
        }),
      ],
      [null, 1, null],
    );
    const view = renderAnswers(definition, { Q1: '1' }, { awaitsArms: true });
    expect([view.pages.map((each) => each.page.id), view.awaitsArm]).toEqual([[1, 3], false]);
  });
});

describe('the data of a response', () => {
  it('have the arms, places and orders that were shown', () => {
    const definition = pages(
      [block(1, { arms: [arm('A'), arm('B')], arrangement: arrangement({ order: 'random' }) })],
      [1, 1, 1],
    );
    for (const { questions } of definition.pages)
      Object.assign(questions[0]!.settings, { shuffle: 'random' });
    const prepared = prepareDefinition(definition);
    for (let person = 0; person < 200; person++) {
      const seed = `person-${person}`;
      const context = { ...NO_RESPONDENT_CONTEXT, seed };
      const presentation = presentationOf(definition, draftPath(prepared, {}, context), seed)!;
      const shown = renderAnswers(definition, {}, { seed }).pages.flatMap(({ questions }) => questions);
      expect(presentation.arms).toEqual({ 1: randomArm(definition.blocks[0]!, seed) });
      expect(presentation.positions).toEqual(
        Object.fromEntries(shown.map((view, index) => [view.question.code, index + 1])),
      );
      expect(presentation.orders).toEqual(
        Object.fromEntries(
          shown.map((view) => [view.question.code, view.options.map(({ value }) => value).join(';')]),
        ),
      );
    }
  });

  it('have nothing of surveys without chance', () => {
    const definition = pages([block(1)], [1, null]);
    const path = draftPath(prepareDefinition(definition), {}, { ...NO_RESPONDENT_CONTEXT, seed: 'Ana' });
    expect(presentationOf(definition, path, 'Ana')).toBe(null);
  });
});
