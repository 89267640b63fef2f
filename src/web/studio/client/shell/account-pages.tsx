import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { CheckField, Field, PasswordField } from '../../../shared/client/fields.tsx';
import { Form } from '../../../shared/client/form.tsx';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { StandalonePage } from '../../../shared/client/page.tsx';
import { componentTexts, signInTexts } from '../../../shared/client/texts.ts';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { callAuth } from '../../../shared/client/session.ts';
import { readApi, type Schema } from '../data/api.ts';

/** The page of a link in an email: to join an organization, to confirm an address, or to set a new password. */
export function AccountPage({ path, resetToken }: { path: string; resetToken: string }) {
  const [, page, inviteToken = ''] = path.split('/');
  if (page === 'join') return <Join token={decodeURIComponent(inviteToken)} />;
  return page === 'confirm' ? <ConfirmAddress token={resetToken} /> : <ResetPassword token={resetToken} />;
}

/** Confirms only after a click: programs that check emails open their links. */
function ConfirmAddress({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  if (token === '' || isDone) {
    const text = isDone ? texts.confirmAddress.done : texts.confirmAddress.incomplete;
    return (
      <StandalonePage {...text}>
        <ToSignIn />
      </StandalonePage>
    );
  }
  return (
    <StandalonePage title={texts.confirmAddress.title} about={texts.confirmAddress.about}>
      <Form
        submit={texts.confirmAddress.submit}
        onSubmit={async () => {
          await callAuth('confirm_email', { confirm_token: token });
          setIsDone(true);
        }}
      >
        {null}
      </Form>
    </StandalonePage>
  );
}

function ResetPassword({ token }: { token: string }) {
  const [isDone, setIsDone] = useState(false);
  if (token === '') {
    return (
      <StandalonePage title={texts.resetPassword.incomplete} about={texts.resetPassword.incompleteAbout}>
        <ToSignIn />
      </StandalonePage>
    );
  }
  if (isDone) {
    return (
      <StandalonePage title={texts.resetPassword.changed} about={texts.resetPassword.changedAbout}>
        <ToSignIn />
      </StandalonePage>
    );
  }
  return (
    <StandalonePage title={texts.resetPassword.title}>
      <Form
        submit={texts.resetPassword.submit}
        onSubmit={async (values) => {
          await callAuth('reset', {
            reset_token: token,
            new_password: values.get('new_password'),
            revoke_api_keys: values.has('revoke_api_keys'),
          });
          setIsDone(true);
        }}
      >
        <PasswordField
          name="new_password"
          label={texts.common.newPassword}
          autocomplete="new-password"
          hint={texts.common.passwordHint}
        />
        <CheckField name="revoke_api_keys" label={texts.resetPassword.revokeKeys} checked />
      </Form>
    </StandalonePage>
  );
}

function ToSignIn() {
  return (
    <p>
      <a href="/">{signInTexts.title}</a>
    </p>
  );
}

/** The page of an invite link. */
function Join({ token }: { token: string }) {
  const [invitation, setInvitation] = useState<Schema<'InviteLinkDetails'> | ApiError | null>(null);
  const [hasJoined, setHasJoined] = useState(false);
  const load = async () => {
    setInvitation(null);
    try {
      setInvitation((await readApi('/api/public/invites/{token}', { path: { token } })).data);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setInvitation(error);
    }
  };
  useEffect(() => void load(), []);

  if (invitation === null) return <p class="visually-hidden">{componentTexts.loading}</p>;
  if (invitation instanceof ApiError)
    return <NoInvitation failure={invitation} onRetry={() => void load()} />;
  if (hasJoined) {
    return (
      <StandalonePage
        title={texts.join.waiting}
        about={texts.join.waitingAbout(invitation.organization_name)}
      >
        <p>
          <a href="/">{signInTexts.title}</a>
        </p>
      </StandalonePage>
    );
  }
  return (
    <StandalonePage
      title={texts.join.title(invitation.organization_name)}
      about={
        <>
          {texts.join.invitedAs(texts.join.invited[invitation.user_role])}
          {invitation.expires_at !== null && (
            <>
              {' '}
              {texts.join.worksUntil} <DateTime at={invitation.expires_at} isEnd />.
            </>
          )}
        </>
      }
    >
      <Form
        submit={texts.join.submit}
        onSubmit={async (values) => {
          await callAuth('register', { invite_token: token, ...Object.fromEntries(values) });
          setHasJoined(true);
        }}
      >
        <Field name="user_name" label={texts.join.yourName} autocomplete="name" />
        <Field name="email" label={texts.common.email} type="email" autocomplete="username" />
        <PasswordField
          name="password"
          label={texts.common.password}
          autocomplete="new-password"
          hint={texts.common.passwordHint}
        />
      </Form>
    </StandalonePage>
  );
}

function NoInvitation({ failure, onRetry }: { failure: ApiError; onRetry: () => void }) {
  if (failure.kind === 'transient') {
    return (
      <StandalonePage title={texts.errors.notLoaded} about={errorMessage(failure)}>
        <div class="buttons">
          <button type="button" class="button primary" onClick={onRetry}>
            {componentTexts.tryAgain}
          </button>
        </div>
      </StandalonePage>
    );
  }
  return (
    <StandalonePage
      title={texts.join.invalid}
      about={`${failure.status === 410 ? `${errorMessage(failure)}.` : texts.join.notFound} ${texts.join.askForNewLink}`}
    />
  );
}
