import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage, messageInWords } from '../../../shared/client/form-errors.ts';
import { weightsTexts as t } from '../../texts/weights.ts';
import type { Schema } from '../data/api.ts';
import { Waiting } from '../data/query-view.tsx';
import { formatPercent } from '../results/describe-figures.ts';

type Weighting = Schema<'Weighting'>;

const rounded = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const shares = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const asPercent = (share: number): string => formatPercent(100 * share);

/** Warnings that the page says in other words. */
const SHOWN_OTHERWISE = new Set(['not_converged', 'targets_missed', 'low_efficiency']);

/** What a weight does to the sample: its cost, its distribution, and the margins before and after. */
export function WeightOutcome({
  data,
  error,
  nameOf,
}: {
  data: Weighting | null;
  error: ApiError | null;
  /** The name of the columns of a dimension. */
  nameOf: (columnCode: string) => string;
}) {
  if (error !== null)
    return (
      <p class="problem" role="alert">
        {errorMessage(error)}
      </p>
    );
  if (data === null) return <Waiting />;
  const { without_limits: free } = data;
  return (
    <div class="weight-outcome">
      <dl class="weight-facts">
        {(
          [
            [t.efficiency, asPercent(data.weighting_efficiency), t.efficiencyAbout],
            [
              t.effectiveBase,
              t.effectiveOf(t.number(Math.round(data.effective_base)), t.number(data.unweighted_base)),
            ],
            [t.designEffect, rounded.format(data.design_effect)],
            [t.smallest, rounded.format(data.min_weight)],
            [t.largest, rounded.format(data.max_weight)],
          ] as const
        ).map(([name, value, about]) => (
          <div key={name} title={about}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!data.converged && (
        <p class="problem" role="alert">
          {t.notConverged}
        </p>
      )}
      {free !== null && (
        <p class="soft">
          {t.atLimit(data.trimmed)}{' '}
          {t.limitsCost(
            { efficiency: asPercent(free.weighting_efficiency), largest: rounded.format(free.max_weight) },
            rounded.format(100 * data.max_error),
          )}
        </p>
      )}
      {data.warnings
        .filter(({ code }) => !SHOWN_OTHERWISE.has(code))
        .map(({ code, message }) => (
          <p key={code} class="caution">
            {messageInWords(message)}
          </p>
        ))}
      <WeightHistogram bins={data.histogram} />
      {data.dimensions.map((dimension) => (
        <Margins key={dimension.column_code} dimension={dimension} name={nameOf(dimension.column_code)} />
      ))}
    </div>
  );
}

function WeightHistogram({ bins }: { bins: Weighting['histogram'] }) {
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  return (
    <figure class="weight-histogram">
      <figcaption>{t.histogram}</figcaption>
      <ul aria-label={t.histogram}>
        {bins.map(({ from, to, count }, index) => {
          const text = t.bin(rounded.format(from), rounded.format(to), count);
          return (
            <li key={index} title={text}>
              <i style={{ blockSize: `${(100 * count) / highest}%` }} />
              <span class="visually-hidden">{text}</span>
            </li>
          );
        })}
      </ul>
      <p class="weight-axis soft" aria-hidden="true">
        <span>{rounded.format(bins[0]?.from ?? 0)}</span>
        <span>{rounded.format(bins.at(-1)?.to ?? 0)}</span>
      </p>
    </figure>
  );
}

function Margins({ dimension, name }: { dimension: Weighting['dimensions'][number]; name: string }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.margins(name)}>
      <table class="weight-table">
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{t.sample}</th>
            <th scope="col">{t.target}</th>
            <th scope="col">{t.weighted}</th>
          </tr>
        </thead>
        <tbody>
          {dimension.categories.map(({ value, label, unweighted, target, weighted }) => (
            <tr key={value}>
              <th scope="row">{label ?? t.noAnswer}</th>
              <td>{shares.format(unweighted)} %</td>
              <td>{shares.format(target)} %</td>
              <td>
                <span class="weight-bar" aria-hidden="true">
                  <i style={{ inlineSize: `${Math.min(100, weighted)}%` }} />
                  <b style={{ insetInlineStart: `${Math.min(100, unweighted)}%` }} />
                </span>
                {shares.format(weighted)} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
