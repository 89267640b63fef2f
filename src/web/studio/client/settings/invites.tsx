import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { ConfirmDialog, Form } from '../../../shared/client/form.tsx';
import { announce, CopyButton } from '../../../shared/client/notices.tsx';
import { Card, Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { ListView, useList } from '../data/query-list.tsx';
import { ROLE_LABELS, ROLE_OPTIONS } from './user-display.tsx';
import { readTypedNumber } from '../data/typed-number.ts';

type InviteLink = Schema<'InviteLink'>;

const text = texts.invites;

export function Invites() {
  const links = useList('/api/invite-links');
  const [revoking, setRevoking] = useState<InviteLink | null>(null);
  return (
    <Section title={text.title} about={text.about}>
      <Card title={text.new}>
        <Form
          class="inline invite"
          submit={text.create}
          onSubmit={async (values, form) => {
            await changeApi('post', '/api/invite-links', {
              body: {
                user_role: values.get('user_role') as InviteLink['user_role'],
                // The server explains what is wrong with a text.
                invite_max_uses: toNumberOrText(values.get('invite_max_uses')) as number | null,
                expires_at: values.get('expires_at') || null,
              },
            });
            form.reset();
            announce(text.created);
            await links.reload();
          }}
        >
          <SelectField name="user_role" label={texts.common.role} value="member" options={ROLE_OPTIONS} />
          <Field name="invite_max_uses" label={text.maxUses} hint={text.maxUsesHint} inputMode="numeric" />
          <Field name="expires_at" label={text.expires} hint={texts.common.noExpiry} type="date" />
        </Form>
      </Card>
      <ListView
        list={links}
        label={text.title}
        empty={
          <>
            <p class="title">{text.empty}</p>
            <p>{text.emptyAbout}</p>
          </>
        }
      >
        {(link) => (
          <li key={link.invite_id} class="row">
            <div class="what">
              <p class="title">
                <code class="address">{link.invite_url}</code>
              </p>
              <p class="soft">
                <span class={link.invite_status === 'active' ? 'chip good' : 'chip bad'}>
                  {text.status[link.invite_status]}
                </span>{' '}
                {ROLE_LABELS[link.user_role]} · {text.uses(link.invite_uses, link.invite_max_uses)} ·{' '}
                {link.expires_at === null ? (
                  text.never
                ) : (
                  <>
                    {text.until} <DateTime at={link.expires_at} isEnd />
                  </>
                )}
              </p>
            </div>
            <div class="buttons">
              {link.invite_status === 'active' && <CopyButton text={link.invite_url} name={text.link} />}
              <button type="button" class="button small" onClick={() => setRevoking(link)}>
                {texts.common.revoke}
                <span class="visually-hidden"> {text.revokeLabel(ROLE_LABELS[link.user_role])}</span>
              </button>
            </div>
          </li>
        )}
      </ListView>
      {revoking !== null && (
        <ConfirmDialog
          title={text.revokeQuestion}
          action={text.revokeSubmit}
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await changeApi('delete', '/api/invite-links/{id}', { path: { id: revoking.invite_id } });
            announce(text.revoked);
            await links.reload();
          }}
        >
          {text.revokeAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Returns a text that is not a number unchanged. */
function toNumberOrText(text = ''): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return readTypedNumber(trimmed, 0).value ?? trimmed;
}
