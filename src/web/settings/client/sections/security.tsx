import { announce } from '../announce.tsx';
import { type Me, sendChange, type Session } from '../api.ts';
import { useState } from 'preact/hooks';
import { Confirm } from '../dialog.tsx';
import { PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { ListView } from '../list-view.tsx';
import { DateTime } from '../date-time.tsx';
import { deviceName } from '../user-labels.ts';
import { type ListState, useList } from '../use-list.ts';
import { Card, Section } from './section.tsx';

export function Security({ me }: { me: Me }) {
  const sessions = useList<Session>('/api/sessions');
  return (
    <Section title="Password and sessions">
      <Card
        title="Password"
        about="With a new one you are signed out everywhere but here. API keys stay as they are."
      >
        <Form
          submit="Change password"
          onSubmit={async (values, form) => {
            const { current_password, new_password } = Object.fromEntries(values);
            await sendChange('PUT', `/api/users/${me.user_id}/change-password`, {
              current_password,
              new_password,
            });
            form.reset();
            announce('Your password is changed, and every other session has ended');
            await sessions.reload();
          }}
        >
          {/* For password managers: whose password this is. */}
          <input
            class="unseen"
            type="text"
            autocomplete="username"
            value={me.user_email}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <PasswordField name="current_password" label="Current password" autocomplete="current-password" />
          <PasswordField
            name="new_password"
            label="New password"
            autocomplete="new-password"
            hint="At least 8 characters"
          />
        </Form>
      </Card>
      <Sessions sessions={sessions} />
    </Section>
  );
}

function Sessions({ sessions }: { sessions: ListState<Session> }) {
  const [asked, setAsked] = useState(false);
  const others = sessions.items?.filter(({ current }) => !current) ?? [];
  const end = async ({ session_id, user_agent }: Session) => {
    await sendChange('DELETE', `/api/sessions/${session_id}`);
    announce(`The session of ${deviceName(user_agent)} has ended`);
    document.getElementById('sessions')?.focus();
    await sessions.reload();
  };
  return (
    <section>
      <div class="head">
        <h2 id="sessions" tabIndex={-1}>
          Where you are signed in
        </h2>
        {others.length > 0 && (
          <button type="button" class="quiet" onClick={() => setAsked(true)}>
            Sign out everywhere else
          </button>
        )}
      </div>
      <ListView listed={sessions} label="Sessions" empty={<p>There is no session.</p>}>
        {(session) => (
          <li key={session.session_id} class="row">
            <div class="what">
              <p class="title">
                {deviceName(session.user_agent)}
                {session.current && <span class="chip good">This one</span>}
              </p>
              <p class="soft">
                Signed in <DateTime at={session.created_at} />
                {session.address !== null && ` from ${session.address}`}
                {session.last_used_at !== null && (
                  <>
                    {' · used '}
                    <DateTime at={session.last_used_at} />
                  </>
                )}
              </p>
            </div>
            {!session.current && (
              <button type="button" class="small" onClick={() => void end(session)}>
                End<span class="unseen"> the session of {deviceName(session.user_agent)}</span>
              </button>
            )}
          </li>
        )}
      </ListView>
      {asked && (
        <Confirm
          title="Sign out everywhere else?"
          action="Sign out everywhere else"
          onClose={() => setAsked(false)}
          onYes={async () => {
            await sendChange('DELETE', '/api/sessions');
            announce('Every other session has ended');
            await sessions.reload();
          }}
        >
          Every session of yours ends but this one. API keys go on working.
        </Confirm>
      )}
    </section>
  );
}
