import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api-error.ts';
import { callAuth, fetchInvitation, type Invitation } from '../api.ts';
import { errorMessage } from '../error-messages.ts';
import { Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { DateTime } from '../date-time.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { texts } from '../../texts.ts';

/** The page of an invite link. */
export function Join({ token }: { token: string }) {
  const [invitation, setInvitation] = useState<Invitation | ApiError | null>(null);
  const [hasJoined, setHasJoined] = useState(false);
  const load = async () => {
    setInvitation(null);
    try {
      setInvitation(await fetchInvitation(token));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setInvitation(error);
    }
  };
  useEffect(() => void load(), []);

  if (invitation === null) return <p class="visually-hidden">{texts.common.loading}</p>;
  if (invitation instanceof ApiError)
    return <NoInvitation failure={invitation} onRetry={() => void load()} />;
  if (hasJoined) {
    return (
      <SignInLayout title={texts.join.waiting} about={texts.join.waitingAbout(invitation.organization_name)}>
        <p>
          <a href="/settings">{texts.signIn.title}</a>
        </p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
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
    </SignInLayout>
  );
}

function NoInvitation({ failure, onRetry }: { failure: ApiError; onRetry: () => void }) {
  if (failure.kind === 'transient') {
    return (
      <SignInLayout title={texts.errors.notLoaded} about={errorMessage(failure)}>
        <div class="buttons">
          <button type="button" class="main" onClick={onRetry}>
            {texts.common.tryAgain}
          </button>
        </div>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title={texts.join.invalid}
      about={`${failure.status === 410 ? `${errorMessage(failure)}.` : texts.join.notFound} ${texts.join.askForNewLink}`}
    />
  );
}
