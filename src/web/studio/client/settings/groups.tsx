import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, SearchField } from '../../../shared/client/fields.tsx';
import { CancelButton, ConfirmDialog, Form, useAction } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { ListView, useList } from '../data/query-list.tsx';
import { UserRow } from './user-display.tsx';

type Group = Schema<'Group'>;

const MAX_CANDIDATES = 8;

function GroupMembers({ group, onClose }: { group: Group; onClose: () => void }) {
  const path = { groupId: group.group_id };
  const members = useList('/api/groups/{groupId}/members', { path });
  const [search, setSearch] = useState('');
  const users = useList('/api/users', {
    query: { sort: 'user_name', ...(search === '' ? {} : { search }) },
  });
  const { runAction, errorNotice } = useAction();
  const memberIds = new Set(members.data?.map(({ user_id }) => user_id));
  const candidates =
    members.data === undefined
      ? undefined
      : users.data?.filter(({ user_id }) => !memberIds.has(user_id)).slice(0, MAX_CANDIDATES);
  const done = async (announcement: string) => {
    announce(announcement);
    await reloadQueries('/api/groups');
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
                  await changeApi('delete', '/api/groups/{groupId}/members/{userId}', {
                    path: { ...path, userId: user.user_id },
                  });
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
        list={{ ...users, data: candidates, total: null }}
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
                  await changeApi('post', '/api/groups/{groupId}/members', {
                    path,
                    body: { user_ids: [user.user_id] },
                  });
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
  const groups = useList('/api/groups');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const done = async (announcement: string) => {
    close();
    announce(announcement);
    await reloadQueries('/api/groups');
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
            await changeApi('post', '/api/groups', { body: fields });
            await done(text.created(fields.group_name));
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
            await changeApi('put', '/api/groups/{groupId}', {
              path: { groupId: open.group.group_id },
              body: fields,
            });
            await done(text.saved(fields.group_name));
          }}
          onDelete={() => setOpen({ kind: 'delete', group: open.group })}
        />
      )}
      {open?.kind === 'members' && <GroupMembers group={open.group} onClose={close} />}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={text.deleteQuestion(open.group.group_name)}
          action={text.deleteSubmit}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/groups/{groupId}', { path: { groupId: open.group.group_id } });
            await done(text.deleted(open.group.group_name));
          }}
        >
          {text.deleteAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

interface GroupFields {
  group_name: string;
  group_description: string;
  group_color: string;
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
  onSave: (fields: GroupFields) => Promise<void>;
  onDelete?: () => void;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={(values) =>
          onSave({
            group_name: values.get('group_name') ?? '',
            group_description: values.get('group_description') ?? '',
            group_color: values.get('group_color') ?? '',
          })
        }
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
