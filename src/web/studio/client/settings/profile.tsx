import { useRef, useState } from 'preact/hooks';
import { ApiError, uploadFile } from '../../../shared/client/api.ts';
import { Field, PasswordField } from '../../../shared/client/fields.tsx';
import { errorMessage, toFormErrors } from '../../../shared/client/form-errors.ts';
import { Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Card, Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { Avatar } from '../../../shared/client/avatar.tsx';
import type { Me, User } from '../../../shared/client/session.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { ROLE_LABELS } from './user-display.tsx';

const text = texts.profile;

export function Profile({ me, onChange }: { me: Me; onChange: () => Promise<void> }) {
  const save = async (fields: Schema<'UpdateUserRequest'>, announcement: string) => {
    await changeApi('put', '/api/users/{id}', { path: { id: me.user_id }, body: fields });
    await onChange();
    announce(announcement);
  };
  return (
    <Section
      title={text.title}
      about={text.about(ROLE_LABELS[me.user_role], me.organization.organization_name, me.ai_access)}
    >
      <Card title={text.picture}>
        <Picture me={me} onChange={onChange} />
      </Card>
      <Card title={texts.common.name}>
        <Form
          submit={text.saveName}
          onSubmit={(values) => save({ user_name: values.get('user_name') ?? '' }, text.nameSaved)}
        >
          <Field name="user_name" label={text.yourName} value={me.user_name} autocomplete="name" />
        </Form>
      </Card>
      <Card title={texts.common.email} about={text.emailAbout}>
        {!me.email_confirmed && <Unconfirmed me={me} onChange={onChange} />}
        <Form
          submit={text.saveEmail}
          onSubmit={async (values, form) => {
            await save(
              {
                user_email: values.get('user_email') ?? '',
                current_password: values.get('current_password') ?? '',
              },
              text.emailSaved,
            );
            form.reset();
          }}
        >
          <Field
            name="user_email"
            label={texts.common.email}
            type="email"
            value={me.user_email}
            autocomplete="username"
          />
          <PasswordField
            name="current_password"
            label={texts.common.yourPassword}
            autocomplete="current-password"
          />
        </Form>
      </Card>
    </Section>
  );
}

function Unconfirmed({ me, onChange }: { me: Me; onChange: () => Promise<void> }) {
  const [problem, setProblem] = useState<string | null>(null);
  const send = async () => {
    try {
      const { delivery, user } = await changeApi('post', '/api/users/{id}/email-confirmation', {
        path: { id: me.user_id },
      });
      if (delivery === 'smtp') announce(text.confirmationSent(me.user_email));
      else if (user.email_confirmed) await onChange();
      else return setProblem(text.askAdministrator);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblem(errorMessage(error));
    }
  };
  return (
    <>
      <p>
        {text.notConfirmed}{' '}
        <button type="button" class="button small" onClick={() => void send()}>
          {text.sendConfirmation}
        </button>
      </p>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function Picture({ me, onChange }: { me: Me; onChange: () => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const path = `/api/users/${me.user_id}/avatar`;
  const change = async (send: () => Promise<unknown>, announcement: string) => {
    setIsBusy(true);
    try {
      await send();
      await onChange();
      setProblem(null);
      announce(announcement);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { byField, general } = toFormErrors(error, (field) => field === 'avatar');
      const pictureProblem = byField.get('avatar');
      setProblem(pictureProblem === undefined ? general : text.pictureProblem(pictureProblem));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div class="picture" aria-busy={isBusy}>
      <Avatar user={me} large />
      <div>
        <div class="buttons">
          <label class="button choose">
            <input
              ref={input}
              class="visually-hidden"
              type="file"
              accept="image/png,image/jpeg,image/webp"
              aria-label={me.avatar_url === null ? text.choosePicture : text.chooseOtherPicture}
              aria-describedby="picture-hint"
              aria-invalid={problem !== null}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                if (file === undefined) return;
                const form = new FormData();
                form.append('avatar', file, file.name);
                currentTarget.value = '';
                void change(() => uploadFile<User>(path, form), text.pictureSaved);
              }}
            />
            {isBusy ? text.saving : me.avatar_url === null ? text.choosePicture : text.chooseOther}
          </label>
          {me.avatar_url !== null && (
            <button
              type="button"
              class="button"
              onClick={() => {
                void change(
                  () => changeApi('delete', '/api/users/{id}/avatar', { path: { id: me.user_id } }),
                  text.pictureRemoved,
                );
                input.current?.focus();
              }}
            >
              {texts.common.remove}
            </button>
          )}
        </div>
        <p class="hint" id="picture-hint">
          {text.pictureHint}
        </p>
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}
