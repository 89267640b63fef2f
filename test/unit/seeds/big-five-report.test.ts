import { expect, test } from 'vitest';
import { bigFiveResponses } from '../../../seeds/demo/big-five.ts';
import { BIG_FIVE_REPORT } from '../../../seeds/demo/big-five-report.ts';

interface Person {
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

function everybody(): Person[] {
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
  const scales = TRAITS.map((_, place) => {
    const values = people.map(({ traits }) => traits[place]!);
    const mean = average(values);
    return { mean, deviation: Math.sqrt(average(values.map((value) => (value - mean) ** 2))) };
  });
  return people.map((person) => {
    const z = person.traits.map((value, place) => (value - scales[place]!.mean) / scales[place]!.deviation);
    return { ...person, leading: z.indexOf(Math.max(...z)) };
  });
}

const people = everybody();
const of = (code: string, value: number) => (person: Person) => person.answers.get(code) === value;
const aged = (group: number) => (person: Person) => person.ageGroup === group;

/** Of those who answered, `68%`. */
function share(code: string, values: readonly number[], among: (person: Person) => boolean = () => true) {
  const answered = people.filter(among).flatMap(({ answers }) => answers.get(code) ?? []);
  return percent(answered.filter((value) => values.includes(value)).length, answered.length);
}
const percent = (some: number, all: number) => `${Math.round((100 * some) / all)}%`;
const leads = (trait: number, gender: number) => {
  const them = people.filter(of('gender', gender));
  return percent(them.filter(({ leading }) => leading === trait).length, them.length);
};
const mean = (trait: number, ...among: ((person: Person) => boolean)[]) =>
  average(
    people.filter((person) => among.every((is) => is(person))).map(({ traits }) => traits[trait]!),
  ).toFixed(2);

const AGES = [0, 1, 2, 3, 4];
const blue = AGES.map((group) => Number(share('N4', [5, 6], aged(group)).slice(0, -1)));

test.each([
  [
    'Young',
    [percent(people.filter(({ ageGroup }) => ageGroup < 2).length, people.length), share('education', [3])],
  ],
  ['Conscientiousness', [mean(CONSCIENTIOUS, aged(0)), mean(CONSCIENTIOUS, aged(3))]],
  [
    'Neuroticism',
    [FEMALE, MALE].flatMap((g) => [0, 4].map((age) => mean(NEUROTIC, aged(age), of('gender', g)))),
  ],
  ['Anger', [share('N1', [4, 5, 6], aged(0)), share('N1', [4, 5, 6], aged(4))]],
  ['Openness', [leads(OPEN, MALE), leads(OPEN, FEMALE), leads(AGREEABLE, MALE), leads(AGREEABLE, FEMALE)]],
  ['Women', [share('A5', [5, 6], of('gender', FEMALE)), share('A5', [5, 6], of('gender', MALE))]],
  ['Graduate', [mean(OPEN, of('education', 5)), mean(OPEN, of('education', 3))]],
  ['At every age', [share('N4', [5, 6]), `${Math.min(...blue)}%`, `${Math.max(...blue)}%`]],
])('what the demo’s report says under “%s…” is so', (beginning, figures) => {
  const slide = BIG_FIVE_REPORT.slides(1).find(({ slide_title }) => slide_title.startsWith(beginning))!;
  const { text } = slide.slide_content as { text: string };
  expect(text.match(/\d+\.\d+|\d+%/g)).toEqual(figures);
});

test('four in five have been to college', () => {
  expect(share('education', [3, 4, 5])).toBe('80%');
});
