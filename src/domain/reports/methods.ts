import { formatFigure, formatNumber } from '../charts/figures/figure-texts.ts';
import { typeOf } from '../questions/registry.ts';
import type { Page, Question, SurveyDefinition } from '../survey/definition.ts';
import type { Condition } from '../questions/condition.ts';
import { withDataLabels } from '../survey/logic/data-labels.ts';
import { describeCondition, labelsFromQuestions } from '../survey/logic/describe-condition.ts';
import type { DeckRow, MethodSection } from './deck.ts';

/** `21 November 2026`, the day in a time zone. */
const formatDay = (moment: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(
    moment,
  );

/** `6 min 30 s`, `1 h 5 min`. */
export function formatDuration(seconds: number): string {
  const totalSeconds = Math.round(seconds);
  const [hours, minutes, rest] = [
    Math.floor(totalSeconds / 3600),
    Math.floor((totalSeconds % 3600) / 60),
    totalSeconds % 60,
  ];
  const parts =
    hours > 0
      ? [`${hours} h`, minutes > 0 && `${minutes} min`]
      : [minutes > 0 && `${minutes} min`, rest > 0 && `${rest} s`];
  return parts.filter((part) => part !== false).join(' ') || '0 s';
}

interface FieldWave {
  name: string;
  start: Date | null;
  /** The first moment after the wave. */
  end: Date | null;
  complete: number;
  target: number | null;
  quotas: { name: string; cells: { label: string; target: number | null; completed: number }[] }[];
}

/** Returns the fieldwork and quota tables, in chronological order. Days are those of the time zone; the end is the last day of the wave. */
export function fieldworkSections(waves: readonly FieldWave[], timeZone: string): MethodSection[] {
  if (waves.length === 0) return [];
  const day = (moment: Date | null) => (moment === null ? '–' : formatDay(moment, timeZone));
  const rows = waves.map(({ name, start, end, complete, target }) =>
    rowOf(name, [
      day(start),
      day(lastMillisecondBefore(end)),
      formatNumber(complete, 0),
      formatCount(target),
    ]),
  );
  const fieldwork = tableSection('Fieldwork', {
    corner: 'Wave',
    columns: ['Start', 'End', 'Complete', 'Target'],
    rows,
  });
  const quotas = waves.flatMap((wave) =>
    wave.quotas.map(({ name, cells }) => {
      const heading = waves.length > 1 ? `Quota: ${name}, ${wave.name}` : `Quota: ${name}`;
      const cellRows = cells.map(({ label, target, completed }) =>
        rowOf(label, [formatCount(target), formatNumber(completed, 0)]),
      );
      return tableSection(heading, { corner: 'Cell', columns: ['Target', 'Complete'], rows: cellRows });
    }),
  );
  return [fieldwork, ...quotas];
}

/** The last millisecond before an exclusive end. */
const lastMillisecondBefore = (end: Date | null): Date | null =>
  end === null ? null : new Date(end.getTime() - 1);

const formatCount = (number: number | null): string => (number === null ? '–' : formatNumber(number, 0));

const rowOf = (label: string, texts: readonly string[]): DeckRow => ({
  label,
  kind: 'category',
  cells: texts.map((text) => ({ text, letters: '' })),
});

const tableSection = (
  heading: string,
  { corner, columns, rows }: { corner: string; columns: readonly string[]; rows: DeckRow[] },
): MethodSection => ({
  heading,
  facts: [],
  paragraphs: [],
  table: { corner, columns: columns.map((label) => ({ label, letter: null })), rows, source: [] },
});

/** The section with the wording of the questions shown in a report, in survey order; null if it shows none. */
export function questionsSection(survey: SurveyDefinition, shown: ReadonlySet<number>): MethodSection | null {
  const definition = withDataLabels(survey);
  const all = new Map(definition.pages.flatMap(({ questions }) => questions.map((one) => [one.code, one])));
  const sideOf = labelsFromQuestions((code) => all.get(code));
  const facts = definition.pages.flatMap((page) =>
    page.questions
      .filter(({ id }) => shown.has(id))
      .map((question): [string, string] => {
        const condition = displayCondition(page, question);
        const conditionText = condition === null ? '' : ` Asked if ${describeCondition(condition, sideOf)}.`;
        const retiredText = question.retired || page.retired ? ' No longer asked.' : '';
        return [
          question.code,
          `${question.text.replaceAll(/\s+/g, ' ').trim()} (${typeOf(question).describeAnswers(question)})${conditionText}${retiredText}`,
        ];
      }),
  );
  return facts.length === 0 ? null : { heading: 'Questions', facts, paragraphs: [], table: null };
}

function displayCondition({ logic }: Page, { settings }: Question): Condition | null {
  const conditions = [logic?.display, settings.logic?.display].filter((one) => one !== undefined);
  return conditions.length === 0 ? null : { connector: 'and', conditions };
}

/** The sample of a survey by the default rule for figures; deleted responses never count. */
export interface SampleFacts {
  complete: number;
  partial: number;
  screenedOut: number;
  /** Test responses that are included, and that are excluded. */
  test: number;
  testExcluded: number;
  /** Excluded because a reviewer confirmed a quality flag. */
  qualityExcluded: number;
  /** Completion times of the first and last complete response; null without complete responses. */
  firstAt: Date | null;
  lastAt: Date | null;
  /** IANA name of the time zone for these dates. */
  timeZone: string;
  medianSeconds: number | null;
  /** Number of complete responses by language tag; empty if no language is recorded. */
  languages: ReadonlyMap<string, number>;
  anonymous: boolean;
  confidential: boolean;
}

export function sampleSection(facts: SampleFacts): MethodSection {
  const { complete, partial, screenedOut, test, firstAt, lastAt, timeZone, medianSeconds, languages } = facts;
  const began = complete + partial;
  const found: [string, string, boolean][] = [
    ['Complete responses', formatNumber(complete, 0), true],
    ['Partial responses', formatNumber(partial, 0), true],
    ['Screened out', formatNumber(screenedOut, 0), screenedOut > 0],
    ['Test responses included', formatNumber(test, 0), test > 0],
    ['Test responses excluded', formatNumber(facts.testExcluded, 0), facts.testExcluded > 0],
    ['Excluded after quality review', formatNumber(facts.qualityExcluded, 0), facts.qualityExcluded > 0],
    [
      'Completion rate',
      `${formatFigure((100 * complete) / began, 'percent')} of respondents who started and were not screened out`,
      began > 0,
    ],
    ['Answered', periodText(firstAt, lastAt, timeZone), firstAt !== null],
    ['Median duration', formatDuration(medianSeconds ?? 0), medianSeconds !== null],
    ['Languages', languagesText(languages), languages.size > 0],
  ];
  const paragraphs = [
    ...(facts.anonymous
      ? ['Responses are anonymous: they are stored without addresses and without links to respondents.']
      : []),
    ...(facts.confidential
      ? ['The survey is confidential: small groups are hidden from readers outside the workspace.']
      : []),
  ];
  return {
    heading: 'Sample',
    facts: found.flatMap(([name, value, isIncluded]): [string, string][] =>
      isIncluded ? [[name, value]] : [],
    ),
    paragraphs: paragraphs,
    table: null,
  };
}

function periodText(first: Date | null, last: Date | null, timeZone: string): string {
  if (first === null || last === null) return '';
  const [from, to] = [formatDay(first, timeZone), formatDay(last, timeZone)];
  return from === to ? from : `${from} to ${to}`;
}

function languagesText(languages: ReadonlyMap<string, number>): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });
  return [...languages]
    .sort(([, one], [, other]) => other - one)
    .map(([tag, count]) => `${nameOf(names, tag)} (${formatNumber(count, 0)})`)
    .join(', ');
}

