import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/call-failed.ts';
import { callAuth, fetchInvitation, type Invitation } from '../api.ts';
import { errorMessage } from '../error-messages.ts';
import { Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { DateTime } from '../date-time.tsx';
import { SignInLayout } from './sign-in-layout.tsx';

const AS = { admin: 'an admin', member: 'a member', client: 'a client' } as const;

/** What somebody sees who follows an invite link. */
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

  if (invited === null) return <p class="unseen">Loading</p>;
  if (invited instanceof ApiError) return <NoInvitation failure={invited} onAgain={() => void ask()} />;
  if (joined) {
    return (
      <SignInLayout
        title="Waiting for approval"
        about={`An administrator of ${invited.organization_name} lets you in. You can sign in from then on.`}
      >
        <p>
          <a href="/settings">Sign in</a>
        </p>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title={`Join ${invited.organization_name}`}
      about={
        <>
          You are invited as {AS[invited.user_role]}.
          {invited.expires_at !== null && (
            <>
              {' '}
              The link works until <DateTime at={invited.expires_at} isEnd />.
            </>
          )}
        </>
      }
    >
      <Form
        submit="Join"
        onSubmit={async (values) => {
          await callAuth('register', { invite_token: token, ...Object.fromEntries(values) });
          setJoined(true);
        }}
      >
        <Field name="user_name" label="Your name" autocomplete="name" />
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
        <PasswordField
          name="password"
          label="Password"
          autocomplete="new-password"
          hint="At least 8 characters"
        />
      </Form>
    </SignInLayout>
  );
}

function NoInvitation({ failure, onAgain }: { failure: ApiError; onAgain: () => void }) {
  if (failure.kind === 'later') {
    return (
      <SignInLayout title="One moment, please" about={errorMessage(failure)}>
        <div class="buttons">
          <button type="button" class="main" onClick={onAgain}>
            Try again
          </button>
        </div>
      </SignInLayout>
    );
  }
  return (
    <SignInLayout
      title="This invitation is no longer there"
      about={`${failure.status === 410 ? `${errorMessage(failure)}.` : 'No invitation has this address; perhaps a part of the link got lost.'} Ask whoever sent it to you for a new one.`}
    />
  );
}
