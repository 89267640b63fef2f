import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type Me, sendChange, type User } from '../api.ts';
import { Confirm } from '../dialog.tsx';
import { ListView } from '../list-view.tsx';
import { SearchField } from '../search-field.tsx';
import { useList } from '../use-list.ts';
import { Section } from './section.tsx';
import { STATUS_LABELS } from '../user-labels.ts';
import { EditUser, NewUser, SuspendUser } from './user-forms.tsx';
import { UserRow } from './user-row.tsx';
import { texts } from '../../texts.ts';

const text = texts.users;

type Open = { kind: 'new' } | { kind: 'edit' | 'suspend' | 'reactivate' | 'delete'; user: User } | null;

const STATUS_FILTERS = [
  ['', text.all],
  ['1', STATUS_LABELS[1]],
  ['2', STATUS_LABELS[2]],
  ['3', STATUS_LABELS[3]],
  ['0', STATUS_LABELS[0]],
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
  const done = async (announcement: string) => {
    close();
    announce(announcement);
    await Promise.all([users.reload(), onChange()]);
  };
  const isFiltered = search !== '' || status !== '';
  return (
    <Section
      title={text.title}
      about={text.about}
      action={
        <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
          {text.new}
        </button>
      }
    >
      <div class="filters">
        <SearchField label={text.search} onSearch={setSearch} />
        <label>
          <span class="visually-hidden">{text.status}</span>
          <select class="field" onChange={(event) => setStatus(event.currentTarget.value)}>
            {STATUS_FILTERS.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="soft count" role="status">
        {users.total !== null && text.count(users.total)}
      </p>
      <ListView list={users} label={text.title} empty={<p>{isFiltered ? text.noMatch : text.empty}</p>}>
        {(user) => (
          <UserRow key={user.user_id} user={user} isMe={user.user_id === me.user_id}>
            {user.user_status !== 0 && (user.user_role !== 'superadmin' || me.user_role === 'superadmin') && (
              <button type="button" class="small" onClick={() => setOpen({ kind: 'edit', user })}>
                {texts.common.edit}
                <span class="visually-hidden"> {user.user_name}</span>
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
          onStatusAction={(kind) => setOpen({ kind, user: open.user })}
        />
      )}
      {open?.kind === 'suspend' && <SuspendUser user={open.user} onClose={close} onDone={done} />}
      {open?.kind === 'reactivate' && (
        <Confirm
          title={text.reactivateQuestion(open.user.user_name)}
          action={text.reactivate}
          danger={false}
          onClose={close}
          onConfirm={async () => {
            await sendChange('POST', `/api/users/${open.user.user_id}/reactivate`);
            await done(text.reactivated(open.user.user_name));
          }}
        >
          {text.reactivateAbout}
        </Confirm>
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={text.deleteQuestion(open.user.user_name)}
          action={texts.common.delete}
          onClose={close}
          onConfirm={async () => {
            await sendChange('DELETE', `/api/users/${open.user.user_id}`);
            await done(text.deleted(open.user.user_name));
          }}
        >
          {text.deleteAbout}
        </Confirm>
      )}
    </Section>
  );
}
