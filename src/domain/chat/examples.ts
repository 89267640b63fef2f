import type { Variable, Vocabulary } from './vocabulary.ts';

const EXAMPLES = 3;

/** Questions that the built-in chat can answer about this very survey. */
export function examplesFor({ variables }: Vocabulary): string[] {
  const first = (...kinds: Variable['kind'][]) =>
    variables.find(({ kind, partOf }) => partOf === null && kinds.includes(kind));
  const group = first('choice');
  const number = first('nps', 'number');
  const text = first('text');
  const other = variables.find(
    ({ kind, code, partOf }) =>
      partOf === null && (kind === 'choice' || kind === 'multiple') && code !== group?.code,
  );
  const battery = first('battery');
  const rest = first('multiple', 'date');
  const examples = [
    ...(group === undefined ? [] : [`How did people answer ${group.code}?`]),
    ...(number === undefined
      ? []
      : [
          number.kind === 'nps'
            ? `What is the NPS of ${number.code}?`
            : `What is the mean of ${number.code}?`,
        ]),
    ...(group === undefined
      ? []
      : [number ?? other].flatMap((row) => (row === undefined ? [] : [`${row.code} by ${group.code}`]))),
    ...(text === undefined ? [] : [`What do people say in ${text.code}?`]),
    ...(battery === undefined ? [] : [`What is rated highest in ${battery.code}?`]),
    ...(rest === undefined ? [] : [`How did people answer ${rest.code}?`]),
    'How many responses are there?',
    'What questions are there?',
    'How many complete responses are there?',
  ];
  // One of each kind before a second of any.
  return [...new Set(examples)].slice(0, EXAMPLES);
}
