import { useEffect, useState } from 'preact/hooks';
import { followLink } from '../../../shared/client/navigation.tsx';
import { isAdmin } from '../../../shared/client/session.ts';
import { texts } from '../../texts.ts';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { useSession } from '../shell/session-context.tsx';

type Survey = Schema<'Survey'>;

const t = texts.surveys.firstSteps;

interface Step {
  label: string;
  isDone: boolean;
  /** Where the step is taken. */
  path: string;
}

const MAX_READ = 50;

/** What a new workspace still needs, until everything is done or the user hides it. It is shown at once, so that the list below does not move. */
export function FirstSteps({ surveys: all }: { surveys: readonly Survey[] }) {
  const { me, workspace } = useSession();
  // Nobody has edited the examples of the first start.
  const surveys = all.filter(({ last_edited_by: editor }) => editor !== null);
  const begin = Math.min(...surveys.map(({ survey_inserted: at }) => Date.parse(at)));
  const key = `first-steps-hidden-${workspace?.workspace_id ?? 0}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) !== null);
  const dashboards = useQuery(
    '/api/dashboards',
    isHidden ? null : { query: { workspace_id: workspace?.workspace_id, limit: MAX_READ } },
  );
  const users = useQuery('/api/users', isHidden || !isAdmin(me) ? null : { query: { limit: 2 } });
  const newest = surveys[0]?.survey_id;
  const isPublished = surveys.some((survey) => survey.published_version !== null);
  const inSurvey = (tab: string) => (newest === undefined ? '/surveys/new' : `/surveys/${newest}/${tab}`);
  const steps: Step[] = [
    { label: t.create, isDone: surveys.length > 0, path: '/surveys/new' },
    { label: t.publish, isDone: isPublished, path: inSurvey('edit') },
    {
      label: t.collect,
      isDone: surveys.some((survey) => survey.response_count > 0),
      path: inSurvey('collect'),
    },
    {
      label: t.share,
      isDone: dashboards.data?.some(({ updated_at: at }) => Date.parse(at) > begin) ?? false,
      path: inSurvey('results'),
    },
    ...(isAdmin(me)
      ? [{ label: t.invite, isDone: (users.data?.length ?? 0) > 1, path: '/settings/invites' }]
      : []),
  ];
  const hide = () => {
    localStorage.setItem(key, 'true');
    setHidden(true);
  };
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  const isDone = doneCount === steps.length;
  useEffect(() => {
    // The next visit does not begin with a list that then disappears.
    if (isDone) hide();
  }, [isDone]);
  if (isHidden || isDone) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section class="card first-steps" aria-labelledby="first-steps">
      <div class="head">
        <h2 id="first-steps">{t.title}</h2>
        <p class="soft">{t.progress(doneCount, steps.length)}</p>
        <button type="button" class="plain" onClick={hide}>
          {t.hide}
        </button>
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.label} class={step.isDone ? 'done' : ''}>
            <span class="mark" aria-hidden="true">
              {step.isDone ? '✓' : ''}
            </span>
            {step.isDone ? (
              <span>
                {step.label} <span class="visually-hidden">{t.done}</span>
              </span>
            ) : (
              <a href={step.path} onClick={followLink} {...(step === next ? { 'aria-current': 'step' } : {})}>
                {step.label}
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
