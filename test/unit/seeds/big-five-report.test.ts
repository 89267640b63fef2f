import { expect, test } from 'vitest';
import { bigFiveResponses } from '../../../seeds/demo/big-five.ts';
import { BIG_FIVE_REPORT } from '../../../seeds/demo/big-five-report.ts';

interface Respondent {
  answers: ReadonlyMap<string, number | null>;
  ageGroup: number;
  traits: number[];
  /** By place among the traits. */
  leading: number;
}

/** Negative: turned round. */
const TRAITS = [
  { name: 'agreeableness', items: { A1: -1, A2: 1, A3: 1, A4: 1, A5: 1 } },
  { name: 'conscientiousness', items: { C1: 1, C2: 1, C3: 1, C4: -1, C5: -1 } },
  { name: 'extraversion', items: { E1: -1, E2: -1, E3: 1, E4: 1, E5: 1 } },
  { name: 'neuroticism', items: { N1: 1, N2: 1, N3: 1, N4: 1, N5: 1 } },
  { name: 'openness', items: { O1: 1, O2: -1, O3: 1, O4: 1, O5: -1 } },
];
const [AGREEABLE, CONSCIENTIOUS, , NEUROTIC, OPEN] = [0, 1, 2, 3, 4] as const;
const [MALE, FEMALE] = [1, 2] as const;

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function readRespondents(): Respondent[] {
  const people = bigFiveResponses().map(({ answers }) => {
    const read = new Map(
      Object.entries(answers).map(([code, value]) => [code, value === null ? null : Number(value)]),
    );
    const traits = TRAITS.map(({ items }) =>
      average(
        Object.entries(items).flatMap(([code, sign]) => {
          const value = read.get(code) ?? null;
          return value === null ? [] : [sign < 0 ? 7 - value : value];
        }),
      ),
    );
    const age = read.get('age')!;
    const ageGroup = [20, 30, 40, 50, 121].findIndex((end) => age < end);
    return { answers: read, ageGroup, traits, leading: 0 };
  });
  const scales = TRAITS.map((_, index) => {
    const values = people.map(({ traits }) => traits[index]!);
    const mean = average(values);
    return { mean, deviation: Math.sqrt(average(values.map((value) => (value - mean) ** 2))) };
  });
  return people.map((person) => {
    const z = person.traits.map((value, index) => (value - scales[index]!.mean) / scales[index]!.deviation);
    return { ...person, leading: z.indexOf(Math.max(...z)) };
  });
}

const respondents = readRespondents();
const answered = (code: string, value: number) => (person: Respondent) => person.answers.get(code) === value;
const isInAgeGroup = (group: number) => (person: Respondent) => person.ageGroup === group;

/** Of those who answered, `68%`. */
function share(code: string, values: readonly number[], among: (person: Respondent) => boolean = () => true) {
  const answered = respondents.filter(among).flatMap(({ answers }) => answers.get(code) ?? []);
  return percent(answered.filter((value) => values.includes(value)).length, answered.length);
}
const percent = (some: number, all: number) => `${Math.round((100 * some) / all)}%`;
const shareOfLeadingTrait = (trait: number, gender: number) => {
  const them = respondents.filter(answered('gender', gender));
  return percent(them.filter(({ leading }) => leading === trait).length, them.length);
};
const mean = (trait: number, ...among: ((person: Respondent) => boolean)[]) =>
  average(
    respondents.filter((person) => among.every((is) => is(person))).map(({ traits }) => traits[trait]!),
  ).toFixed(2);

const AGES = [0, 1, 2, 3, 4];
const blue = AGES.map((group) => Number(share('N4', [5, 6], isInAgeGroup(group)).slice(0, -1)));

test.each([
  [
    'Young',
    [
      percent(respondents.filter(({ ageGroup }) => ageGroup < 2).length, respondents.length),
      share('education', [3]),
    ],
  ],
  ['Conscientiousness', [mean(CONSCIENTIOUS, isInAgeGroup(0)), mean(CONSCIENTIOUS, isInAgeGroup(3))]],
  [
    'Neuroticism',
    [FEMALE, MALE].flatMap((g) =>
      [0, 4].map((age) => mean(NEUROTIC, isInAgeGroup(age), answered('gender', g))),
    ),
  ],
  ['Anger', [share('N1', [4, 5, 6], isInAgeGroup(0)), share('N1', [4, 5, 6], isInAgeGroup(4))]],
  [
    'Openness',
    [
      shareOfLeadingTrait(OPEN, MALE),
      shareOfLeadingTrait(OPEN, FEMALE),
      shareOfLeadingTrait(AGREEABLE, MALE),
      shareOfLeadingTrait(AGREEABLE, FEMALE),
    ],
  ],
  ['Women', [share('A5', [5, 6], answered('gender', FEMALE)), share('A5', [5, 6], answered('gender', MALE))]],
  ['Graduate', [mean(OPEN, answered('education', 5)), mean(OPEN, answered('education', 3))]],
  ['At every age', [share('N4', [5, 6]), `${Math.min(...blue)}%`, `${Math.max(...blue)}%`]],
])('the statement “%s…” of the demo report is true', (beginning, figures) => {
  const slide = BIG_FIVE_REPORT.slides(1).find(({ slide_title }) => slide_title.startsWith(beginning))!;
  const { text } = slide.slide_content as { text: string };
  expect(text.match(/\d+\.\d+|\d+%/g)).toEqual(figures);
});

test('four in five have been to college', () => {
  expect(share('education', [3, 4, 5])).toBe('80%');
});
