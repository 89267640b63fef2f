import { useEffect, useId, useState } from 'preact/hooks';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { announce } from '../../../shared/client/notices.tsx';
import { weightsTexts as t } from '../../texts/weights.ts';
import { changeApi } from '../data/api.ts';
import { Waiting } from '../data/query-view.tsx';
import { readTypedNumber } from '../data/typed-number.ts';
import { useComputed } from '../data/use-computed.ts';
import type { SplitColumns } from '../survey/split-columns.ts';
import {
  type DraftDimension,
  type Group,
  groupsOf,
  isWhole,
  readPastedTargets,
  scaleTargets,
  shareText,
  totalOf,
} from './weight-draft.ts';

const shares = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The targets of a question, beside the shares of the sample. */
export function DimensionEditor({
  surveyId,
  dimension,
  name,
  columns,
  onChange,
  onRemove,
  onReady,
}: {
  surveyId: number;
  dimension: DraftDimension;
  name: string;
  columns: SplitColumns;
  onChange: (dimension: DraftDimension) => void;
  /** null: the only one. */
  onRemove: (() => void) | null;
  /** Called with whether every group has a target, and they add up to 100 %. */
  onReady: (isReady: boolean) => void;
}) {
  const { codes, targets } = dimension;
  const [code = '', crossed = ''] = codes;
  const { data, error, isLoading } = useComputed(code === '' ? null : codes.join('\n'), () =>
    changeApi('post', '/api/responses/{surveyId}/crosstab', {
      path: { surveyId },
      body: { rows: [[...codes]], status: ['complete'], statistics: ['column_percent'] },
    }),
  );
  const table = data?.tables[0];
  const isCurrent = table?.row.column_codes.join('\n').toLowerCase() === codes.join('\n').toLowerCase();
  const groups = table === undefined || !isCurrent ? [] : groupsOf(table);
  const present = groups.filter(({ count }) => count > 0);
  const empty = groups.filter(({ count }) => count === 0);
  const total = totalOf(present, targets);
  const isReady = present.length > 0 && isWhole(total);
  useEffect(() => onReady(isReady), [isReady]);
  const choose = (next: readonly string[]) => onChange({ ...dimension, codes: next, targets: {} });
  return (
    <fieldset class="weight-dimension">
      <legend class="visually-hidden">{name}</legend>
      <div class="weight-choices">
        <ColumnSelect
          label={t.variable}
          empty={t.choose}
          value={code}
          columns={columns}
          without={crossed}
          onChange={(value) => choose(value === '' ? [] : [value])}
        />
        {code !== '' && (
          <ColumnSelect
            label={t.crossed}
            empty={t.notCrossed}
            value={crossed}
            columns={columns}
            without={code}
            onChange={(value) => choose(value === '' ? [code] : [code, value])}
          />
        )}
        {onRemove !== null && (
          <button type="button" class="button small" onClick={onRemove} aria-label={t.removeDimension(name)}>
            {t.removeQuestion}
          </button>
        )}
      </div>
      {error !== null && <p class="problem">{errorMessage(error)}</p>}
      {isLoading && !isCurrent && <Waiting />}
      {isCurrent && groups.length === 0 && <p class="problem">{t.noCategories}</p>}
      {present.length > 0 && (
        <>
          <TargetTable
            groups={present}
            targets={targets}
            total={total}
            onChange={(next) => onChange({ ...dimension, targets: { ...targets, ...next } })}
          />
          {total !== null && !isReady && (
            <p class="problem" role="alert">
              {t.totalProblem(shares.format(total))}
            </p>
          )}
          {empty.length > 0 && (
            <p class="hint">{t.noRespondents(empty.map(({ label }) => label).join(', '))}</p>
          )}
          <div class="buttons">
            <button
              type="button"
              class="button small"
              onClick={() =>
                onChange({
                  ...dimension,
                  targets: Object.fromEntries(
                    present.map(({ value, percent }) => [value, shareText(percent)]),
                  ),
                })
              }
            >
              {t.fillSample}
            </button>
            {total !== null && total > 0 && !isReady && (
              <button
                type="button"
                class="button small"
                onClick={() => onChange({ ...dimension, targets: scaleTargets(present, dimension) })}
              >
                {t.scaleTargets}
              </button>
            )}
          </div>
        </>
      )}
    </fieldset>
  );
}

function ColumnSelect({
  label,
  empty,
  value,
  columns,
  without,
  onChange,
}: {
  label: string;
  /** What stands for no column. */
  empty: string;
  value: string;
  columns: SplitColumns;
  /** A column that cannot be chosen. */
  without: string;
  onChange: (code: string) => void;
}) {
  const id = useId();
  const groups = [
    [t.groups.questions, columns.questions],
    [t.groups.derived, columns.derived],
  ] as const;
  return (
    <div class="labeled">
      <label for={id}>{label}</label>
      <select id={id} class="field" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{empty}</option>
        {groups.map(
          ([name, list]) =>
            list.length > 0 && (
              <optgroup key={name} label={name}>
                {list
                  .filter(({ code }) => code !== without)
                  .map(({ code, label: text }) => (
                    <option key={code} value={code}>
                      {text}
                    </option>
                  ))}
              </optgroup>
            ),
        )}
      </select>
    </div>
  );
}

function TargetTable({
  groups,
  targets,
  total,
  onChange,
}: {
  groups: readonly Group[];
  targets: DraftDimension['targets'];
  total: number | null;
  onChange: (targets: DraftDimension['targets']) => void;
}) {
  const paste = (event: ClipboardEvent, index: number) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!/[\t\r\n]/.test(text.trim())) return;
    event.preventDefault();
    const pasted = readPastedTargets(text, groups, index);
    const count = Object.keys(pasted).length;
    if (count > 0) onChange(pasted);
    announce(count > 0 ? t.pasted(count) : t.notPasted);
  };
  return (
    <table class="weight-table">
      <thead>
        <tr>
          <th scope="col">{t.group}</th>
          <th scope="col">{t.sample}</th>
          <th scope="col">{t.target}</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ value, label, percent }, index) => (
          <tr key={value}>
            <th scope="row">{label}</th>
            <td>{shares.format(percent)} %</td>
            <td>
              <TargetField
                label={label}
                value={targets[value] ?? ''}
                onInput={(text) => onChange({ [value]: text })}
                onPaste={(event) => paste(event, index)}
              />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t.total}</th>
          <td>{shares.format(groups.reduce((sum, { percent }) => sum + percent, 0))} %</td>
          <td>{total === null ? '' : `${shares.format(total)} %`}</td>
        </tr>
      </tfoot>
    </table>
  );
}

function TargetField({
  label,
  value,
  onInput,
  onPaste,
}: {
  label: string;
  value: string;
  onInput: (text: string) => void;
  onPaste: (event: ClipboardEvent) => void;
}) {
  const id = useId();
  const [isLeft, setLeft] = useState(false);
  const problem = value.trim() === '' ? null : readTypedNumber(value, null).problem;
  const isShown = isLeft && problem !== null;
  return (
    <>
      <span class="weight-target">
        <input
          class="field"
          inputMode="decimal"
          autocomplete="off"
          aria-label={t.targetOf(label)}
          value={value}
          aria-invalid={isShown}
          {...(isShown ? { 'aria-describedby': `${id}-problem` } : {})}
          onInput={(event) => onInput(event.currentTarget.value)}
          onFocus={() => setLeft(false)}
          onBlur={() => setLeft(true)}
          onPaste={onPaste}
        />
        %
      </span>
      {isShown && (
        <span class="problem" id={`${id}-problem`}>
          {problem}
        </span>
      )}
    </>
  );
}
