import { useState } from 'preact/hooks';
import { TextAreaField } from '../../../shared/client/fields.tsx';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { announce, CopyButton } from '../../../shared/client/notices.tsx';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { LinkDialog } from './link-dialog.tsx';
import { LinkSignatures } from './link-signatures.tsx';

type Link = Schema<'Link'>;

const t = texts.collect;

const STATUS_CLASSES = {
  active: 'chip good',
  paused: 'chip wait',
  full: 'chip',
  closed: 'chip',
  expired: 'chip',
};

export function LinkCard({ survey, link, canEdit }: SurveyTabProps & { link: Link }) {
  const { timezone: timeZone, allow_restart: allowsSeveral } = survey.survey_settings;
  const [dialog, setDialog] = useState<'change' | 'delete' | null>(null);
  const { runAction, errorNotice } = useAction();
  const { link_name: name, link_status: status, link_url: url } = link;
  const path = { surveyId: link.survey_id, linkId: link.link_id };
  const setStatus = (newStatus: 'active' | 'paused', confirmation: string) => async () => {
    await changeApi('put', '/api/surveys/{surveyId}/links/{linkId}', {
      path,
      body: { link_status: newStatus },
    });
    await reloadQueries('/api/surveys');
    announce(confirmation);
  };
  const pause = { label: t.pause, run: () => void runAction(setStatus('paused', t.paused(name))) };
  const resume = { label: t.resume, run: () => void runAction(setStatus('active', t.resumed(name))) };
  const toggleRestart = async () => {
    await changeApi('put', '/api/surveys/{id}', {
      path: { id: survey.survey_id },
      body: { survey_settings: { allow_restart: !allowsSeveral } },
    });
    await reloadQueries('/api/surveys');
    announce(allowsSeveral ? t.oneAllowed : t.severalAllowed);
  };
  const close = () => setDialog(null);

  return (
    <li class="card link-card">
      <div class="link-head">
        <h2>{name}</h2>
        <span class={STATUS_CLASSES[status]}>
          {status === 'full' && link.link_type === 'unique' ? t.answered : t.status[status]}
        </span>
        <span class="chip">{t.types[link.link_type]}</span>
        {canEdit && (
          <Menu
            label={t.actions(name)}
            button={<Icon name="more" />}
            items={[
              { label: t.change, run: () => setDialog('change') },
              ...(status === 'active' ? [pause] : []),
              ...(status === 'paused' ? [resume] : []),
              { label: t.deleteLink, danger: true, run: () => setDialog('delete') },
            ]}
          />
        )}
      </div>
      {errorNotice}
      {url === null ? (
        <p class="soft">{t.hiddenAddress}</p>
      ) : (
        <div class="link-address">
          <code>{url}</code>
          <CopyButton text={url} name={t.address(name)} />
          <a class="button small" href={url} target="_blank" rel="noreferrer">
            {t.open}
            <span class="visually-hidden"> {t.newTab(name)}</span>
          </a>
        </div>
      )}
      {link.link_type === 'panel' && url !== null && (
        <p class="soft panel-address">
          {t.panelAbout} <code>{t.panelAddress(url)}</code>
        </p>
      )}
      <LinkProgress link={link} />
      {link.link_type === 'open' && (
        <p class="soft">
          {allowsSeveral ? t.severalPerDevice : t.oncePerDevice}{' '}
          {canEdit && (
            <button type="button" class="plain" onClick={() => void runAction(toggleRestart)}>
              {allowsSeveral ? t.allowOne : t.allowSeveral}
            </button>
          )}
        </p>
      )}
      {link.link_type === 'panel' && canEdit && <LinkSignatures link={link} />}
      {url !== null && <SharePanel survey={survey} link={link} canEdit={canEdit} />}
      {dialog === 'change' && (
        <LinkDialog surveyId={link.survey_id} timeZone={timeZone} link={link} onClose={close} />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle(name)}
          action={t.deleteLink}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/surveys/{surveyId}/links/{linkId}', { path });
            await reloadQueries('/api/surveys');
            announce(t.deletedLink(name));
          }}
        >
          {t.deleteAbout}
        </ConfirmDialog>
      )}
    </li>
  );
}

function LinkProgress({ link }: { link: Link }) {
  const { complete_count: complete, response_count: all, link_quota: limit } = link;
  if (complete === null || all === null) return <p class="soft">{t.hiddenCounts}</p>;
  const text = t.complete(complete, limit);
  return (
    <div class="link-progress">
      <p>
        <strong>{text}</strong>
        {all > complete && <span class="soft"> · {t.unfinished(all - complete)}</span>}
        {link.expires_at !== null && (
          <span class="soft">
            {' · '}
            {t.expires} <DateTime at={link.expires_at} isEnd />
          </span>
        )}
      </p>
      {limit !== null && <progress class="collect-bar" value={complete} max={limit} aria-label={text} />}
    </div>
  );
}

/** The QR code and the embed code. They are loaded when the panel is opened. */
function SharePanel({ survey, link, canEdit }: SurveyTabProps & { link: Link }) {
  const [isOpen, setIsOpen] = useState(false);
  const { link_name: name, survey_id: surveyId, link_id: linkId } = link;
  const qrAddress = `/api/surveys/${surveyId}/links/${linkId}/qr`;
  const embed = useQuery(
    '/api/surveys/{surveyId}/links/{linkId}/embed',
    isOpen ? { path: { surveyId, linkId } } : null,
  );
  return (
    <details class="link-share" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {t.share}
        <span class="visually-hidden"> {name}</span>
      </summary>
      {isOpen && (
        <div class="link-share-content">
          <div class="link-qr">
            <img src={`${qrAddress}?size=320`} width={160} height={160} alt={t.qrCode(name)} />
            <a class="button small" href={`${qrAddress}?format=png&size=1024`} download>
              {t.downloadQr}
            </a>
          </div>
          <QueryView query={embed}>
            {({ html }) => (
              <div class="link-embed">
                <p class="title">{t.embed}</p>
                <pre tabIndex={0}>{html}</pre>
                <CopyButton text={html} name={t.embed} />
                {canEdit && <EmbedOrigins survey={survey} />}
              </div>
            )}
          </QueryView>
        </div>
      )}
    </details>
  );
}

/** The websites that can show the survey in their pages. */
function EmbedOrigins({ survey }: Pick<SurveyTabProps, 'survey'>) {
  return (
    <Form
      submit={t.save}
      onSubmit={async (values) => {
        const origins = (values.get('survey_settings.embed_origins') ?? '').split(/[\s,;]+/);
        await changeApi('put', '/api/surveys/{id}', {
          path: { id: survey.survey_id },
          body: { survey_settings: { embed_origins: origins.filter((origin) => origin !== '') } },
        });
        await reloadQueries('/api/surveys');
        announce(t.embedOriginsSaved);
      }}
    >
      <TextAreaField
        name="survey_settings.embed_origins"
        label={t.embedOrigins}
        hint={t.embedOriginsHint}
        value={survey.survey_settings.embed_origins.join('\n')}
      />
    </Form>
  );
}
