import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type Me, sendChange, type User } from '../api.ts';
import { Confirm } from '../dialog.tsx';
import { ListView } from '../list-view.tsx';
import { SearchField } from '../search-field.tsx';
import { useList } from '../use-list.ts';
import { Section } from './section.tsx';
import { EditUser, NewUser, SuspendUser } from './user-forms.tsx';
import { UserRow } from './user-row.tsx';

type Open = { kind: 'new' } | { kind: 'edit' | 'suspend' | 'reactivate' | 'delete'; user: User } | null;

const STATUS_FILTERS = [
  ['', 'Everybody'],
  ['1', 'Active'],
  ['2', 'Waiting for approval'],
  ['3', 'Suspended'],
  ['0', 'Deleted'],
] as const;

export function Users({ me, onChange }: { me: Me; onChange: () => Promise<void> }) {
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [open, setOpen] = useState<Open>(null);
  const query = new URLSearchParams({ limit: '50', sort: 'user_name' });
  if (search !== '') query.set('search', search);
  if (status !== '') query.set('user_status', status);
  const users = useList<User>(`/api/users?${query.toString()}`);
  const close = () => setOpen(null);
  const done = async (said: string) => {
    close();
    announce(said);
    await Promise.all([users.reload(), onChange()]);
  };
  const isFiltered = search !== '' || status !== '';
  return (
    <Section
      title="Users"
      about="Everybody in the organization, and what they may do."
      action={
        <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
          Add a user
        </button>
      }
    >
      <div class="filters">
        <SearchField label="Search by name or e-mail" onSearch={setSearch} />
        <label>
          <span class="unseen">Status</span>
          <select class="field" onChange={(event) => setStatus(event.currentTarget.value)}>
            {STATUS_FILTERS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="soft count" role="status">
        {users.total !== null && (users.total === 1 ? '1 user' : `${users.total} users`)}
      </p>
      <ListView
        listed={users}
        label="Users"
        empty={<p>{isFiltered ? 'Nobody is like that.' : 'Nobody is here yet.'}</p>}
      >
        {(user) => (
          <UserRow key={user.user_id} user={user} isMe={user.user_id === me.user_id}>
            {user.user_status !== 0 && (user.user_role !== 'superadmin' || me.user_role === 'superadmin') && (
              <button type="button" class="small" onClick={() => setOpen({ kind: 'edit', user })}>
                Edit<span class="unseen"> {user.user_name}</span>
              </button>
            )}
          </UserRow>
        )}
      </ListView>
      {open?.kind === 'new' && <NewUser onClose={close} onDone={done} />}
      {open?.kind === 'edit' && (
        <EditUser
          user={open.user}
          isMe={open.user.user_id === me.user_id}
          onClose={close}
          onDone={done}
          onStatus={(kind) => setOpen({ kind, user: open.user })}
        />
      )}
      {open?.kind === 'suspend' && <SuspendUser user={open.user} onClose={close} onDone={done} />}
      {open?.kind === 'reactivate' && (
        <Confirm
          title={`Reactivate ${open.user.user_name}?`}
          action="Reactivate"
          danger={false}
          onClose={close}
          onYes={async () => {
            await sendChange('POST', `/api/users/${open.user.user_id}/reactivate`);
            await done(`${open.user.user_name} is active again`);
          }}
        >
          They can sign in again. API keys that were revoked stay revoked.
        </Confirm>
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete ${open.user.user_name}?`}
          action="Delete"
          onClose={close}
          onYes={async () => {
            await sendChange('DELETE', `/api/users/${open.user.user_id}`);
            await done(`${open.user.user_name} is deleted`);
          }}
        >
          They are signed out at once, and their API keys stop working for good. What they made stays. This
          cannot be undone.
        </Confirm>
      )}
    </Section>
  );
}
