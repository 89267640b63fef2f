import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { SearchField } from '../../../shared/client/fields.tsx';
import { followLink, useAddressParameter } from '../../../shared/client/navigation.tsx';
import { CopyButton } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { EmailFrame } from '../collect/invitations/email-frame.tsx';
import type { Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { PAGE_SIZE, ShowMore } from '../data/show-more.tsx';
import { canEditIn, useSession } from '../shell/session-context.tsx';

type Message = Schema<'OutboxMessage'>;

const t = texts.outbox;

const recipientOf = ({ to: { name, email } }: Message): string =>
  name === null ? email : `${name} <${email}>`;

/** The invitations that were not sent, because the installation has no mail server. */
export function OutboxPage() {
  const { workspace } = useSession();
  return canEditIn(workspace) ? (
    <Outbox workspaceId={workspace?.workspace_id} />
  ) : (
    <Section title={t.title}>
      <p class="blank">{t.notAllowed}</p>
    </Section>
  );
}

function Outbox({ workspaceId }: { workspaceId: number | undefined }) {
  const survey = useAddressParameter('survey') ?? '';
  const [email, setEmail] = useState('');
  const [limit, setLimit] = useState(PAGE_SIZE);
  const [opened, setOpened] = useState<Message | null>(null);
  const query = useQuery(
    '/api/outbox',
    {
      query: {
        workspace_id: workspaceId,
        limit,
        ...(/^[1-9]\d{0,8}$/.test(survey) ? { survey_id: Number(survey) } : {}),
        ...(email === '' ? {} : { email }),
      },
    },
    { keepPrevious: true },
  );
  return (
    <Section
      title={t.title}
      about={query.total === null || query.total === 0 ? undefined : t.about(query.total)}
    >
      <p class="soft">{t.explanation}</p>
      {survey !== '' && (
        <p>
          {t.ofSurvey}{' '}
          <a href="/outbox" onClick={followLink}>
            {t.showAll}
          </a>
        </p>
      )}
      <SearchField label={t.search} onSearch={setEmail} />
      <QueryView query={query}>
        {(messages) =>
          messages.length === 0 ? (
            <div class="blank" role="status">
              <p class="title">{email === '' ? t.emptyTitle : t.noMatch}</p>
              {email === '' && <p>{t.empty}</p>}
            </div>
          ) : (
            <ul class="card rows" aria-label={t.title} aria-busy={query.isLoading}>
              {messages.map((message) => (
                <li key={message.mail_id} class="row">
                  <div class="what">
                    <p class="title">{recipientOf(message)}</p>
                    <p class="soft">
                      {message.subject} · <DateTime at={message.kept_at} />
                    </p>
                  </div>
                  <div class="buttons">
                    <CopyButton text={message.link_url} name={t.linkOf(recipientOf(message))} />
                    <button
                      type="button"
                      class="button small"
                      aria-label={t.readName(recipientOf(message))}
                      onClick={() => setOpened(message)}
                    >
                      {t.read}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <ShowMore total={query.total} limit={limit} onChange={setLimit} />
      {opened !== null && (
        <Dialog title={t.letterTo(recipientOf(opened))} onClose={() => setOpened(null)}>
          <EmailFrame subject={opened.subject} html={opened.html} />
          <div class="buttons">
            <button type="button" class="button" onClick={() => setOpened(null)}>
              {t.close}
            </button>
            <CopyButton text={opened.link_url} name={t.linkOf(recipientOf(opened))} />
          </div>
        </Dialog>
      )}
    </Section>
  );
}
