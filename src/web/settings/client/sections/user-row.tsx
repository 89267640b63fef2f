import type { ComponentChildren } from 'preact';
import type { User } from '../api.ts';
import { Avatar } from '../avatar.tsx';
import { DateTime } from '../date-time.tsx';
import { ROLE_LABELS, STATUS_LABELS } from '../user-labels.ts';
import { texts } from '../../texts.ts';

type Shown = Pick<User, 'user_id' | 'user_name' | 'user_email' | 'user_role' | 'user_status'> &
  Partial<Pick<User, 'avatar_url' | 'last_login_at' | 'ai_access'>>;

/** A user in a list, with buttons. */
export function UserRow({
  user,
  isMe = false,
  children,
}: {
  user: Shown;
  isMe?: boolean;
  children?: ComponentChildren;
}) {
  const { user_status: status, last_login_at: lastLogin } = user;
  return (
    <li class="row">
      <Avatar user={user} />
      <div class="what">
        <p class="title">
          {user.user_name}
          {isMe && <span class="soft"> {texts.userRow.you}</span>}
          <span class="chip">{ROLE_LABELS[user.user_role]}</span>
          {status !== 1 && (
            <span class={status === 2 ? 'chip wait' : 'chip bad'}>{STATUS_LABELS[status]}</span>
          )}
          {user.ai_access === false && <span class="chip">{texts.userRow.noAi}</span>}
        </p>
        <p class="soft">
          {user.user_email}
          {typeof lastLogin === 'string' && (
            <>
              {' · '}
              {texts.userRow.lastSignedIn} <DateTime at={lastLogin} />
            </>
          )}
          {lastLogin === null && status === 1 && ` · ${texts.userRow.neverSignedIn}`}
        </p>
      </div>
      {children}
    </li>
  );
}
