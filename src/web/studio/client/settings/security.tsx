import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { PasswordField } from '../../../shared/client/fields.tsx';
import { ConfirmDialog, Form } from '../../../shared/client/form.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Card, Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { Me } from '../../../shared/client/session.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { type ListQuery, ListView, useList } from '../data/query-list.tsx';

type Session = Schema<'Session'>;

const text = texts.security;

export function Security({ me }: { me: Me }) {
  const sessions = useList('/api/sessions');
  return (
    <Section title={text.title}>
      <Card title={texts.common.password} about={text.passwordAbout}>
        <Form
          submit={text.changePassword}
          onSubmit={async (values, form) => {
            await changeApi('put', '/api/users/{id}/change-password', {
              path: { id: me.user_id },
              body: {
                current_password: values.get('current_password') ?? '',
                new_password: values.get('new_password') ?? '',
                refuse_common_password: true,
              },
            });
            form.reset();
            announce(text.passwordChanged);
            await sessions.reload();
          }}
        >
          {/* Password managers need the user name of the password. */}
          <input
            class="visually-hidden"
            type="text"
            autocomplete="username"
            value={me.user_email}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
          <PasswordField
            name="current_password"
            label={text.currentPassword}
            autocomplete="current-password"
          />
          <PasswordField
            name="new_password"
            label={texts.common.newPassword}
            autocomplete="new-password"
            hint={texts.common.passwordHint}
          />
        </Form>
      </Card>
      <Sessions sessions={sessions} />
    </Section>
  );
}

function Sessions({ sessions }: { sessions: ListQuery<Session> }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  const endSession = async ({ session_id, user_agent }: Session) => {
    await changeApi('delete', '/api/sessions/{id}', { path: { id: session_id } });
    announce(text.ended(deviceName(user_agent)));
    document.getElementById('sessions')?.focus();
    await sessions.reload();
  };
  return (
    <section>
      <div class="head">
        <h2 id="sessions" tabIndex={-1}>
          {text.sessions}
        </h2>
        {others.length > 0 && (
          <button type="button" class="button" onClick={() => setIsConfirming(true)}>
            {text.endOthers}
          </button>
        )}
      </div>
      <ListView list={sessions} label={text.sessionList} empty={<p>{text.noSessions}</p>}>
        {(session) => (
          <li key={session.session_id} class="row">
            <div class="what">
              <p class="title">
                {deviceName(session.user_agent)}
                {session.current && <span class="chip good">{text.current}</span>}
              </p>
              <p class="soft">
                {text.signedIn} <DateTime at={session.created_at} />
                {session.address !== null && ` ${text.from(session.address)}`}
                {session.last_used_at !== null && (
                  <>
                    {' · '}
                    {text.lastUsed} <DateTime at={session.last_used_at} />
                  </>
                )}
              </p>
            </div>
            {!session.current && (
              <button type="button" class="button small" onClick={() => void endSession(session)}>
                {text.end}
                <span class="visually-hidden"> {text.endLabel(deviceName(session.user_agent))}</span>
              </button>
            )}
          </li>
        )}
      </ListView>
      {isConfirming && (
        <ConfirmDialog
          title={text.endOthersQuestion}
          action={text.endOthers}
          onClose={() => setIsConfirming(false)}
          onConfirm={async () => {
            await changeApi('delete', '/api/sessions', {});
            announce(text.othersEnded);
            await sessions.reload();
          }}
        >
          {text.endOthersAbout}
        </ConfirmDialog>
      )}
    </section>
  );
}

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrom(e|ium)\//],
  ['Safari', /Safari\//],
  ['curl', /^curl\//],
] as const;
const SYSTEMS = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['Mac', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** Returns a name such as "Firefox on Linux" for a User-Agent header. */
function deviceName(userAgent: string | null): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  if (browser === undefined) return userAgent?.slice(0, 60) || texts.devices.unknown;
  return system === undefined ? browser : texts.devices.named(browser, system);
}
