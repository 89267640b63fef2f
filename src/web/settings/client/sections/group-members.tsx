import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type Group, type GroupMember, sendChange, type User } from '../api.ts';
import { Dialog } from '../dialog.tsx';
import { ListView } from '../list-view.tsx';
import { SearchField } from '../search-field.tsx';
import { useAction } from '../use-action.tsx';
import { useList } from '../use-list.ts';
import { UserRow } from './user-row.tsx';
import { texts } from '../../texts.ts';

const text = texts.groups;

const MAX_CANDIDATES = 8;

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
  const users = useList<User>(`/api/users?${query.toString()}&limit=50`);
  const { runAction, errorNotice } = useAction();
  const memberIds = new Set(members.items?.map(({ user_id }) => user_id));
  const candidates =
    users.items?.filter(({ user_id }) => !memberIds.has(user_id)).slice(0, MAX_CANDIDATES) ?? null;
  const done = async (announcement: string) => {
    announce(announcement);
    await Promise.all([members.reload(), onChange()]);
  };
  return (
    <Dialog title={text.membersTitle(group.group_name)} onClose={onClose}>
      {errorNotice}
      <ListView list={members} label={text.members} empty={<p>{text.noMembers}</p>}>
        {(user) => (
          <UserRow key={user.user_id} user={user}>
            <button
              type="button"
              class="small"
              onClick={() =>
                void runAction(async () => {
                  await sendChange('DELETE', `${path}/${user.user_id}`);
                  await done(text.memberRemoved(user.user_name));
                })
              }
            >
              {texts.common.remove}
              <span class="visually-hidden"> {user.user_name}</span>
            </button>
          </UserRow>
        )}
      </ListView>
      <h3>{text.addMembers}</h3>
      <SearchField label={text.search} onSearch={setSearch} />
      <ListView
        list={{ ...users, items: members.items === null ? null : candidates, loadMore: null }}
        label={text.candidates}
        empty={<p>{search === '' ? text.allAreMembers : texts.users.noMatch}</p>}
      >
        {(user) => (
          <UserRow key={user.user_id} user={user}>
            <button
              type="button"
              class="small"
              onClick={() =>
                void runAction(async () => {
                  await sendChange('POST', path, { user_ids: [user.user_id] });
                  await done(text.memberAdded(user.user_name));
                })
              }
            >
              {texts.common.add}
              <span class="visually-hidden"> {user.user_name}</span>
            </button>
          </UserRow>
        )}
      </ListView>
      <div class="buttons">
        <button type="button" class="main" onClick={onClose}>
          {texts.common.done}
        </button>
      </div>
    </Dialog>
  );
}
