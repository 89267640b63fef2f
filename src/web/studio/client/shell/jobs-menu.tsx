import { useEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { takeOpened } from './take-opened.ts';

type Job = Schema<'Job'>;

const POLL_MS = 2_000;
const SHOWN = 20;

const isUnfinished = ({ status }: Job): boolean => status === 'queued' || status === 'running';

const KINDS: Readonly<Record<string, string>> = texts.jobs.kinds;

const nameOfKind = (kind: string): string => KINDS[kind] ?? texts.jobs.otherKind;

/** The jobs of the user with their progress and files. Areas that start a job call `reloadQueries('/api/jobs')`. */
export function JobsMenu() {
  const [isOpen, setIsOpen] = useState(() => takeOpened('jobs'));
  const root = useRef<HTMLDivElement>(null);
  const { data: jobs = [] } = useQuery('/api/jobs', { query: { limit: SHOWN } });
  const running = jobs.filter(isUnfinished).length;

  useEffect(() => {
    if (running === 0) return undefined;
    const timer = setInterval(() => void reloadQueries('/api/jobs'), POLL_MS);
    return () => clearInterval(timer);
  }, [running > 0]);
  useEffect(() => {
    if (!isOpen) return undefined;
    void reloadQueries('/api/jobs');
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && root.current?.contains(event.target) !== true) setIsOpen(false);
    };
    addEventListener('pointerdown', closeOutside);
    return () => removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);

  return (
    <div
      class="menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        setIsOpen(false);
        root.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        class="icon-button"
        aria-label={texts.jobs.button(running)}
        title={texts.jobs.button(running)}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="jobs" />
        {running > 0 && (
          <span class="badge" aria-hidden="true">
            {running}
          </span>
        )}
      </button>
      {isOpen && (
        <section class="popup jobs" aria-label={texts.jobs.title}>
          <p class="title">{texts.jobs.title}</p>
          {jobs.length === 0 ? (
            <p class="soft">{texts.jobs.empty}</p>
          ) : (
            <ul>
              {jobs.map((job) => (
                <JobRow key={job.job_id} job={job} />
              ))}
            </ul>
          )}
        </section>
      )}
    </div>
  );
}

function JobRow({ job }: { job: Job }) {
  const { runAction, errorNotice } = useAction();
  const remove = () =>
    runAction(async () => {
      await changeApi('delete', '/api/jobs/{id}', { path: { id: job.job_id } });
      await reloadQueries('/api/jobs');
    });
  const name = nameOfKind(job.kind);
  return (
    <li class="job">
      <p class="title">
        {job.result?.file_name ?? name} <span class="soft">{texts.jobs.status[job.status]}</span>
      </p>
      {isUnfinished(job) && <progress value={job.progress} max={1} aria-label={name} />}
      {job.message !== null && isUnfinished(job) && <p class="soft">{job.message}</p>}
      {job.error !== null && <p class="problem">{job.error.message}</p>}
      {errorNotice}
      <div class="buttons">
        {job.result?.download_url !== undefined && (
          <a class="button small" href={`/api/jobs/${job.job_id}/file`} download>
            {texts.jobs.download}
          </a>
        )}
        <button type="button" class="button small" onClick={() => void remove()}>
          {isUnfinished(job) ? texts.jobs.cancel : texts.jobs.remove}
          <span class="visually-hidden"> {name}</span>
        </button>
      </div>
    </li>
  );
}
