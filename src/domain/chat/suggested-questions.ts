import type { ClearIntent, Intent } from './intent.ts';
import type { Variable, Vocabulary } from './vocabulary.ts';

const MAX_EXAMPLES = 3;

/** Suggests questions that the built-in chat can answer about this survey. */
export function suggestQuestions({ variables }: Vocabulary): string[] {
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
  // Lists one question of each kind before a second one of any kind.
  return [...new Set(examples)].slice(0, MAX_EXAMPLES);
}

/** Returns a question that parses to exactly this intent. */
function questionFor(intent: ClearIntent): string {
  switch (intent.kind) {
    case 'counts':
      return 'How many responses are there?';
    case 'questions':
      return 'What questions are there?';
    case 'distribution':
      return `How did people answer ${intent.variable.code}?`;
    case 'statistics':
      return `What is the ${STATISTIC_NAMES[intent.wanted]} of ${intent.variable.code}?`;
    case 'battery':
      return `What is rated ${intent.order === 'lowest' ? 'lowest' : 'highest'} in ${intent.variable.code}?`;
    case 'crosstab':
      return `${intent.row.code} by ${intent.column.code}`;
    case 'waves':
      return `How did ${intent.variable.code} change over time?`;
    case 'verbatims':
      return `What do people say in ${intent.variables[0]!.code}?`;
  }
}

const STATISTIC_NAMES = { mean: 'mean', median: 'median', spread: 'standard deviation', nps: 'NPS' } as const;

const MAX_SUGGESTIONS = 4;

/** Suggests the understood part of an unclear question, then the questions nearest to the rest. */
export function suggestNearestQuestions(
  { read, others }: Extract<Intent, { kind: 'unclear' }>,
  vocabulary: Vocabulary,
): string[] {
  const [first] = 'variable' in read ? [read.variable] : [];
  const near = others
    .filter(({ kind }) => kind !== 'file' && kind !== 'date')
    .slice(0, 2)
    .flatMap((variable) => [...crosstabQuestions(first, variable), ...plainQuestions(variable)]);
  return [...new Set([questionFor(read), ...near, ...suggestQuestions(vocabulary)])].slice(
    0,
    MAX_SUGGESTIONS,
  );
}

/** Returns a crosstab question with the grouping variable as columns. */
function crosstabQuestions(first: Variable | undefined, second: Variable): string[] {
  const canCross = ({ kind }: Variable) => kind !== 'text' && kind !== 'battery' && kind !== 'file';
  if (first === undefined || !canCross(first) || !canCross(second)) return [];
  if (first.partOf !== null && first.partOf === second.partOf) return [];
  const makesGroups = ({ kind }: Variable) => kind === 'choice' || kind === 'multiple';
  if (makesGroups(second)) return [`${first.code} by ${second.code}`];
  return makesGroups(first) ? [`${second.code} by ${first.code}`] : [];
}

function plainQuestions(variable: Variable): string[] {
  if (variable.kind === 'text') return [`What do people say in ${variable.code}?`];
  if (variable.kind === 'battery') return [`What is rated highest in ${variable.code}?`];
  if (variable.kind === 'nps') return [`What is the NPS of ${variable.code}?`];
  if (variable.kind === 'number') return [`What is the mean of ${variable.code}?`];
  return [`How did people answer ${variable.code}?`];
}
