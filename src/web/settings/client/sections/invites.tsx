import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type InviteLink, sendChange } from '../api.ts';
import { CopyButton } from '../copy-button.tsx';
import { Confirm } from '../dialog.tsx';
import { Field, SelectField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { ListView } from '../list-view.tsx';
import { DateTime } from '../date-time.tsx';
import { ROLE_OPTIONS, ROLE_LABELS } from '../user-labels.ts';
import { useList } from '../use-list.ts';
import { Card, Section } from './section.tsx';

const LINK_STATUS_LABELS = { active: 'Active', used_up: 'Used up', expired: 'Expired' } as const;

export function Invites() {
  const links = useList<InviteLink>('/api/invite-links');
  const [revoking, setRevoking] = useState<InviteLink | null>(null);
  return (
    <Section
      title="Invite links"
      about="Send one to whoever is to join. They choose their own password, and wait for your approval."
    >
      <Card title="New link">
        <Form
          class="inline invite"
          submit="Make a link"
          onSubmit={async (values, form) => {
            await sendChange('POST', '/api/invite-links', {
              user_role: values.get('user_role'),
              invite_max_uses: toNumberOrText(values.get('invite_max_uses')),
              expires_at: values.get('expires_at') || null,
            });
            form.reset();
            announce('The link is ready to be copied');
            await links.reload();
          }}
        >
          <SelectField name="user_role" label="They become" value="member" options={ROLE_OPTIONS} />
          <Field name="invite_max_uses" label="People at most" hint="Empty: any number" inputMode="numeric" />
          <Field name="expires_at" label="Until" hint="Empty: for good" type="date" />
        </Form>
      </Card>
      <ListView
        listed={links}
        label="Invite links"
        empty={
          <>
            <p class="title">No links yet</p>
            <p>Make one above and send it to a colleague.</p>
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
                  {LINK_STATUS_LABELS[link.invite_status]}
                </span>{' '}
                {ROLE_LABELS[link.user_role]} · {formatUses(link)} ·{' '}
                {link.expires_at === null ? (
                  'no end'
                ) : (
                  <>
                    until <DateTime at={link.expires_at} isEnd />
                  </>
                )}
              </p>
            </div>
            <div class="buttons">
              {link.invite_status === 'active' && <CopyButton text={link.invite_url} name="Invite link" />}
              <button type="button" class="small" onClick={() => setRevoking(link)}>
                Revoke<span class="unseen"> the link for a {ROLE_LABELS[link.user_role].toLowerCase()}</span>
              </button>
            </div>
          </li>
        )}
      </ListView>
      {revoking !== null && (
        <Confirm
          title="Revoke this link?"
          action="Revoke link"
          onClose={() => setRevoking(null)}
          onYes={async () => {
            await sendChange('DELETE', `/api/invite-links/${revoking.invite_id}`);
            announce('The link is revoked');
            await links.reload();
          }}
        >
          Nobody can join through it any more. Who joined already stays.
        </Confirm>
      )}
    </Section>
  );
}

function formatUses({ invite_uses: uses, invite_max_uses: most }: InviteLink): string {
  return most === null ? `${uses} joined` : `${uses} of ${most} joined`;
}

/** What is no number goes to the server as it is: it says what is wrong with it. */
function toNumberOrText(text = ''): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : trimmed;
}
