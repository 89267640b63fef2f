import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/call-failed.ts';
import { callAuth, fetchInvitation, type Invitation } from '../api.ts';
import { errorMessage } from '../error-messages.ts';
import { Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { DateTime } from '../date-time.tsx';
import { SignInLayout } from './sign-in-layout.tsx';
import { texts } from '../texts.ts';

/** The page of an invite link. */
export function Join({ token }: { token: string }) {
  const [invited, setInvited] = useState<Invitation | ApiError | null>(null);
  const [joined, setJoined] = useState(false);
  const ask = async () => {
    setInvited(null);
    try {
      setInvited(await fetchInvitation(token));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setInvited(error);
    }
  };
  useEffect(() => void ask(), []);

  if (invited === null) return <p class="unseen">{texts.common.loading}</p>;
  if (invited instanceof ApiError) return <NoInvitation failure={invited} onAgain={() => void ask()} />;
  if (joined) {
    return (
      <SignInLayout title={texts.join.waiting} about={texts.join.waitingAbout(invited.organization_name)}>
        <p>
          <a href="/settings">{texts.signIn.title}</a>
        </p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title={texts.join.title(invited.organization_name)}
      about={
        <>
          {texts.join.invitedAs(texts.join.invited[invited.user_role])}
          {invited.expires_at !== null && (
            <>
              {' '}
              {texts.join.worksUntil} <DateTime at={invited.expires_at} isEnd />.
            </>
          )}
        </>
      }
    >
      <Form
        submit={texts.join.submit}
        onSubmit={async (values) => {
          await callAuth('register', { invite_token: token, ...Object.fromEntries(values) });
          setJoined(true);
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

function NoInvitation({ failure, onAgain }: { failure: ApiError; onAgain: () => void }) {
  if (failure.kind === 'later') {
    return (
      <SignInLayout title={texts.errors.notLoaded} about={errorMessage(failure)}>
        <div class="buttons">
          <button type="button" class="main" onClick={onAgain}>
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
