import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { readTypedNumber, typedForm } from '../data/typed-number.ts';
import { formatDuration } from './grid-columns.ts';

type Summary = Schema<'QualityReport'>['summary'][number];
export type Check = Summary['check'];

const t = texts.responses.quality;

const CHECKS = ['speeder', 'straightliner', 'duplicate', 'open_end', 'attention_check'] as const;

/** The limits of each check that can be changed here, by their names in the settings. */
const LIMITS = {
  speeder: ['ratio', 'min_seconds_per_question'],
  straightliner: ['min_rows', 'max_identical_share'],
  duplicate: ['min_identical_answers'],
  open_end: ['min_length', 'min_repeats'],
  attention_check: [],
} as const satisfies Readonly<Record<Check, readonly (keyof typeof t.limits)[]>>;

const WHOLE_NUMBERS: ReadonlySet<string> = new Set([
  'min_rows',
  'min_identical_answers',
  'min_length',
  'min_repeats',
]);

/** What a run of the checks uses instead of the settings of the survey. */
export interface QualityRun {
  checks: readonly Check[];
  /** Changed limits, by check. */
  limits: Readonly<Partial<Record<Check, Readonly<Record<string, number>>>>>;
}

/** The first run: every check, because a run only adds flags to review. */
export const EVERY_CHECK: QualityRun = { checks: CHECKS, limits: {} };

/** The fields of a request that runs the checks. */
export const runBody = ({ checks, limits }: QualityRun) => ({ checks: [...checks], ...limits, limit: 0 });

/** Computes what each check would flag, without storing anything. null: not computed yet. */
function usePreview(surveyId: number, limits: QualityRun['limits'], version: number) {
  const [state, setState] = useState<readonly Summary[] | ApiError | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const compute = async () => {
      try {
        const report = await changeApi('post', '/api/responses/{surveyId}/quality-check', {
          path: { surveyId },
          body: { ...runBody({ checks: CHECKS, limits }), dry_run: true },
        });
        if (isCurrent) setState(report.summary);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (isCurrent) setState(error);
      }
    };
    void compute();
    return () => {
      isCurrent = false;
    };
  }, [surveyId, JSON.stringify(limits), version]);
  return state;
}

/** The checks with their limits, and how many responses each of them would flag. */
export function QualitySettings({
  surveyId,
  run,
  version,
  onChange,
}: {
  surveyId: number;
  run: QualityRun;
  /** Changes when the responses have changed. */
  version: number;
  onChange: (run: QualityRun) => void;
}) {
  const [known, setKnown] = useState<readonly Summary[]>([]);
  const preview = usePreview(surveyId, run.limits, version);
  useEffect(() => {
    if (preview !== null && !(preview instanceof ApiError)) setKnown(preview);
  }, [preview]);
  if (preview instanceof ApiError && known.length === 0)
    return <p class="problem">{errorMessage(preview)}</p>;
  const toggle = (check: Check, isChosen: boolean) =>
    onChange({
      ...run,
      checks: CHECKS.filter((each) => (each === check ? isChosen : run.checks.includes(each))),
    });
  const setLimit = (check: Check, name: string, value: number) =>
    onChange({ ...run, limits: { ...run.limits, [check]: { ...run.limits[check], [name]: value } } });
  return (
    <>
      {preview instanceof ApiError && <p class="problem">{errorMessage(preview)}</p>}
      <ul class="quality-settings" aria-label={t.checksTitle}>
        {known.filter(isUsable).map((summary) => (
          <li key={summary.check}>
            <label class="check">
              <input
                type="checkbox"
                checked={run.checks.includes(summary.check)}
                onChange={(event) => toggle(summary.check, event.currentTarget.checked)}
              />
              <strong>{texts.responses.checks[summary.check]}</strong>
            </label>
            <span class="quality-preview">{t.preview(summary.flagged, summary.checked)}</span>
            <p class="soft">{describeCheck(summary)}</p>
            {LIMITS[summary.check].map((name) => (
              <LimitField
                key={name}
                name={name}
                value={run.limits[summary.check]?.[name] ?? summary.thresholds[name] ?? 0}
                onChange={(value) => setLimit(summary.check, name, value)}
              />
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function LimitField({
  name,
  value,
  onChange,
}: {
  name: keyof typeof t.limits;
  value: number;
  onChange: (value: number) => void;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const id = `quality-${name}`;
  return (
    <div class="quality-limit">
      <label for={id}>{t.limits[name]}</label>
      <input
        id={id}
        class="field"
        inputMode="decimal"
        autocomplete="off"
        defaultValue={typedForm(value)}
        aria-invalid={problem !== null}
        {...(problem === null ? {} : { 'aria-describedby': `${id}-problem` })}
        onChange={(event) => {
          const typed = readTypedNumber(event.currentTarget.value, WHOLE_NUMBERS.has(name) ? 0 : null);
          setProblem(typed.value === null ? typed.problem : null);
          if (typed.value !== null) onChange(typed.value);
        }}
      />
      {problem !== null && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** An attention check needs a question whose right answer the survey names. */
const isUsable = ({ check, thresholds }: Summary): boolean =>
  check !== 'attention_check' || thresholds.checks !== 0;

/** What the check looks for. The median is known only once there are responses with a duration. */
function describeCheck({ check, thresholds }: Summary): string {
  const { median_seconds: median, completes, min_completes: least } = thresholds;
  if (check !== 'speeder') return t.checkAbout[check];
  if (median == null) return t.checkAbout.speeder;
  return (completes ?? 0) >= (least ?? 0)
    ? `${t.checkAbout.speeder} ${t.median(formatDuration(median))}`
    : `${t.checkAbout.speeder} ${t.fewCompletes(least ?? 0)}`;
}
