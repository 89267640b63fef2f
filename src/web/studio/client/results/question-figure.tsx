import { texts } from '../../texts.ts';
import { BarList, ColumnChart, shareBars, StackedBar, StackLegend } from './bar-list.tsx';
import { choosePalette } from '../../../../domain/charts/drawing/palette.ts';
import { pointLabel } from '../../../../domain/charts/figures/point-label.ts';
import { fitsColumns, orderedShares, validCategories } from './ordered-shares.ts';
import {
  describeBase,
  formatCount,
  formatMean,
  formatPercent,
  formatScore,
  listStatistics,
  type Unit,
} from './describe-figures.ts';
import { type Distribution, type Figure, npsGroups, type QuestionData } from './figure-kind.ts';
import { studioTypeOf } from '../question-types/registry.ts';
import { Histogram } from './histogram.tsx';
import { OpenAnswers } from './open-answers.tsx';
import type { ResultsView } from '../survey/results-view.ts';

const t = texts.results;

export function QuestionFigure({
  figure,
  data,
  label,
  surveyId,
  view,
  unit,
}: {
  figure: Figure;
  /** Of the numbers of the question. */
  unit: Unit;
  data: QuestionData;
  /** Of the question. */
  label: string;
  surveyId: number;
  view: ResultsView;
}) {
  switch (figure.kind) {
    case 'choices':
      return <ChoiceFigure distribution={figure.distribution} label={label} />;
    case 'scale':
    case 'histogram':
    case 'dates':
      return (
        <OrderedFigure kind={figure.kind} distribution={figure.distribution} label={label} unit={unit} />
      );
    case 'nps':
      return <NpsFigure distribution={figure.distribution} label={label} />;
    case 'texts':
      return (
        <>
          <BaseLine distribution={figure.answered} />
          <OpenAnswers
            surveyId={surveyId}
            questionId={studioTypeOf(data).hasTableColumns === true ? null : data.question_id}
            columnCode={figure.columnCode}
            counted={data.counted}
            view={view}
          />
        </>
      );
    case 'files':
      return (
        <>
          <BaseLine distribution={figure.distribution} />
          <p class="soft">{t.files}</p>
        </>
      );
    case 'matrix':
      return <MatrixFigure whole={figure.whole} />;
    case 'row_numbers':
      return (
        <>
          <WholeBaseLine whole={figure.whole} />
          <BarList
            label={label}
            bars={meanBars(figure.whole.rows.map((row) => ({ ...row, name: row.row_label })))}
          />
        </>
      );
    case 'ranking':
      return <RankingFigure whole={figure.whole} label={label} />;
    case 'numbers':
      return (
        <>
          <WholeBaseLine whole={figure.whole} />
          <BarList
            label={label}
            bars={meanBars(figure.whole.options.map((part) => ({ ...part, name: part.option_label })))}
          />
        </>
      );
  }
}

function BaseLine({ distribution, note }: { distribution: Distribution; note?: string | undefined }) {
  return (
    <p class="result-base">
      {describeBase(distribution)}
      {note !== undefined && ` · ${note}`}
    </p>
  );
}

type Whole = Extract<Figure, { whole: object }>['whole'];

/** The base of a question with parts: respondents who answered any of them. */
function WholeBaseLine({ whole: { answered, missing }, note }: { whole: Whole; note?: string | undefined }) {
  return (
    <p class="result-base">
      {describeBase({ base: answered, missing })}
      {note !== undefined && ` · ${note}`}
    </p>
  );
}

function ChoiceFigure({ distribution, label }: { distribution: Distribution; label: string }) {
  return (
    <>
      <BaseLine distribution={distribution} note={distribution.type === 'multiple' ? t.several : undefined} />
      <BarList bars={shareBars(validCategories(distribution))} label={label} />
      {distribution.truncated && <p class="soft">{t.otherValues(distribution.distinct)}</p>}
    </>
  );
}

