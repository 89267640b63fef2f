import { useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { parseCount } from './field-values.ts';

export type WaveQuotas = Schema<'WaveQuotas'>;
type Quota = WaveQuotas['quotas'][number];
type Mode = Quota['mode'];
type Question = Schema<'Question'>;

const t = texts.collect;

/** A group of a quota, with its target as text. */
interface Group {
  label: string;
  condition: object;
  target: number | null;
}

/** Replaces the quotas of a wave. The API takes back what it returned. */
export async function writeQuotas(
  waveId: number,
  quotas: readonly { quota_name: string; mode: Mode; cells: readonly object[] }[],
): Promise<void> {
  await changeApi('patch', '/api/surveys/waves/{id}/quotas', {
    path: { id: waveId },
    body: { quotas: [...quotas] as never },
  });
  await reloadQueries('/api/surveys');
}

/** Options by which groups are formed. A matrix has rows, so its options alone are no groups. */
const canGroup = ({ options, question_settings: settings }: Question): boolean =>
  options.length > 0 && !('rows' in settings);

/** The options of a question, or each pair of options of two questions. */
function groupsOf(first: Question | undefined, second: Question | undefined): Group[] {
  if (first === undefined) return [];
  return first.options.flatMap((option): Group[] => {
    const condition = { [first.question_code]: [option.option_value] };
    if (second === undefined) return [{ label: option.option_label, condition, target: null }];
    return second.options.map((other) => ({
      label: `${option.option_label} · ${other.option_label}`,
      condition: { ...condition, [second.question_code]: [other.option_value] },
      target: null,
    }));
  });
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const nameOf = (question: Question): string =>
  `${question.question_code} · ${shorten(question.question_text)}`;

/** Creates a quota from the answers to one or two questions, or changes the targets of one. */
export function QuotaDialog({
  survey,
  waveQuotas: { wave_id: waveId, quotas },
  quota,
  onClose,
}: {
  survey: SurveyTabProps['survey'];
  waveQuotas: WaveQuotas;
  /** null: a new quota. */
  quota: Quota | null;
  onClose: () => void;
}) {
  const questions = survey.questions.filter(canGroup);
  const [mode, setMode] = useState<Mode>(quota?.mode ?? 'hard');
  const [firstCode, setFirst] = useState(questions[0]?.question_code ?? '');
  const [secondCode, setSecond] = useState('');
  const find = (code: string) => questions.find(({ question_code: each }) => each === code);
  const groups: Group[] =
    quota === null
      ? groupsOf(find(firstCode), secondCode === firstCode ? undefined : find(secondCode))
      : quota.cells.map(({ cell_label: label, condition, target }) => ({ label, condition, target }));
  const save = async (values: ReadonlyMap<string, string>) => {
    const cells = groups.flatMap(({ label, condition }, index) => {
      const target = mode === 'counter' ? null : parseCount(values, `target-${index}`);
      return target === null && mode !== 'counter' ? [] : [{ cell_label: label, condition, target }];
    });
    if (cells.length === 0)
      throw new ApiError('rejected', { problems: [{ field: 'quota_name', message: t.needsTarget }] });
    const changed = { quota_name: values.get('quota_name')?.trim() ?? '', mode, cells };
    const others = quotas.filter(({ quota_id: id }) => id !== quota?.quota_id);
    try {
      await writeQuotas(waveId, quota === null ? [...others, changed] : replaceIn(quotas, quota, changed));
    } catch (error) {
      throw atOwnFields(error);
    }
    onClose();
    announce(t.savedQuota(changed.quota_name));
  };
  const options = questions.map((question): [string, string] => [question.question_code, nameOf(question)]);
  return (
    <Dialog title={quota === null ? t.newQuota : t.editQuota} onClose={onClose}>
      {quota === null && questions.length === 0 ? (
        <>
          <p>{t.noQuotaQuestions}</p>
          <div class="buttons">
            <CancelButton onClose={onClose} />
          </div>
        </>
      ) : (
        <Form submit={t.save} onSubmit={save} otherButtons={<CancelButton onClose={onClose} />}>
          <Field name="quota_name" label={t.quotaName} value={quota?.quota_name ?? ''} />
          <Choice
            name="mode"
            label={t.quotaMode}
            value={mode}
            options={Object.entries(t.modes)}
            onChange={(value) => setMode(value as Mode)}
          />
          {quota === null && (
            <>
              <Choice
                name="question"
                label={t.quotaQuestion}
                value={firstCode}
                options={options}
                onChange={setFirst}
              />
              <Choice
                name="second"
                label={t.quotaSecond}
                value={secondCode}
                options={[['', t.noSecond], ...options.filter(([code]) => code !== firstCode)]}
                onChange={setSecond}
              />
            </>
          )}
          {mode !== 'counter' && (
            <fieldset class="quota-targets">
              <legend>{t.targets}</legend>
              <p class="hint">{t.targetsHint}</p>
              {groups.map(({ label, target }, index) => (
                <TargetField
                  key={`${firstCode} ${secondCode} ${index}`}
                  name={`target-${index}`}
                  group={label}
                  value={target}
                />
              ))}
            </fieldset>
          )}
        </Form>
      )}
    </Dialog>
  );
}

const replaceIn = (
  quotas: readonly Quota[],
  quota: Quota,
  changed: { quota_name: string; mode: Mode; cells: readonly object[] },
) => quotas.map((each) => (each.quota_id === quota.quota_id ? changed : each));

/** The API names fields by the position of the quota in the wave; the dialog shows one quota. */
function atOwnFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const problems = error.problems.map(({ field, message }) => ({
    field: field.replace(/^quotas\[\d+\]\./, ''),
    message,
  }));
  return new ApiError(error.kind, { ...error, problems });
}

function Choice({
  onChange,
  ...props
}: Parameters<typeof SelectField>[0] & { onChange: (value: string) => void }) {
  return (
    <div onChange={(event) => onChange((event.target as HTMLSelectElement).value)}>
      <SelectField {...props} />
    </div>
  );
}

function TargetField({ name, group, value }: { name: string; group: string; value: number | null }) {
  return (
    <label class="quota-target">
      <span>{group}</span>
      <input
        class="field"
        name={name}
        inputMode="numeric"
        autocomplete="off"
        aria-label={t.groupTarget(group)}
        defaultValue={value?.toString() ?? ''}
      />
    </label>
  );
}
