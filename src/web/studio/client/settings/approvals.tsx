import { useState } from 'preact/hooks';
import { sendChange } from '../../../shared/client/api.ts';
import { ConfirmDialog, useAction } from '../../../shared/client/form.tsx';
import { ListView, useList } from '../../../shared/client/list.tsx';
import { followLink } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { User } from '../../../shared/client/session.ts';
import { UserRow } from './user-display.tsx';

const text = texts.approvals;

/** Users who joined through an invite link and wait for approval. */
export function Approvals({ onChange }: { onChange: () => Promise<void> }) {
  const waiting = useList<User>('/api/users?user_status=2&limit=50');
  const [rejecting, setRejecting] = useState<User | null>(null);
  const { runAction, errorNotice } = useAction();
  const done = async (announcement: string) => {
    announce(announcement);
    document.querySelector('h1')?.focus();
    await Promise.all([waiting.reload(), onChange()]);
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
                    await sendChange('POST', `/api/users/${user.user_id}/approve`);
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
            await sendChange('POST', `/api/users/${rejecting.user_id}/reject`);
            await done(text.rejected(rejecting.user_name));
          }}
        >
          {text.rejectAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}
