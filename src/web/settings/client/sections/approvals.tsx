import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { sendChange, type User } from '../api.ts';
import { Confirm } from '../dialog.tsx';
import { ListView } from '../list-view.tsx';
import { followLink } from '../router.ts';
import { useAction } from '../use-action.tsx';
import { useList } from '../use-list.ts';
import { Section } from './section.tsx';
import { UserRow } from './user-row.tsx';
import { texts } from '../../texts.ts';

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
                class="small strong"
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
              <button type="button" class="small" onClick={() => setRejecting(user)}>
                {text.reject}
                <span class="visually-hidden"> {user.user_name}</span>
              </button>
            </div>
          </UserRow>
        )}
      </ListView>
      {rejecting !== null && (
        <Confirm
          title={text.rejectQuestion(rejecting.user_name)}
          action={text.reject}
          onClose={() => setRejecting(null)}
          onConfirm={async () => {
            await sendChange('POST', `/api/users/${rejecting.user_id}/reject`);
            await done(text.rejected(rejecting.user_name));
          }}
        >
          {text.rejectAbout}
        </Confirm>
      )}
    </Section>
  );
}
