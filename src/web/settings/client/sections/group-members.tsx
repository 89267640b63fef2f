import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type Group, type GroupMember, sendChange, type User } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { ListView } from '../list-view.tsx';
import { SearchField } from '../search-field.tsx';
import { useAction } from '../use-action.tsx';
import { useList } from '../use-list.ts';
import { UserRow } from './user-row.tsx';

const FOUND_AT_MOST = 8;

export function GroupMembers({
  group,
  onClose,
  onChange,
}: {
  group: Group;
  onClose: () => void;
  onChange: () => Promise<void>;
}) {
  const path = `/api/groups/${group.group_id}/members`;
  const members = useList<GroupMember>(path);
  const [search, setSearch] = useState('');
  const query = new URLSearchParams({ sort: 'user_name', ...(search === '' ? {} : { search }) });
  const people = useList<User>(`/api/users?${query.toString()}&limit=50`);
  const { act, refusal } = useAction();
  const inIt = new Set(members.items?.map(({ user_id }) => user_id));
  const others = people.items?.filter(({ user_id }) => !inIt.has(user_id)).slice(0, FOUND_AT_MOST) ?? null;
  const done = async (said: string) => {
    announce(said);
    await Promise.all([members.reload(), onChange()]);
  };
  return (
    <Dialog title={`Members of ${group.group_name}`} onClose={onClose}>
      {refusal}
      <ListView listed={members} label="Members" empty={<p>Nobody is in it yet.</p>}>
        {(user) => (
          <UserRow key={user.user_id} user={user}>
            <button
              type="button"
              class="small"
              onClick={() =>
                void act(async () => {
                  await sendChange('DELETE', `${path}/${user.user_id}`);
                  await done(`${user.user_name} is out of the group`);
                })
              }
            >
              Remove<span class="unseen"> {user.user_name}</span>
            </button>
          </UserRow>
        )}
      </ListView>
      <h3>Add somebody</h3>
      <SearchField label="Search people by name or e-mail" onSearch={setSearch} />
      <ListView
        listed={{ ...people, items: members.items === null ? null : others, more: null }}
        label="People to add"
        empty={<p>{search === '' ? 'Everybody is in it.' : 'Nobody else is like that.'}</p>}
      >
        {(user) => (
          <UserRow key={user.user_id} user={user}>
            <button
              type="button"
              class="small"
              onClick={() =>
                void act(async () => {
                  await sendChange('POST', path, { user_ids: [user.user_id] });
                  await done(`${user.user_name} is in the group`);
                })
              }
            >
              Add<span class="unseen"> {user.user_name}</span>
            </button>
          </UserRow>
        )}
      </ListView>
      <div class="buttons">
        <button type="button" class="main" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
