import { useState } from 'preact/hooks';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { User } from '../../../shared/client/session.ts';
import { changeApi } from '../data/api.ts';
import { ListView, useList } from '../data/query-list.tsx';
import { UserRow } from './user-display.tsx';

const text = texts.approvals;
/** Status of users who wait for approval. */
export const PENDING = 2;

/** Users who joined through an invite link and wait for approval. */
export function Approvals({ onChange }: { onChange: () => Promise<void> }) {
  const waiting = useList('/api/users', { query: { user_status: PENDING } });
  const [rejecting, setRejecting] = useState<User | null>(null);
  const { runAction, errorNotice } = useAction();
  const done = async (announcement: string) => {
    announce(announcement);
    document.querySelector('h1')?.focus();
    await onChange();
  };
  return (
    <Section title={text.title} about={text.about}>
      {errorNotice}
      <ListView
        list={waiting}
        label={text.list}
        empty={
          <>
            <p class="title">{text.empty}</p>
            <p>
              <a href="/settings/invites" onClick={followLink}>
                {text.sendLink}
              </a>{' '}
              {text.emptyAbout}
            </p>
          </>
        }
      >
        {(user) => (
          <UserRow key={user.user_id} user={user}>
            <div class="buttons">
              <button
                type="button"
                class="button small primary"
                onClick={() =>
                  void runAction(async () => {
                    await changeApi('post', '/api/users/{id}/approve', { path: { id: user.user_id } });
                    await done(text.approved(user.user_name));
                  })
                }
              >
                {text.approve}
                <span class="visually-hidden"> {user.user_name}</span>
              </button>
              <button type="button" class="button small" onClick={() => setRejecting(user)}>
                {text.reject}
                <span class="visually-hidden"> {user.user_name}</span>
              </button>
            </div>
          </UserRow>
        )}
      </ListView>
      {rejecting !== null && (
        <ConfirmDialog
          title={text.rejectQuestion(rejecting.user_name)}
          action={text.reject}
          onClose={() => setRejecting(null)}
          onConfirm={async () => {
            await changeApi('post', '/api/users/{id}/reject', { path: { id: rejecting.user_id } });
            await done(text.rejected(rejecting.user_name));
          }}
        >
          {text.rejectAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}
