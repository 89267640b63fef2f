import { listInWords } from '../../lib/list-in-words.ts';
import { NO_ANSWER_REASONS, noAnswerLabel } from '../columns/no-answer.ts';
import { describeInclusion } from '../dataset/filter/select-rows.ts';
import type {
  ChatFigure,
  ColumnShares,
  CrosstabFigure,
  FigureOf,
  Share,
  SummaryStatistics,
} from './chat-figure.ts';
import type { Intent } from './parse-intent.ts';

/** Number formats for sentences: at most one decimal for shares, two for means; null is a dash. */

const formatTrimmed = (value: number, decimals: number): string => String(Number(value.toFixed(decimals)));

const formatPercent = (percent: number | null): string =>
  percent === null ? '–' : `${formatTrimmed(percent, 1)} %`;

const formatNumber = (value: number | null): string =>
  value === null ? '–' : Number.isInteger(value) ? String(value) : formatTrimmed(value, 2);

const formatPValue = (p: number): string => (p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`);

const joinWithAnd = (parts: readonly string[]): string => listInWords(parts, 'en');

/** Shortens a text to one line of at most `maxLength` characters. */
export function shortenText(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxLength
    ? line
    : `${line
        .slice(0, maxLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

const MAX_ROWS = 12;
const MAX_COLUMNS = 8;

/** Describes a crosstab: percentages by group, differences, and their significance. */
function describeCrosstab(table: CrosstabFigure): string {
  const { row, column, base, columns, rows, means } = table;
  if (base === 0)
    return `No respondents answered both ${quoted(row)} and ${quoted(column)}, so there is nothing to compare.`;
  const groups = columns.slice(0, MAX_COLUMNS);
  const bases = joinWithAnd(groups.map(({ label, base: size }) => `${label} (n = ${size})`));
  const lines = [
    `${quoted(row)} by ${quoted(column)}, ${base} responses: ${bases}${omittedNote(columns, MAX_COLUMNS)}.`,
  ];
  for (const { label, total_percent: total, cells } of rows.slice(0, MAX_ROWS)) {
    const groupTexts = groups.map(({ label: group }, index) => {
      const cell = cells[index];
      return `${group} ${formatPercent(cell?.percent ?? null)}${aboveText(cell?.above ?? [], table)}`;
    });
    lines.push(`- ${shortenText(label, 80)}: ${formatPercent(total)} of all; ${groupTexts.join(', ')}`);
  }
  if (rows.length > MAX_ROWS) lines.push(`- … and ${rows.length - MAX_ROWS} more.`);
  if (means !== null) {
    const groupTexts = groups.map(({ label }, index) => {
      const cell = means.cells[index];
      return `${label} ${formatNumber(cell?.mean ?? null)}${aboveText(cell?.above ?? [], table)}`;
    });
    lines.push(`- Mean: ${formatNumber(means.total)} of all; ${groupTexts.join(', ')}`);
  }
  lines.push(significanceText(table), ...table.notes);
  return lines.join('\n');
}

function significanceText(table: CrosstabFigure): string {
  const { chi_square: test, rows, means, columns } = table;
  const pairs = [...rows.flatMap(({ cells }) => cells), ...(means?.cells ?? [])].flatMap(
    ({ above }) => above,
  );
  const at95Count = pairs.filter((letter) => letter === letter.toUpperCase()).length;
  const marks =
    pairs.length === 0
      ? 'No difference between two groups is significant.'
      : `"Above" marks differences that are significant at 95 % (${at95Count} here)${pairs.length > at95Count ? ', "somewhat above" only at 90 %' : ''}.`;
  if (columns.length < 2) return 'There is only one group, so nothing can be compared.';
  if (test === null) return marks;
  const { name, p } = chosenTest(test);
  const figures = `${name}, ${formatPValue(p)}, Cramér’s V ${formatNumber(test.cramers_v)}`;
  return p < 0.05
    ? `Overall, the groups differ significantly (${figures}). ${marks}`
    : `Overall, the groups do not differ significantly (${figures}). ${marks}`;
}

/** The test to report: Fisher's exact test where chi-square is only approximate. */
function chosenTest(test: NonNullable<CrosstabFigure['chi_square']>): { name: string; p: number } {
  const { statistic, df, df2, p_value: p, fisher_p_value: exact, expected_below_5: sparse } = test;
  if (exact !== null && sparse > 0) return { name: 'Fisher’s exact test', p: exact };
  if (df2 === null) return { name: `chi-square ${formatNumber(statistic)}, df ${df}`, p };
  return {
    name: `Rao-Scott F ${formatNumber(statistic)}, df ${formatNumber(df)} and ${formatNumber(df2)}`,
    p,
  };
}

function aboveText(letters: readonly string[], { columns }: CrosstabFigure): string {
  const labelOf = (letter: string) =>
    columns.find((column) => column.letter.toUpperCase() === letter.toUpperCase())?.label ?? letter;
  const above95 = letters.filter((letter) => letter === letter.toUpperCase()).map(labelOf);
  const above90 = letters.filter((letter) => letter !== letter.toUpperCase()).map(labelOf);
  const parts = [
    ...(above95.length === 0 ? [] : [`above ${joinWithAnd(above95)}`]),
    ...(above90.length === 0 ? [] : [`somewhat above ${joinWithAnd(above90)}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const quoted = (label: string) => `“${shortenText(label, 120)}”`;
const omittedNote = (all: readonly unknown[], shown: number) =>
  all.length > shown ? `; ${all.length - shown} more not shown` : '';

type Distribution = FigureOf<'get_distribution'>['result'];
type Ordering = 'original' | 'highest' | 'lowest';

const MAX_CATEGORIES = 15;
const MAX_PARTS = 12;
const MAX_QUESTIONS = 60;

/** Describes a figure in sentences with the question, its base, and excluded responses. */
export function describeFigure(figure: ChatFigure, intent: Intent): string {
  const { counted } = figure;
  const note =
    counted === null || figure.function === 'get_response_counts' ? null : describeInclusion(counted);
  return [describeResult(figure, intent), ...(note === null ? [] : [note])].join('\n');
}

const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeResult(figure: ChatFigure, intent: Intent): string {
  switch (figure.function) {
    case 'get_response_counts':
      return countsText(figure.result);
    case 'list_questions':
      return questionsText(figure.result);
    case 'list_surveys':
      return surveysText(figure.result);
    case 'get_distribution':
      return intent.kind === 'battery'
        ? batteryText(figure.result, intent.order)
        : distributionText(figure.result, intent);
    case 'get_statistics':
      return statisticsText(figure.result, intent);
    case 'get_crosstab':
      return describeCrosstab(figure.result);
    case 'compare_waves':
      return describeCrosstab(figure.result);
    case 'get_verbatims':
      return verbatimsText(figure.result);
    case 'read_texts':
      return readTextsText(figure.result);
  }
}

function countsText(counts: FigureOf<'get_response_counts'>['result']): string {
  const { total, complete, partial, screened_out: screenedOut, test } = counts;
  const tests =
    test === 0 ? '' : ` There ${test === 1 ? 'is' : 'are'} also ${pluralize(test, 'test response')}.`;
  if (total === 0) return `There are no responses yet.${tests}`;
  const confirmed = counts.quality_confirmed;
  const flagged =
    confirmed === 0
      ? ''
      : ` ${confirmed} of them ${confirmed === 1 ? 'has' : 'have'} a confirmed quality flag and ${confirmed === 1 ? 'is' : 'are'} excluded from figures.`;
  return `There ${total === 1 ? 'is 1 response' : `are ${total} responses`}: ${complete} complete, ${partial} partial and ${screenedOut} screened out.${flagged}${tests}`;
}

function questionsText({ questions, total }: FigureOf<'list_questions'>['result']): string {
  if (total === 0) return 'The survey has no questions yet.';
  const lines = questions
    .slice(0, MAX_QUESTIONS)
    .map(({ question_code: code, question_type: type, question_text: text }) => {
      return `- ${code} (${type.replaceAll('_', ' ')}): ${shortenText(text, 120)}`;
    });
  const more = total > lines.length ? [`- … and ${total - lines.length} more.`] : [];
  return [`The survey has ${total} ${total === 1 ? 'question' : 'questions'}:`, ...lines, ...more].join('\n');
}

function surveysText({ surveys, total }: FigureOf<'list_surveys'>['result']): string {
  if (total === 0) return 'You do not have access to any surveys yet.';
  const lines = surveys.map(
    ({ survey_id: id, survey_name: name, responses, status }) =>
      `- ${shortenText(name, 100)} (survey_id ${id}, ${status}, ${responses} ${responses === 1 ? 'response' : 'responses'})`,
  );
  const more = total > lines.length ? [`- … and ${total - lines.length} more.`] : [];
  return [`You have access to ${total} ${total === 1 ? 'survey' : 'surveys'}:`, ...lines, ...more].join('\n');
}

function distributionText(result: Distribution, intent: Intent): string {
  const options = intent.kind === 'distribution' ? intent.options : [];
  const order = intent.kind === 'distribution' ? intent.order : 'original';
  return result.columns.map((column) => columnText(column, options, order)).join('\n\n');
}

function columnText(column: ColumnShares, options: readonly string[], order: Ordering): string {
  const { base, categories, distinct } = column;
  if (base === 0) return `There are no answers to ${columnTitle(column)} yet.`;
  if (categories.length === 0)
    return `${base} people answered ${columnTitle(column)}, with ${distinct} different texts.`;
  const shares = categories.filter(({ percent }) => percent !== null);
  const requestedShares = shares.filter(({ label }) => options.includes(label));
  const lines: string[] = [];
  if (requestedShares.length > 0) {
    const shown = requestedShares.map(
      ({ label, count, percent }) => `${formatPercent(percent)} answered “${label}” (${count})`,
    );
    lines.push(`Of the ${base} who answered ${columnTitle(column)}, ${joinWithAnd(shown)}.`, 'All answers:');
  } else if (order !== 'original') {
    const end = extremeCategory(shares, order);
    lines.push(
      end === null
        ? `${base} people answered ${columnTitle(column)}:`
        : `The ${order === 'highest' ? 'most' : 'least'} frequent answer to ${columnTitle(column)} is “${end.label}”: ${formatPercent(end.percent)} (${end.count} of ${base}). All answers:`,
    );
  } else {
    lines.push(`${base} people answered ${columnTitle(column)}:`);
  }
  const sorted = order === 'original' ? shares : sortByCount(shares, order);
  lines.push(...sorted.slice(0, MAX_CATEGORIES).map(shareLine));
  const omittedCount = Math.max(distinct, sorted.length) - Math.min(sorted.length, MAX_CATEGORIES);
  if (sorted.length > MAX_CATEGORIES) lines.push(`- … and ${omittedCount} more.`);
  const outside = categories.filter(({ percent, count }) => percent === null && count > 0);
  if (outside.length > 0)
    lines.push(`Not included: ${joinWithAnd(outside.map(({ label, count }) => `“${label}” (${count})`))}.`);
  const reasons = NO_ANSWER_REASONS.filter((reason) => column.no_answer[reason] > 0).map(
    (reason) => `“${noAnswerLabel({ reason, label: null })}” (${column.no_answer[reason]})`,
  );
  if (reasons.length > 0) lines.push(`Said instead of an answer: ${joinWithAnd(reasons)}.`);
  if (column.skipped > 0) lines.push(`${column.skipped} skipped the question.`);
  if (column.not_applicable > 0)
    lines.push(`${column.not_applicable} gave an answer without a value in this column.`);
  return lines.join('\n');
}

const shareLine = ({ label, count, percent }: Share) =>
  `- ${shortenText(label, 100)}: ${formatPercent(percent)} (${count})`;

const sortByCount = (shares: readonly Share[], order: Ordering) =>
  [...shares].sort((a, b) => (order === 'lowest' ? a.count - b.count : b.count - a.count));

const extremeCategory = (shares: readonly Share[], order: Ordering): Share | null =>
  sortByCount(shares, order)[0] ?? null;

/** Compares the parts of a matrix or ranking by most frequent answer or mean rank. */
function batteryText(
  { question_code: code, question_text: text, columns }: Distribution,
  order: Ordering,
): string {
  const shown = columns.filter(({ base }) => base > 0);
  const title = `${code} “${shortenText(text, 120)}”`;
  const ranked = shown.every((column) => column.type === 'rank');
  // Rank 1 is the best.
  const compareMeans = (a: number, b: number) => (ranked ? a - b : b - a);
  const withMeans = shown.flatMap((column) => (column.mean === null ? [] : { column, mean: column.mean }));
  const hasMeans = withMeans.length === shown.length;
  const parts =
    hasMeans && order !== 'original'
      ? withMeans
          .sort((a, b) => (order === 'highest' ? 1 : -1) * compareMeans(a.mean, b.mean))
          .map(({ column }) => column)
      : shown;
  const [first] = parts;
  if (first === undefined) return `There are no answers to ${title} yet.`;
  const lines = parts.slice(0, MAX_PARTS).map((column) => {
    const { mean } = column;
    const top = extremeCategory(column.categories, 'highest');
    const average = mean === null ? '' : `${ranked ? 'mean rank' : 'mean'} ${formatNumber(mean)}, `;
    const common =
      top === null
        ? ''
        : `most frequent answer “${shortenText(top.label, 60)}” (${formatPercent(top.percent)}), `;
    return `- ${shortenText(partLabel(column, text), 100)}: ${average}${common}n = ${column.base}`;
  });
  const head =
    order === 'original' || !hasMeans
      ? `${title}, by part:`
      : `In ${title}, “${shortenText(partLabel(first, text), 100)}” is ${order === 'highest' ? 'highest' : 'lowest'}:`;
  const more = parts.length > MAX_PARTS ? [`- … and ${parts.length - MAX_PARTS} more.`] : [];
  return [head, ...lines, ...more].join('\n');
}

const partLabel = ({ label }: ColumnShares, question: string): string =>
  label.startsWith(question) ? label.slice(question.length).replace(/^ – /, '') || label : label;

function statisticsText({ columns }: FigureOf<'get_statistics'>['result'], intent: Intent): string {
  const wanted = intent.kind === 'statistics' ? intent.wanted : 'mean';
  return columns
    .map(({ column_code: code, label, base, statistics }) => {
      const title = `${code} “${shortenText(label, 120)}”`;
      if (base === 0 || statistics.mean === null) return `There are no answers to ${title} yet.`;
      return `${leadingStatistic(statistics, wanted, title)} ${otherStatistics(statistics, wanted)} ${base} people answered.`;
    })
    .join('\n');
}

function leadingStatistic(
  { mean, median, sd, nps }: SummaryStatistics,
  wanted: string,
  title: string,
): string {
  if (wanted === 'nps' && nps != null)
    return `The Net Promoter Score of ${title} is ${formatNumber(nps)} (the percentage of 9 and 10 minus the percentage of 0 to 6).`;
  if (wanted === 'median') return `The median of ${title} is ${formatNumber(median)}.`;
  if (wanted === 'spread') return `The standard deviation of ${title} is ${formatNumber(sd)}.`;
  return `The mean of ${title} is ${formatNumber(mean)}.`;
}

function otherStatistics({ mean, median, sd, min, max, nps }: SummaryStatistics, wanted: string): string {
  const parts = [
    ...(wanted === 'mean' ? [] : [`mean ${formatNumber(mean)}`]),
    ...(wanted === 'median' ? [] : [`median ${formatNumber(median)}`]),
    ...(wanted === 'spread' || sd === null ? [] : [`standard deviation ${formatNumber(sd)}`]),
    ...(wanted === 'nps' || nps == null ? [] : [`NPS ${formatNumber(nps)}`]),
    `from ${formatNumber(min)} to ${formatNumber(max)}`,
  ];
  const [head = '', ...others] = parts;
  return `${[head.charAt(0).toUpperCase() + head.slice(1), ...others].join(', ')}.`;
}

function verbatimsText(result: FigureOf<'get_verbatims'>['result']): string {
  const { question_code: code, question_text: text, answered, matching, contains, verbatims } = result;
  const title = `${code} “${shortenText(text, 120)}”`;
  if (answered === 0) return `There are no answers to ${title} yet.`;
  if (verbatims.length === 0)
    return `${answered} people answered ${title}; no answer contains “${shortenText(contains ?? '', 60)}”.`;
  const head =
    contains === null
      ? `${answered} people answered ${title}. Examples:`
      : `${matching} of the ${answered} answers to ${title} contain “${shortenText(contains, 60)}”. ${verbatims.length < matching ? 'Examples' : 'These are'}:`;
  return [
    head,
    ...verbatims.map(
      ({ response_id: id, text: verbatim }) => `- “${shortenText(verbatim, 240)}” (response ${id})`,
    ),
  ].join('\n');
}

function readTextsText(result: FigureOf<'read_texts'>['result']): string {
  const { question_code: code, answered, read, sentiments, themes, method } = result;
  const scopeText = read === answered ? `all ${answered} answers` : `${read} of ${answered} answers`;
  const share = (count: number) => `${formatPercent((100 * count) / Math.max(1, read))} (${count})`;
  const sentimentText = `Of ${scopeText} to ${code} that were analyzed, ${share(sentiments.positive)} are positive, ${share(sentiments.neutral)} neutral and ${share(sentiments.negative)} negative.`;
  const themesText =
    themes.length === 0
      ? 'No theme occurs in several answers.'
      : `Frequent themes: ${joinWithAnd(themes.map(({ theme, count }) => `${theme} (${count})`))}.`;
  return `${sentimentText} ${themesText} ${method}`;
}

const columnTitle = ({ column_code: code, label }: Pick<ColumnShares, 'column_code' | 'label'>) =>
  `${code} “${shortenText(label, 120)}”`;

/** Replies of the built-in chat without figures: help, and messages that it did not understand. */

const CAPABILITIES =
  'the number of responses, the list of questions, the answers to a question, its mean or NPS, a question broken down by another one ' +
  'with a significance test, changes between waves, and quotes from open answers';

const exampleList = (examples: readonly string[]) => examples.map((example) => `- ${example}`).join('\n');

export const helpText = (surveyName: string, examples: readonly string[]): string =>
  `This is the built-in chat. It works without a language model: it looks up figures of “${surveyName}” and describes them in English. It can show ${CAPABILITIES}. For example:\n${exampleList(examples)}`;

const REASONS = {
  nothing_found:
    'I did not understand which question you mean, or which figure you want. This is the built-in chat: it works without a language model and recognizes question codes, words in questions and option labels.',
  no_waves: 'This survey has fewer than two waves to compare.',
  no_texts: 'This survey has no open questions, so there are no texts to quote.',
} as const;

export const notUnderstoodText = (reason: keyof typeof REASONS, examples: readonly string[]): string =>
  `${REASONS[reason]} You can ask:\n${exampleList(examples)}`;

export const noFigureText = (message: string, examples: readonly string[]): string =>
  `This figure cannot be computed: ${message}. You can ask:\n${exampleList(examples)}`;

export const noSurveyText = (surveys: string): string =>
  `${surveys}\n\nThis conversation has no survey yet. Send your question again with the survey_id of a survey. I can then show ${CAPABILITIES}.`;

/** `understood`: the question that would be answered if the unused words were ignored. */
export const unclearText = (
  unused: readonly string[],
  understood: string,
  others: readonly string[],
): string =>
  `I did not understand ${joinWithAnd(unused.map((words) => `“${shortenText(words, 60)}”`))}, so I do not give a figure that ignores it. I understood: ${understood}\n` +
  'The built-in chat works without a language model. It recognizes question codes, words in questions and option labels, and does not filter responses. ' +
  `Similar questions that you can ask:\n${exampleList([understood, ...others])}`;
