import { sendChange, type User } from '../api.ts';
import { Cancel, Dialog } from '../dialog.tsx';
import { CheckField, Field, PasswordField, SelectField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { ROLE_OPTIONS } from '../user-labels.ts';

const AI_WORDS = 'May use AI features';

export function NewUser({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (said: string) => Promise<void>;
}) {
  return (
    <Dialog title="Add a user" onClose={onClose}>
      <p>
        They can sign in at once, with the password that you give them. To let them choose their own, send an
        invite link.
      </p>
      <Form
        submit="Add user"
        aside={<Cancel onClose={onClose} />}
        onSubmit={async (values) => {
          const { ai_access, ...fields } = Object.fromEntries(values);
          const user = await sendChange<User>('POST', '/api/users', {
            ...fields,
            ai_access: ai_access !== undefined,
          });
          await onDone(`${user.user_name} is added`);
        }}
      >
        <Field name="user_name" label="Name" />
        <Field name="user_email" label="E-mail address" type="email" />
        <PasswordField
          name="user_password"
          label="Password"
          autocomplete="new-password"
          hint="At least 8 characters"
        />
        <SelectField name="user_role" label="Type" value="member" options={ROLE_OPTIONS} />
        <CheckField name="ai_access" label={AI_WORDS} checked />
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
  onDone: (said: string) => Promise<void>;
}) {
  return (
    <Dialog title={`Suspend ${user.user_name}?`} onClose={onClose}>
      <p>They are signed out at once and cannot sign in until you reactivate them.</p>
      <Form
        submit="Suspend"
        danger
        aside={<Cancel onClose={onClose} />}
        onSubmit={async (values) => {
          const revoke_api_keys = values.has('revoke_api_keys');
          await sendChange('POST', `/api/users/${user.user_id}/suspend`, { revoke_api_keys });
          await onDone(`${user.user_name} is suspended`);
        }}
      >
        <CheckField
          name="revoke_api_keys"
          label="Revoke all their API keys. Otherwise these work again after reactivation."
          checked
        />
      </Form>
    </Dialog>
  );
}

export function EditUser({
  user,
  isMe,
  onClose,
  onDone,
  onStatus,
}: {
  user: User;
  /** One's own name, address and password have pages of their own. */
  isMe: boolean;
  onClose: () => void;
  onDone: (said: string) => Promise<void>;
  onStatus: (kind: 'suspend' | 'reactivate' | 'delete') => void;
}) {
  return (
    <Dialog title={`Edit ${user.user_name}`} onClose={onClose}>
      <Form
        submit="Save"
        aside={<Cancel onClose={onClose} />}
        onSubmit={async (values) => {
          await sendChange('PUT', `/api/users/${user.user_id}`, changedFields(user, values));
          await onDone(`${values.get('user_name') ?? user.user_name} is saved`);
        }}
      >
        {!isMe && (
          <>
            <Field name="user_name" label="Name" value={user.user_name} />
            <Field name="user_email" label="E-mail address" type="email" value={user.user_email} />
          </>
        )}
        {user.user_role !== 'superadmin' && (
          <SelectField
            name="user_role"
            label="Type"
            hint="Another type signs them out everywhere."
            value={user.user_role}
            options={ROLE_OPTIONS}
          />
        )}
        <CheckField name="ai_access" label={AI_WORDS} checked={user.ai_access} />
        {!isMe && (
          <PasswordField
            name="user_password"
            label="New password"
            autocomplete="new-password"
            hint="Leave empty to keep the current one. A new one signs them out everywhere."
          />
        )}
        {!isMe && (
          <CheckField name="revoke_api_keys" label="With a new password, revoke all their API keys" checked />
        )}
      </Form>
      <div class="apart">
        {user.user_status === 1 && (
          <button type="button" class="small" onClick={() => onStatus('suspend')}>
            Suspend
          </button>
        )}
        {user.user_status === 3 && (
          <button type="button" class="small" onClick={() => onStatus('reactivate')}>
            Reactivate
          </button>
        )}
        <button type="button" class="small danger" onClick={() => onStatus('delete')}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}

const CHECKBOXES = new Set(['ai_access', 'revoke_api_keys']);

/** What the form has that the user has not. */
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
