import { useState } from 'preact/hooks';
import { Dialog } from '../../../shared/client/dialog.tsx';
import {
  CheckField,
  Field,
  PasswordField,
  SearchField,
  SelectField,
} from '../../../shared/client/fields.tsx';
import { CancelButton, ConfirmDialog, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { Me, User } from '../../../shared/client/session.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { ListView, useList } from '../data/query-list.tsx';
import { ROLE_OPTIONS, STATUS_LABELS, UserRow } from './user-display.tsx';

function NewUser({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (announcement: string) => Promise<void>;
}) {
  return (
    <Dialog title={text.new} onClose={onClose}>
      <p>{text.newAbout}</p>
      <Form
        submit={text.newSubmit}
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={async (values) => {
          const user = await changeApi('post', '/api/users', {
            body: {
              user_name: values.get('user_name') ?? '',
              user_email: values.get('user_email') ?? '',
              user_password: values.get('user_password') ?? '',
              user_role: values.get('user_role') as (typeof ROLE_OPTIONS)[number][0],
              ai_access: values.has('ai_access'),
              refuse_common_password: true,
            },
          });
          await onDone(text.added(user.user_name));
        }}
      >
        <Field name="user_name" label={texts.common.name} />
        <Field name="user_email" label={texts.common.email} type="email" />
        <PasswordField
          name="user_password"
          label={texts.common.password}
          autocomplete="new-password"
          hint={texts.common.passwordHint}
        />
        <SelectField name="user_role" label={texts.common.role} value="member" options={ROLE_OPTIONS} />
        <CheckField name="ai_access" label={text.ai} checked />
      </Form>
    </Dialog>
  );
}

function SuspendUser({
  user,
  onClose,
  onDone,
}: {
  user: User;
  onClose: () => void;
  onDone: (announcement: string) => Promise<void>;
}) {
  return (
    <Dialog title={text.suspendQuestion(user.user_name)} onClose={onClose}>
      <p>{text.suspendAbout}</p>
      <Form
        submit={text.suspend}
        danger
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={async (values) => {
          const revoke_api_keys = values.has('revoke_api_keys');
          await changeApi('post', '/api/users/{id}/suspend', {
            path: { id: user.user_id },
            body: { revoke_api_keys },
          });
          await onDone(text.suspended(user.user_name));
        }}
      >
        <CheckField name="revoke_api_keys" label={text.suspendKeys} checked />
      </Form>
    </Dialog>
  );
}

function EditUser({
  user,
  isMe,
  onClose,
  onDone,
  onStatusAction,
}: {
  user: User;
  /** Your own name, email address and password are on other pages. */
  isMe: boolean;
  onClose: () => void;
  onDone: (announcement: string) => Promise<void>;
  onStatusAction: (kind: UserAction) => void;
}) {
  return (
    <Dialog title={text.edit(user.user_name)} onClose={onClose}>
      <Form
        submit={texts.common.save}
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={async (values) => {
          await changeApi('put', '/api/users/{id}', {
            path: { id: user.user_id },
            body: changedFields(user, values),
          });
          await onDone(text.saved(values.get('user_name') ?? user.user_name));
        }}
      >
        {!isMe && (
          <>
            <Field name="user_name" label={texts.common.name} value={user.user_name} />
            <Field name="user_email" label={texts.common.email} type="email" value={user.user_email} />
          </>
        )}
        {user.user_role !== 'superadmin' && (
          <SelectField
            name="user_role"
            label={texts.common.role}
            hint={text.roleHint}
            value={user.user_role}
            options={ROLE_OPTIONS}
          />
        )}
        <CheckField name="ai_access" label={text.ai} checked={user.ai_access} />
        {!isMe && (
          <PasswordField
            name="current_password"
            label={texts.common.yourPassword}
            autocomplete="current-password"
            hint={text.addressPasswordHint}
          />
        )}
      </Form>
      <div class="separated-actions">
        {user.user_status === 1 && (
          <button type="button" class="button small" onClick={() => onStatusAction('suspend')}>
            {text.suspend}
          </button>
        )}
        {user.user_status === 1 && !isMe && (
          <button type="button" class="button small" onClick={() => onStatusAction('password_link')}>
            {text.sendPasswordLink}
          </button>
        )}
        {user.user_status === 3 && (
          <button type="button" class="button small" onClick={() => onStatusAction('reactivate')}>
            {text.reactivate}
          </button>
        )}
        <button type="button" class="button small danger" onClick={() => onStatusAction('delete')}>
          {texts.common.delete}
        </button>
      </div>
    </Dialog>
  );
}

/** Asks for the admin's own password, then sends the link, or shows it if the installation sends no email. */
function SendPasswordLink({
  user,
  onClose,
  onDone,
}: {
  user: User;
  onClose: () => void;
  onDone: (announcement: string) => Promise<void>;
}) {
  const [link, setLink] = useState<string | null>(null);
  if (link !== null) {
    return (
      <Dialog title={text.passwordLinkCreated(user.user_name)} onClose={onClose}>
        <p>{text.passwordLinkAbsentMail}</p>
        <label>
          {text.passwordLink}
          <input class="field" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <div class="buttons">
          <button type="button" class="button primary" onClick={onClose}>
            {texts.common.done}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={text.passwordLinkQuestion(user.user_name)} onClose={onClose}>
      <p>{text.passwordLinkAbout}</p>
      <Form
        submit={text.sendPasswordLink}
        otherButtons={<CancelButton onClose={onClose} />}
        onSubmit={async (values) => {
          const { reset_url: url } = await changeApi('post', '/api/users/{id}/password-link', {
            path: { id: user.user_id },
            body: { current_password: values.get('current_password') ?? '' },
          });
          if (url === null) await onDone(text.passwordLinkSent(user.user_name));
          else setLink(url);
        }}
      >
        <PasswordField
          name="current_password"
          label={texts.common.yourPassword}
          autocomplete="current-password"
        />
      </Form>
    </Dialog>
  );
}

/** Returns only the fields whose values differ from those of the user; the password only with another address. */
function changedFields(user: User, values: ReadonlyMap<string, string>): Schema<'UpdateUserRequest'> {
  const before = new Map<string, unknown>(Object.entries(user));
  const changed = new Map(
    [...values].filter(
      ([name, value]) => name !== 'ai_access' && name !== 'current_password' && value !== before.get(name),
    ),
  );
  if (changed.has('user_email')) changed.set('current_password', values.get('current_password') ?? '');
  const ai = values.has('ai_access');
  return { ...Object.fromEntries(changed), ...(ai === user.ai_access ? {} : { ai_access: ai }) };
}

const text = texts.users;

type UserAction = 'suspend' | 'reactivate' | 'delete' | 'password_link';
type Open = { kind: 'new' } | { kind: 'edit' | UserAction; user: User } | null;

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
  const users = useList('/api/users', {
    query: {
      sort: 'user_name',
      ...(search === '' ? {} : { search }),
      ...(status === '' ? {} : { user_status: status }),
    },
  });
  const close = () => setOpen(null);
  const done = async (announcement: string) => {
    close();
    announce(announcement);
    await onChange();
  };
  const confirmAddress = async (user: User) => {
    const { delivery } = await changeApi('post', '/api/users/{id}/email-confirmation', {
      path: { id: user.user_id },
    });
    await done(
      delivery === 'smtp' ? text.confirmationSent(user.user_name) : text.addressConfirmed(user.user_name),
    );
  };
  const isFiltered = search !== '' || status !== '';
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
            {user.user_status === 1 && !user.email_confirmed && (
              <button type="button" class="button small" onClick={() => void confirmAddress(user)}>
                {text.confirmAddress}
                <span class="visually-hidden"> {user.user_name}</span>
              </button>
            )}
            {user.user_status !== 0 && (user.user_role !== 'superadmin' || me.user_role === 'superadmin') && (
              <button type="button" class="button small" onClick={() => setOpen({ kind: 'edit', user })}>
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
      {open?.kind === 'password_link' && <SendPasswordLink user={open.user} onClose={close} onDone={done} />}
      {open?.kind === 'reactivate' && (
        <ConfirmDialog
          title={text.reactivateQuestion(open.user.user_name)}
          action={text.reactivate}
          danger={false}
          onClose={close}
          onConfirm={async () => {
            await changeApi('post', '/api/users/{id}/reactivate', { path: { id: open.user.user_id } });
            await done(text.reactivated(open.user.user_name));
          }}
        >
          {text.reactivateAbout}
        </ConfirmDialog>
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={text.deleteQuestion(open.user.user_name)}
          action={texts.common.delete}
          onClose={close}
          onConfirm={async () => {
            await changeApi('delete', '/api/users/{id}', { path: { id: open.user.user_id } });
            await done(text.deleted(open.user.user_name));
          }}
        >
          {text.deleteAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}
