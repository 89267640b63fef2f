import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, startJob } from '../../../shared/client/api.ts';
import { useAction } from '../../../shared/client/form.tsx';
import { texts } from '../../texts.ts';
import { apiAddress, changeApi, readApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { type ResultsView, selectionFilter } from '../survey/results-view.ts';
import { formatCount, formatPercent } from './describe-figures.ts';

const t = texts.results.themes;

type ThemeAnalysis = Schema<'ThemeAnalysis'>;

const THEMES_PATH = '/api/responses/{surveyId}/ai/themes';
/** More answers are analyzed in a job, which shows its progress. */
const MAX_WAITING = 500;
const POLL_MS = 1_500;
const STATUSES = ['complete', 'partial', 'screened_out'] as const;

type Progress = { kind: 'idle' } | { kind: 'request' } | { kind: 'job'; progress: number };

/** Finds what the open answers are about, when the reader asks for it: the analysis can use credits. */
export function Themes({
  surveyId,
  questionId,
  count,
  view,
  includesTests,
}: {
  surveyId: number;
  questionId: number;
  /** Number of answers. */
  count: number;
  view: ResultsView;
  includesTests: boolean;
}) {
  const [analysis, setAnalysis] = useState<ThemeAnalysis | null>(null);
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const { runAction, errorNotice } = useAction();
  const isGone = useRef(false);
  useEffect(
    () => () => {
      isGone.current = true;
    },
    [],
  );

  const body = {
    question_id: questionId,
    status: view.status === 'all' ? [...STATUSES] : [view.status],
    filter: selectionFilter(view),
    include_test: includesTests,
    quality: 'exclude_confirmed' as const,
  };
  const request = () => changeApi('post', THEMES_PATH, { path: { surveyId }, body });
  const find = async (): Promise<ThemeAnalysis | null> => {
    if (count <= MAX_WAITING) {
      const reply = await request();
      if ('themes' in reply) return reply;
    }
    const jobId = await startJob(apiAddress(THEMES_PATH, { path: { surveyId } }), body);
    await reloadQueries('/api/jobs');
    if (!(await waitForJob(jobId))) return null;
    // The job has analyzed all texts, so the whole reply is there at once, without further credits.
    const reply = await request();
    return 'themes' in reply ? reply : find();
  };
  /** Returns false when the page is left before. */
  const waitForJob = async (id: number): Promise<boolean> => {
    while (!isGone.current) {
      const { data: job } = await readApi('/api/jobs/{id}', { path: { id } });
      if (job.status === 'done') return true;
      if (job.status === 'failed' || job.status === 'cancelled')
        throw new ApiError('rejected', { message: job.error?.message ?? t.canceled });
      setProgress({ kind: 'job', progress: job.progress });
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return false;
  };
  const start = () => {
    if (progress.kind !== 'idle') return;
    setProgress({ kind: 'request' });
    void runAction(async () => {
      const found = await find();
      if (found === null) return;
      setAnalysis(found);
      await reloadQueries('/api/billing/balance');
    }).finally(() => setProgress({ kind: 'idle' }));
  };

  return (
    <section class="result-themes" aria-label={t.title} aria-busy={progress.kind !== 'idle'}>
      <div class="result-themes-head">
        <button type="button" class="button small" aria-disabled={progress.kind !== 'idle'} onClick={start}>
          {analysis === null ? t.find : t.findAgain}
        </button>
        <p class="soft" role="status">
          {describeProgress(progress, analysis)}
        </p>
      </div>
      {progress.kind === 'job' && <progress value={progress.progress} max={1} aria-label={t.finding} />}
      {errorNotice}
      {analysis !== null && <ThemeList analysis={analysis} />}
    </section>
  );
}

function describeProgress(progress: Progress, analysis: ThemeAnalysis | null): string {
  if (progress.kind === 'request') return t.finding;
  if (progress.kind === 'job') return t.inBackground(formatPercent(100 * progress.progress));
  if (analysis === null) return t.about;
  return t.credits(analysis.credits_used, analysis.credits_remaining);
}

/** Bars of the themes. Opening one shows its description and examples. */
function ThemeList({ analysis }: { analysis: ThemeAnalysis }) {
  const { themes, base, method, without_theme: rest } = analysis;
  if (themes.length === 0) return <p class="soft">{t.none}</p>;
  return (
    <>
      <ul class="result-theme-list" aria-label={t.title}>
        {themes.map(({ theme, description, share, count, examples }) => (
          <li key={theme}>
            <details>
              <summary>
                <span class="result-theme-name">{theme}</span>
                <span class="result-bar-track" aria-hidden="true">
                  <i style={{ inlineSize: `${Math.min(100, 100 * share)}%` }} />
                </span>
                <span class="result-bar-values">
                  <span>{formatPercent(100 * share)}</span> <span>{formatCount(count)}</span>
                </span>
              </summary>
              <p class="soft">{description}</p>
              {examples.map((example) => (
                <blockquote key={example.response_id}>{example.text}</blockquote>
              ))}
            </details>
          </li>
        ))}
      </ul>
      <p class="soft">
        {t.basis(base)} {method} {t.without(formatPercent(100 * rest.share))}
      </p>
    </>
  );
}