function Statistics({ list }: { list: readonly (readonly [name: string, value: string])[] }) {
  if (list.length === 0) return null;
  return (
    <dl class="result-statistics">
      {list.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function OrderedFigure({
  kind,
  distribution,
  label,
  unit,
}: {
  unit: Unit;
  kind: 'scale' | 'histogram' | 'dates';
  distribution: Distribution;
  label: string;
}) {
  const shares = orderedShares(kind, distribution);
  return (
    <>
      <BaseLine distribution={distribution} />
      <Statistics list={listStatistics(distribution.stats, { withQuartiles: kind === 'histogram', unit })} />
      {distribution.grouped_by !== null ? (
        <Histogram bins={shares} breaks={distribution.breaks} label={label} />
      ) : fitsColumns(kind, shares) ? (
        <ColumnChart shares={shares} label={label} />
      ) : (
        <BarList bars={shareBars(shares)} label={label} />
      )}
      {distribution.truncated && <p class="soft">{t.otherValues(distribution.distinct)}</p>}
    </>
  );
}

function NpsFigure({ distribution, label }: { distribution: Distribution; label: string }) {
  const groups = npsGroups(validCategories(distribution));
  const parts = (['detractors', 'passives', 'promoters'] as const).map((name) => ({
    label: t.npsGroups[name],
    percent: groups[name],
    count: 0,
  }));
  return (
    <>
      <BaseLine distribution={distribution} />
      <p class="result-score">
        <strong>{formatScore(distribution.stats?.nps ?? null)}</strong> {t.nps}
      </p>
      {distribution.base > 0 && (
        <>
          <StackedBar parts={parts} palette="diverging" />
          <StackLegend labels={parts.map((part) => part.label)} palette="diverging" />
        </>
      )}
      <ColumnChart shares={orderedShares('scale', distribution)} label={label} />
    </>
  );
}

function MatrixFigure({ whole }: { whole: Extract<Figure, { kind: 'matrix' }>['whole'] }) {
  const [first] = whole.rows;
  // Ordered columns, such as "Disagree" to "Agree", have a mean.
  const hasMean = first?.stats != null;
  const columns = first === undefined ? [] : validCategories(first).map(({ label }) => label);
  const palette = choosePalette(hasMean ? 'ordinal' : 'nominal', columns);
  return (
    <>
      <WholeBaseLine whole={whole} />
      {first !== undefined && (
        <StackLegend
          labels={validCategories(first).map(({ code, label }) =>
            hasMean ? pointLabel({ value: String(code), label }) : label,
          )}
          palette={palette}
        />
      )}
      <ul class="result-matrix">
        {whole.rows.map((row) => (
          <li key={row.row_code}>
            <p>
              <span>{row.row_label}</span>
              <span class="soft">
                {row.stats?.mean === undefined || row.stats.mean === null
                  ? t.answers(row.base)
                  : `${t.mean} ${formatMean(row.stats.mean)}`}
              </span>
            </p>
            <StackedBar parts={validCategories(row)} palette={palette} />
          </li>
        ))}
      </ul>
    </>
  );
}

function RankingFigure({
  whole,
  label,
}: {
  whole: Extract<Figure, { kind: 'ranking' }>['whole'];
  label: string;
}) {
  const count = whole.options.length;
  const best = [...whole.options].sort((a, b) => (a.mean_rank ?? Infinity) - (b.mean_rank ?? Infinity));
  return (
    <>
      <WholeBaseLine
        whole={whole}
        note={whole.base === whole.answered ? t.meanRank : t.meanRankOfAsked(whole.base)}
      />
      <BarList
        label={label}
        bars={best.map((option) => ({
          label: option.label,
          // The best possible rank has the full length.
          length: option.mean_rank === null ? null : (100 * (count + 1 - option.mean_rank)) / count,
          values: [formatMean(option.mean_rank), t.rankedFirst(formatPercent(option.top_1.percent))],
        }))}
      />
    </>
  );
}

/** A bar for the mean of each part, such as an item of a sum. */
function meanBars(parts: readonly { name: string; base: number; stats: Distribution['stats'] }[]) {
  const highest = Math.max(0, ...parts.map(({ stats }) => stats?.mean ?? 0));
  return parts.map(({ name, stats, base }) => ({
    label: name,
    length: highest === 0 ? 0 : (100 * (stats?.mean ?? 0)) / highest,
    values: [`${t.mean} ${formatMean(stats?.mean ?? null)}`, formatCount(base)],
  }));
}
