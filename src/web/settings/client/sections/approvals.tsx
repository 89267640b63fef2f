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

/** Who joined through an invite link and waits to be let in. */
export function Approvals({ onChange }: { onChange: () => Promise<void> }) {
  const waiting = useList<User>('/api/users?user_status=2&limit=50');
  const [rejecting, setRejecting] = useState<User | null>(null);
  const { act, refusal } = useAction();
  const done = async (said: string) => {
    announce(said);
    document.querySelector('h1')?.focus();
    await Promise.all([waiting.reload(), onChange()]);
  };
  return (
    <Section title="Approvals" about="Who joined through an invite link waits here until you let them in.">
      {refusal}
      <ListView
        listed={waiting}
        label="Waiting for approval"
        empty={
          <>
            <p class="title">Nobody is waiting</p>
            <p>
              <a href="/settings/invites" onClick={followLink}>
                Send an invite link
              </a>{' '}
              to somebody, and they appear here once they have joined.
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
                  void act(async () => {
                    await sendChange('POST', `/api/users/${user.user_id}/approve`);
                    await done(`${user.user_name} is approved`);
                  })
                }
              >
                Approve<span class="unseen"> {user.user_name}</span>
              </button>
              <button type="button" class="small" onClick={() => setRejecting(user)}>
                Reject<span class="unseen"> {user.user_name}</span>
              </button>
            </div>
          </UserRow>
        )}
      </ListView>
      {rejecting !== null && (
        <Confirm
          title={`Reject ${rejecting.user_name}?`}
          action="Reject"
          onClose={() => setRejecting(null)}
          onYes={async () => {
            await sendChange('POST', `/api/users/${rejecting.user_id}/reject`);
            await done(`${rejecting.user_name} is rejected`);
          }}
        >
          They cannot sign in. Their address is free again, so they can join anew through another link.
        </Confirm>
      )}
    </Section>
  );
}
