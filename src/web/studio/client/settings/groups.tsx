import { useState } from 'preact/hooks';
import { sendChange } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SearchField } from '../../../shared/client/fields.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { ListView, useList } from '../../../shared/client/list.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { User } from '../../../shared/client/session.ts';
import type { Group, GroupMember } from './settings-api.ts';
import { UserRow } from './user-display.tsx';

const MAX_CANDIDATES = 8;

function GroupMembers({
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
              class="button small"
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
              class="button small"
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
        <button type="button" class="button primary" onClick={onClose}>
          {texts.common.done}
        </button>
      </div>
    </Dialog>
  );
}

const text = texts.groups;

type Open = { kind: 'new' } | { kind: 'edit' | 'members' | 'delete'; group: Group } | null;

export function Groups() {
  const groups = useList<Group>('/api/groups');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const done = async (announcement: string) => {
    close();
    announce(announcement);
    await groups.reload();
  };
  return (
    <Section
      title={text.title}
      about={text.about}
      action={
        <button type="button" class="button primary" onClick={() => setOpen({ kind: 'new' })}>
          {text.new}
        </button>
      }
    >
      <ListView
        list={groups}
        label={text.title}
        empty={
          <>
            <p class="title">{text.empty}</p>
            <p>{text.emptyAbout}</p>
          </>
        }
      >
        {(group) => (
          <li key={group.group_id} class="row">
            <span class="dot" style={{ backgroundColor: group.group_color }} />
            <div class="what">
              <p class="title">{group.group_name}</p>
              <p class="soft">
                {text.count(group.member_count)}
                {group.group_description !== null &&
                  group.group_description !== '' &&
                  ` · ${group.group_description}`}
              </p>
            </div>
            <div class="buttons">
              <button type="button" class="button small" onClick={() => setOpen({ kind: 'members', group })}>
                {text.members}
                <span class="visually-hidden"> {text.membersLabel(group.group_name)}</span>
              </button>
              <button type="button" class="button small" onClick={() => setOpen({ kind: 'edit', group })}>
                {texts.common.edit}
                <span class="visually-hidden"> {group.group_name}</span>
              </button>
            </div>
          </li>
        )}
      </ListView>
      {open?.kind === 'new' && (
        <GroupForm
          title={text.new}
          submit={text.create}
          onClose={close}
          onSave={async (fields) => {
            await sendChange('POST', '/api/groups', fields);
            await done(text.created(fields.group_name ?? ''));
          }}
        />
      )}
      {open?.kind === 'edit' && (
        <GroupForm
          title={text.edit(open.group.group_name)}
          submit={texts.common.save}
          group={open.group}
          onClose={close}
          onSave={async (fields) => {
            await sendChange('PUT', `/api/groups/${open.group.group_id}`, fields);
            await done(text.saved(fields.group_name ?? ''));
          }}
          onDelete={() => setOpen({ kind: 'delete', group: open.group })}
        />
      )}
      {open?.kind === 'members' && (
        <GroupMembers group={open.group} onClose={close} onChange={groups.reload} />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={text.deleteQuestion(open.group.group_name)}
          action={text.deleteSubmit}
          onClose={close}
          onConfirm={async () => {
            await sendChange('DELETE', `/api/groups/${open.group.group_id}`);
            await done(text.deleted(open.group.group_name));
          }}
        >
          {text.deleteAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function GroupForm({
  title,
  submit,
  group,
  onClose,
  onSave,
  onDelete,
}: {
  title: string;
  submit: string;
  group?: Group;
  onClose: () => void;
  onSave: (fields: Record<string, string>) => Promise<void>;
  onDelete?: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={(values) => onSave(Object.fromEntries(values))}
      >
        <Field name="group_name" label={texts.common.name} value={group?.group_name ?? ''} />
        <Field name="group_description" label={text.description} value={group?.group_description ?? ''} />
        <Field name="group_color" label={text.color} type="color" value={group?.group_color ?? '#6366f1'} />
      </Form>
      {onDelete !== undefined && (
        <div class="separated-actions">
          <button type="button" class="button small danger" onClick={onDelete}>
            {text.deleteSubmit}
          </button>
        </div>
      )}
    </Dialog>
  );
}