function nameOf(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    // Clients may send an invalid language tag.
    return tag;
  }
}

/** Statistics of a weight over the counted responses. */
export interface WeightFacts {
  label: string;
  /** Number of responses with a weight. */
  responses: number;
  /** (Σw)² / Σw² */
  effective: number;
  /** null: no response has a weight. */
  range: { min: number; max: number } | null;
  /** The margins of a rim weight; empty for other weights. */
  margins: WeightMargin[];
  /** Whether the weight is recalculated when the data change. */
  isRecalculated: boolean;
}

interface WeightMargin {
  label: string;
  /** Percentages; null without a target, or without respondents. */
  categories: { label: string; target: number | null; unweighted: number | null; weighted: number | null }[];
}

export function weightingSection({
  label,
  responses,
  effective,
  range,
  margins,
  isRecalculated,
}: WeightFacts): MethodSection {
  const facts: [string, string][] = [
    ['Responses with a weight', formatNumber(responses, 0)],
    ...(range === null
      ? []
      : ([
          ['Effective base', formatNumber(effective, 0)],
          ['Weighting efficiency', formatFigure((100 * effective) / responses, 'percent')],
          ['Weights', `from ${formatNumber(range.min, 2)} to ${formatNumber(range.max, 2)}`],
        ] as [string, string][])),
  ];
  return {
    heading: `Weighting: ${label}`,
    facts,
    paragraphs: [
      ...(margins.length > 0 ? ['Rim weighting: the sample was weighted to the targets below.'] : []),
      ...(isRecalculated ? ['The weights are recalculated when the data change.'] : []),
    ],
    table:
      margins.length === 0
        ? null
        : {
            corner: '',
            columns: ['Target', 'Unweighted', 'Weighted'].map((name) => ({ label: name, letter: null })),
            rows: margins.flatMap(({ label: name, categories }): DeckRow[] => [
              { label: name, kind: 'heading', cells: [] },
              ...categories.map(({ label: category, target, unweighted, weighted }): DeckRow => ({
                label: category,
                kind: 'category',
                cells: [target, unweighted, weighted].map((percent) => ({
                  text: percent === null ? '' : formatFigure(percent, 'percent', 1),
                  letters: '',
                })),
              })),
            ]),
            source: [],
          },
  };
}
