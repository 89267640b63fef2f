import { useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { questionLabel } from '../data/question-label.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { parseCount } from './field-values.ts';
import { canGroup, groupsOf, hasRanges, RangeProblem } from './quota-groups.ts';

export type WaveQuotas = Schema<'WaveQuotas'>;
type Quota = WaveQuotas['quotas'][number];
type Mode = Quota['mode'];
type Question = Schema<'Question'>;

const t = texts.collect;

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

const nameOf = (question: Question): string => `${question.question_code} · ${questionLabel(question)}`;

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
  const [ranges, setRanges] = useState<ReadonlyMap<string, string>>(new Map());
  const chosen = [find(firstCode), secondCode === firstCode ? undefined : find(secondCode)].filter(
    (question) => question !== undefined,
  );
  const { groups, problem } =
    quota === null ? formGroups(chosen, ranges) : { groups: quota.cells.map(asGroup), problem: null };
  const save = async (values: ReadonlyMap<string, string>) => {
    const cells = groups.flatMap(({ label, condition }, index) => {
      const target = mode === 'counter' ? null : parseCount(values, `target-${index}`);
      return target === null && mode !== 'counter' ? [] : [{ cell_label: label, condition, target }];
    });
    if (problem !== null)
      throw new ApiError('rejected', { problems: [{ field: 'ranges', message: problem }] });
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
              {chosen.filter(hasRanges).map((question) => (
                <div
                  key={question.question_code}
                  onInput={({ target }) =>
                    setRanges(new Map(ranges).set(question.question_code, (target as HTMLInputElement).value))
                  }
                >
                  <Field
                    name="ranges"
                    label={chosen.length === 1 ? t.ranges : t.rangesOf(question.question_code)}
                    hint={t.rangesHint}
                  />
                </div>
              ))}
              {problem !== null && <p class="problem">{problem}</p>}
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

interface ShownGroup {
  label: string;
  condition: object;
  target: number | null;
}

const asGroup = ({ cell_label: label, condition, target }: Quota['cells'][number]): ShownGroup => ({
  label,
  condition,
  target,
});

/** Returns the groups; none, and the problem, while the ranges are not complete. */
function formGroups(
  questions: readonly Question[],
  ranges: ReadonlyMap<string, string>,
): { groups: ShownGroup[]; problem: string | null } {
  try {
    const groups = groupsOf(questions, ({ question_code: code }) => ranges.get(code) ?? '');
    return { groups: groups.map((group) => ({ ...group, target: null })), problem: null };
  } catch (error) {
    if (!(error instanceof RangeProblem)) throw error;
    return { groups: [], problem: error.message };
  }
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
