import type { ComponentChildren } from 'preact';
import { Avatar } from '../../../shared/client/avatar.tsx';
import { DateTime } from '../../../shared/client/date-time.tsx';
import type { User } from '../../../shared/client/session.ts';
import { settingsTexts as texts } from '../../texts/settings.ts';

export const ROLE_LABELS: Record<User['user_role'], string> = texts.roles;

export const STATUS_LABELS: Record<User['user_status'], string> = {
  0: texts.userStatus.deleted,
  1: texts.userStatus.active,
  2: texts.userStatus.waiting,
  3: texts.userStatus.suspended,
};

/** The roles that can be assigned, with their descriptions. */
export const ROLE_OPTIONS = [
  ['member', texts.roleOptions.member],
  ['admin', texts.roleOptions.admin],
  ['client', texts.roleOptions.client],
] as const;

type Shown = Pick<User, 'user_id' | 'user_name' | 'user_email' | 'user_role' | 'user_status'> &
  Partial<Pick<User, 'avatar_url' | 'last_login_at' | 'ai_access' | 'email_confirmed'>>;

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
          {user.email_confirmed === false && status === 1 && (
            <span class="chip wait">{texts.userRow.notConfirmed}</span>
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
