import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { Waiting } from '../data/query-view.tsx';
import { studioTypeOf } from '../question-types/registry.ts';
import { formatCount, formatMean, formatPercent, formatScore } from './describe-figures.ts';
import { npsScore, type QuestionData } from './figure-kind.ts';
import { pointLabel } from '../../../../domain/charts/figures/point-label.ts';
import type { SplitColumn } from '../survey/split-columns.ts';
import { inclusionOf, type ResultsView, selectionFilter, STATUS_FILTERS } from '../survey/results-view.ts';

type Crosstab = Schema<'Crosstab'>;
type Table = Crosstab['tables'][number];

const t = texts.results;
/** Groups of fewer people are marked. */
const LEAST_BASE = 30;
/** Of numbers that figures are compared by. */
const MAX_GROUPS = 6;
/** More columns are left out of a table. */
const MAX_COLUMNS = 12;
const STATUSES = STATUS_FILTERS.filter((status) => status !== 'all');

/** The columns of a question that have categories or a mean. A multiple choice is one variable, a matrix one for each row. */
export function comparableColumns(data: QuestionData): string[] {
  const types = new Set(['categorical', 'multiple', 'number', 'rank']);
  if (studioTypeOf(data).isSet) return [data.question_code];
  return data.columns
    .filter(({ type, retired }) => types.has(type) && !retired)
    .map((each) => each.column_code);
}

/** A question split by the options of another one. The crosstab is a POST request, so it is not in the cache of replies. */
export function Comparison({
  surveyId,
  data,
  label,
  columns,
  compareBy,
  view,
}: {
  surveyId: number;
  data: QuestionData;
  /** Of the question. */
  label: string;
  columns: readonly string[];
  compareBy: SplitColumn;
  view: ResultsView;
}) {
  const [state, setState] = useState<Crosstab | ApiError | null>(null);
  const { status } = view;
  const filter = selectionFilter(view);
  useEffect(() => {
    let isCurrent = true;
    const compute = async () => {
      try {
        const crosstab = await changeApi('post', '/api/responses/{surveyId}/crosstab', {
          path: { surveyId },
          body: {
            rows: [...columns],
            columns: [compareBy.code],
            max_groups: MAX_GROUPS,
            status: status === 'all' ? [...STATUSES] : STATUSES.filter((each) => each === status),
            statistics: ['column_percent', 'letters', 'means'],
            ...(filter === null ? {} : { filter }),
            ...(view.weight === null ? {} : { weight_column: view.weight }),
            ...inclusionOf(view),
          },
        });
        if (isCurrent) setState(crosstab);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isCurrent) setState(error);
      }
    };
    void compute();
    return () => {
      isCurrent = false;
    };
    // `counted` changes when responses arrive.
  }, [
    surveyId,
    columns.join(),
    compareBy.code,
    status,
    view.scope,
    view.weight,
    JSON.stringify(filter),
    JSON.stringify(data.counted),
  ]);

  if (state === null) return <Waiting />;
  if (state instanceof ApiError) return <p class="problem">{errorMessage(state)}</p>;
  const hasLetters = state.tables.some(({ rows }) =>
    rows.some(({ cells }) => cells.some(({ letters }) => letters !== undefined && letters.length > 0)),
  );
  const hasSmallBase = state.tables.some(({ base, columns: groups }) =>
    [base, ...firstColumns(groups).map((group) => group.base)].some(isSmallBase),
  );
  const groupCount = Math.max(...state.tables.map(({ columns: groups }) => groups.length));
  return (
    <>
      <p class="result-base">{t.compared(compareBy.label)}</p>
      {state.tables.map((table) => (
        <ComparisonTable
          key={table.row.column_codes.join()}
          table={table}
          points={studioTypeOf(data).results.figureOfPoints}
          title={state.tables.length > 1 ? table.row.label : label}
          isTitleShown={state.tables.length > 1}
        />
      ))}
      <p class="soft">
        {groupCount > MAX_COLUMNS && `${t.firstGroups(MAX_COLUMNS, groupCount)} `}
        {hasLetters ? t.letters : t.noLetters}
        {hasSmallBase && ` ${t.smallBase(LEAST_BASE)}`}
      </p>
    </>
  );
}

function ComparisonTable({
  table,
  points,
  title,
  isTitleShown,
}: {
  table: Table;
  /** The figure of the question if its answers are points. */
  points: 'nps' | 'scale' | null;
  title: string;
  isTitleShown: boolean;
}) {
  const rows = table.row.type === 'number' ? [] : table.rows.filter(({ missing }) => !missing);
  const groups = firstColumns(table.columns);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={title}>
      <table class="table result-comparison" style={{ minInlineSize: `${12 + 6 * (groups.length + 1)}rem` }}>
        <caption class={isTitleShown ? '' : 'visually-hidden'}>{title}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{t.total}</th>
            {groups.map((column) => (
              <th key={column.letter} scope="col">
                {column.label} <span class="soft">{column.letter}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <th scope="row">{points === null ? row.label : pointLabel(pointOf(row))}</th>
              <Cell percent={row.total.column_percent} />
              {firstColumns(row.cells).map((cell, position) => (
                <Cell key={position} percent={cell.column_percent} letters={cell.letters} />
              ))}
            </tr>
          ))}
          {points === 'nps' && (
            <tr>
              <th scope="row">{t.nps}</th>
              <td>{formatScore(npsScore(rows.map((row) => pointShare(row, row.total))))}</td>
              {groups.map(({ letter }, position) => (
                <td key={letter}>
                  {formatScore(npsScore(rows.map((row) => pointShare(row, row.cells[position]))))}
                </td>
              ))}
            </tr>
          )}
          {table.mean !== null && (
            <tr>
              <th scope="row">{t.mean}</th>
              <td>{formatMean(table.mean.total.mean)}</td>
              {firstColumns(table.mean.cells).map(({ mean, letters = [] }, position) => (
                <td key={position}>
                  {formatMean(mean)}
                  <Letters letters={letters} />
                </td>
              ))}
            </tr>
          )}
          <tr class="soft">
            <th scope="row">{t.base}</th>
            <td>{formatBase(table.base)}</td>
            {groups.map(({ letter, base }) => (
              <td key={letter}>{formatBase(base)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  );
}

type Base = Pick<Table['base'], 'unweighted'>;
const isSmallBase = ({ unweighted }: Base): boolean => unweighted < LEAST_BASE;
const formatBase = (base: Base): string => formatCount(base.unweighted) + (isSmallBase(base) ? ' *' : '');

const firstColumns = <Item,>(items: readonly Item[]): readonly Item[] => items.slice(0, MAX_COLUMNS);

type TableRow = Table['rows'][number];

/** The point of a row; a row that combines several has none. */
const pointOf = ({ label, categories }: TableRow) => ({
  label,
  value: categories.length === 1 ? (categories[0]?.value ?? null) : null,
});

const pointShare = (row: TableRow, cell: TableRow['cells'][number] | undefined) => ({
  value: pointOf(row).value,
  percent: cell?.column_percent ?? null,
});

const Letters = ({ letters }: { letters: readonly string[] }) =>
  letters.length > 0 && <span class="result-letters"> {letters.join(' ')}</span>;

function Cell({
  percent = null,
  letters = [],
}: {
  percent?: number | null | undefined;
  letters?: readonly string[] | undefined;
}) {
  return (
    <td style={{ '--tint-strength': `${Math.round((percent ?? 0) * 0.4)}%` }} class="result-shaded">
      {formatPercent(percent)}
      <Letters letters={letters} />
    </td>
  );
}
