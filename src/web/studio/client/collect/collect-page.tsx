import { useState } from 'preact/hooks';
import { useAction } from '../../../shared/client/form.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { useRefresh } from '../survey/use-refresh.ts';
import './collect.css';
import { CollectionState } from './collection-state.tsx';
import { Invitations } from './invitations/invitations.tsx';
import { InvitePanel } from './invitations/invite-panel.tsx';
import { LinkCard } from './link-card.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { Waves } from './waves.tsx';

const t = texts.collect;

const TEST_RESPONSES = 50;
const MAX_LISTED = 1000;

/** How the survey is distributed: its links, test responses, waves and quotas. */
export function CollectPage(props: SurveyTabProps) {
  const { survey, canEdit } = props;
  if (survey.published_version !== null) return <PublishedSurvey {...props} />;
  return (
    <Section title={t.title}>
      <div class="blank">
        <p class="title">{canEdit ? t.draftTitle : t.draftTitleViewer}</p>
        <p>{t.draftAbout}</p>
        {canEdit && (
          <a class="button primary" href={`/surveys/${survey.survey_id}/edit`} onClick={followLink}>
            {t.toEdit}
          </a>
        )}
      </div>
    </Section>
  );
}

function PublishedSurvey({ survey, canEdit }: SurveyTabProps) {
  const { survey_id: surveyId } = survey;
  const { timezone: timeZone } = survey.survey_settings;
  const [isCreating, setIsCreating] = useState(false);
  const [isInviting, setInviting] = useState(false);
  useRefresh(`/api/surveys/${surveyId}`);
  const links = useQuery('/api/surveys/{surveyId}/links', {
    path: { surveyId },
    query: { limit: MAX_LISTED },
  });
  if (isInviting)
    return <InvitePanel survey={survey} links={links.data ?? []} onClose={() => setInviting(false)} />;
  return (
    <Section
      title={t.title}
      action={
        canEdit && (
          <button type="button" class="button" onClick={() => setIsCreating(true)}>
            {t.newLink}
          </button>
        )
      }
    >
      <CollectionState survey={survey} canEdit={canEdit} />
      <QueryView query={links}>
        {(items) =>
          items.length === 0 ? (
            <p class="blank">{t.noLinks}</p>
          ) : (
            <ul class="link-cards" aria-label={t.links}>
              {items.map((link) => (
                <LinkCard key={link.link_id} survey={survey} link={link} canEdit={canEdit} />
              ))}
            </ul>
          )
        }
      </QueryView>
      <Invitations
        surveyId={surveyId}
        isAnonymous={survey.survey_settings.anonymous}
        canEdit={canEdit}
        onInvite={() => setInviting(true)}
      />
      <Waves survey={survey} canEdit={canEdit} />
      {canEdit && <TestResponses surveyId={surveyId} />}
      {isCreating && (
        <LinkDialog
          surveyId={surveyId}
          timeZone={timeZone}
          link={null}
          onClose={() => setIsCreating(false)}
        />
      )}
    </Section>
  );
}

function TestResponses({ surveyId }: { surveyId: number }) {
  const { runAction, errorNotice } = useAction();
  const { data: stats } = useQuery('/api/responses/{surveyId}/stats', { path: { surveyId } });
  const [isBusy, setIsBusy] = useState(false);
  const run = (action: () => Promise<void>) => async () => {
    if (isBusy) return;
    setIsBusy(true);
    await runAction(async () => {
      await action();
      await reloadQueries('/api/responses');
    });
    setIsBusy(false);
  };
  const count = stats?.test ?? 0;
  const hasRealResponses = (stats?.total ?? 0) > 0;
  const add = run(async () => {
    const { created } = await changeApi('post', '/api/responses/{surveyId}/seed', {
      path: { surveyId },
      body: { count: TEST_RESPONSES },
    });
    announce(hasRealResponses ? t.hiddenTestsAdded(created) : t.testsAdded(created));
  });
  const remove = run(async () => {
    await changeApi('delete', '/api/responses/{surveyId}/seed', { path: { surveyId } });
    announce(t.testsRemoved);
  });
  return (
    <section class="card collect-tests">
      <div>
        <h2>
          {t.tests} {count > 0 && <span class="chip wait">{t.testCount(count)}</span>}
        </h2>
        <p class="soft">{hasRealResponses ? t.testsHidden : t.testsAbout}</p>
        {errorNotice}
      </div>
      <div class="buttons">
        <button type="button" class="button small" aria-disabled={isBusy} onClick={() => void add()}>
          {t.addTests(TEST_RESPONSES)}
        </button>
        {count > 0 && (
          <button
            type="button"
            class="button small danger"
            aria-disabled={isBusy}
            onClick={() => void remove()}
          >
            {t.removeTests}
          </button>
        )}
      </div>
    </section>
  );
}
