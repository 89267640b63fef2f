import { sendChange, type User } from '../api.ts';
import { Cancel, Dialog } from '../dialog.tsx';
import { CheckField, Field, PasswordField, SelectField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { ROLE_OPTIONS } from '../user-labels.ts';
import { texts } from '../../texts.ts';

const text = texts.users;

export function NewUser({
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
        otherButtons={<Cancel onClose={onClose} />}
        onSubmit={async (values) => {
          const { ai_access, ...fields } = Object.fromEntries(values);
          const user = await sendChange<User>('POST', '/api/users', {
            ...fields,
            ai_access: ai_access !== undefined,
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

export function SuspendUser({
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
        otherButtons={<Cancel onClose={onClose} />}
        onSubmit={async (values) => {
          const revoke_api_keys = values.has('revoke_api_keys');
          await sendChange('POST', `/api/users/${user.user_id}/suspend`, { revoke_api_keys });
          await onDone(text.suspended(user.user_name));
        }}
      >
        <CheckField name="revoke_api_keys" label={text.suspendKeys} checked />
      </Form>
    </Dialog>
  );
}

export function EditUser({
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
  onStatusAction: (kind: 'suspend' | 'reactivate' | 'delete') => void;
}) {
  return (
    <Dialog title={text.edit(user.user_name)} onClose={onClose}>
      <Form
        submit={texts.common.save}
        otherButtons={<Cancel onClose={onClose} />}
        onSubmit={async (values) => {
          await sendChange('PUT', `/api/users/${user.user_id}`, changedFields(user, values));
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
            name="user_password"
            label={texts.common.newPassword}
            autocomplete="new-password"
            hint={text.newPasswordHint}
          />
        )}
        {!isMe && <CheckField name="revoke_api_keys" label={text.revokeKeys} checked />}
      </Form>
      <div class="separated-actions">
        {user.user_status === 1 && (
          <button type="button" class="small" onClick={() => onStatusAction('suspend')}>
            {text.suspend}
          </button>
        )}
        {user.user_status === 3 && (
          <button type="button" class="small" onClick={() => onStatusAction('reactivate')}>
            {text.reactivate}
          </button>
        )}
        <button type="button" class="small danger" onClick={() => onStatusAction('delete')}>
          {texts.common.delete}
        </button>
      </div>
    </Dialog>
  );
}

const CHECKBOXES = new Set(['ai_access', 'revoke_api_keys']);

/** Returns only the fields whose values differ from those of the user. */
function changedFields(user: User, values: ReadonlyMap<string, string>): object {
  const before = new Map<string, unknown>(Object.entries(user));
  const changed = [...values].filter(
    ([name, value]) =>
      !CHECKBOXES.has(name) && (name === 'user_password' ? value !== '' : value !== before.get(name)),
  );
  const ai = values.has('ai_access');
  return {
    ...Object.fromEntries(changed),
    ...(ai === user.ai_access ? {} : { ai_access: ai }),
    ...((values.get('user_password') ?? '') === '' ? {} : { revoke_api_keys: values.has('revoke_api_keys') }),
  };
}
