import { useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type Group, sendChange } from '../api.ts';
import { Cancel, Confirm, Dialog } from '../dialog.tsx';
import { Field } from '../fields.tsx';
import { Form } from '../form.tsx';
import { ListView } from '../list-view.tsx';
import { useList } from '../use-list.ts';
import { GroupMembers } from './group-members.tsx';
import { Section } from './section.tsx';

type Open = { kind: 'new' } | { kind: 'edit' | 'members' | 'delete'; group: Group } | null;

export function Groups() {
  const groups = useList<Group>('/api/groups');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const done = async (said: string) => {
    close();
    announce(said);
    await groups.reload();
  };
  return (
    <Section
      title="Groups"
      about="People who see the same dashboards."
      action={
        <button type="button" class="main" onClick={() => setOpen({ kind: 'new' })}>
          New group
        </button>
      }
    >
      <ListView
        listed={groups}
        label="Groups"
        empty={
          <>
            <p class="title">No groups yet</p>
            <p>With a group, dashboards are shared with many people at once.</p>
          </>
        }
      >
        {(group) => (
          <li key={group.group_id} class="row">
            <span class="dot" style={{ backgroundColor: group.group_color }} />
            <div class="what">
              <p class="title">{group.group_name}</p>
              <p class="soft">
                {group.member_count === 1 ? '1 member' : `${group.member_count} members`}
                {group.group_description !== null &&
                  group.group_description !== '' &&
                  ` · ${group.group_description}`}
              </p>
            </div>
            <div class="buttons">
              <button type="button" class="small" onClick={() => setOpen({ kind: 'members', group })}>
                Members<span class="unseen"> of {group.group_name}</span>
              </button>
              <button type="button" class="small" onClick={() => setOpen({ kind: 'edit', group })}>
                Edit<span class="unseen"> {group.group_name}</span>
              </button>
            </div>
          </li>
        )}
      </ListView>
      {open?.kind === 'new' && (
        <GroupForm
          title="New group"
          submit="Make group"
          onClose={close}
          onSave={async (fields) => {
            await sendChange('POST', '/api/groups', fields);
            await done(`The group ${fields.group_name ?? ''} is made`);
          }}
        />
      )}
      {open?.kind === 'edit' && (
        <GroupForm
          title={`Edit ${open.group.group_name}`}
          submit="Save"
          group={open.group}
          onClose={close}
          onSave={async (fields) => {
            await sendChange('PUT', `/api/groups/${open.group.group_id}`, fields);
            await done(`The group ${fields.group_name ?? ''} is saved`);
          }}
          onDelete={() => setOpen({ kind: 'delete', group: open.group })}
        />
      )}
      {open?.kind === 'members' && (
        <GroupMembers group={open.group} onClose={close} onChange={groups.reload} />
      )}
      {open?.kind === 'delete' && (
        <Confirm
          title={`Delete ${open.group.group_name}?`}
          action="Delete group"
          onClose={close}
          onYes={async () => {
            await sendChange('DELETE', `/api/groups/${open.group.group_id}`);
            await done(`The group ${open.group.group_name} is deleted`);
          }}
        >
          Its members no longer see what they saw through it alone. The people stay.
        </Confirm>
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
        aside={<Cancel onClose={onClose} />}
        onSubmit={(values) => onSave(Object.fromEntries(values))}
      >
        <Field name="group_name" label="Name" value={group?.group_name ?? ''} />
        <Field name="group_description" label="Description" value={group?.group_description ?? ''} />
        <Field name="group_color" label="Colour" type="color" value={group?.group_color ?? '#6366f1'} />
      </Form>
      {onDelete !== undefined && (
        <div class="apart">
          <button type="button" class="small danger" onClick={onDelete}>
            Delete group
          </button>
        </div>
      )}
    </Dialog>
  );
}
