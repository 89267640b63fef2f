import { useEffect, useState } from 'preact/hooks';
import { CallFailed } from '../../../shared/client/call-failed.ts';
import { auth, invitation, type Invitation } from '../api.ts';
import { wordsOf } from '../failure-words.ts';
import { Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { Moment } from '../moment.tsx';
import { Door } from './door.tsx';

const AS = { admin: 'an admin', member: 'a member', client: 'a client' } as const;

/** What somebody sees who follows an invite link. */
export function Join({ token }: { token: string }) {
  const [invited, setInvited] = useState<Invitation | CallFailed | null>(null);
  const [joined, setJoined] = useState(false);
  const ask = async () => {
    setInvited(null);
    try {
      setInvited(await invitation(token));
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      setInvited(error);
    }
  };
  useEffect(() => void ask(), []);

  if (invited === null) return <p class="unseen">Loading</p>;
  if (invited instanceof CallFailed) return <NoInvitation failure={invited} onAgain={() => void ask()} />;
  if (joined) {
    return (
      <Door
        title="Waiting for approval"
        about={`An administrator of ${invited.organization_name} lets you in. You can sign in from then on.`}
      >
        <p>
          <a href="/settings">Sign in</a>
        </p>
      </Door>
    );
  }
  return (
    <Door
      title={`Join ${invited.organization_name}`}
      about={
        <>
          You are invited as {AS[invited.user_role]}.
          {invited.expires_at !== null && (
            <>
              {' '}
              The link works until <Moment at={invited.expires_at} isEnd />.
            </>
          )}
        </>
      }
    >
      <Form
        submit="Join"
        onSubmit={async (values) => {
          await auth('register', { invite_token: token, ...Object.fromEntries(values) });
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
    </Door>
  );
}

function NoInvitation({ failure, onAgain }: { failure: CallFailed; onAgain: () => void }) {
  if (failure.kind === 'later') {
    return (
      <Door title="One moment, please" about={wordsOf(failure)}>
        <div class="buttons">
          <button type="button" class="main" onClick={onAgain}>
            Try again
          </button>
        </div>
      </Door>
    );
  }
  return (
    <Door
      title="This invitation is no longer there"
      about={`${failure.status === 410 ? `${wordsOf(failure)}.` : 'No invitation has this address; perhaps a part of the link got lost.'} Ask whoever sent it to you for a new one.`}
    />
  );
}
