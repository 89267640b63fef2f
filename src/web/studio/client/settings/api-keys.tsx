import { useEffect, useRef, useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Field, PasswordField } from '../../../shared/client/fields.tsx';
import { ConfirmDialog, Form } from '../../../shared/client/form.tsx';
import { announce, CopyButton } from '../../../shared/client/notices.tsx';
import { Card, Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import type { Me } from '../../../shared/client/session.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { ListView, useList } from '../data/query-list.tsx';

const text = texts.apiKeys;

type ApiKey = Schema<'ApiKey'>;
type CreatedKey = Schema<'CreatedApiKey'>;

export function ApiKeys({ me }: { me: Me }) {
  const keys = useList('/api/api-keys');
  const [newKey, setNewKey] = useState<CreatedKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <Section
      title={text.title}
      about={
        <>
          {text.about} <a href="/api/docs/">{text.documentation}</a>
        </>
      }
    >
      {newKey === null ? (
        <Card title={text.new}>
          <Form
            submit={text.create}
            onSubmit={async (values) => {
              const expiresAt = values.get('expires_at') ?? '';
              const body = {
                key_name: values.get('key_name') ?? '',
                current_password: values.get('current_password') ?? '',
                ...(expiresAt === '' ? {} : { expires_at: expiresAt }),
              };
              setNewKey(await changeApi('post', '/api/api-keys', { body }));
              await keys.reload();
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
            <Field name="key_name" label={texts.common.name} hint={text.nameHint} />
            <Field name="expires_at" label={text.expires} type="date" hint={text.expiresHint} />
            <PasswordField
              name="current_password"
              label={texts.common.yourPassword}
              autocomplete="current-password"
              hint={text.passwordHint}
            />
          </Form>
        </Card>
      ) : (
        <NewKey created={newKey} onDone={() => setNewKey(null)} />
      )}
      <ListView
        list={keys}
        label={text.title}
        empty={
          <>
            <p class="title">{text.empty}</p>
            <p>{text.emptyAbout}</p>
          </>
        }
      >
        {(key) => (
          <li key={key.api_key_id} class="row">
            <div class="what">
              <p class="title">
                {key.key_name}
                {hasExpired(key) && <span class="chip bad">{text.expired}</span>}
              </p>
              <p class="soft">
                <code>{key.key_start}…</code> · {text.created} <DateTime at={key.created_at} /> ·{' '}
                {key.last_used_at === null ? (
                  text.neverUsed
                ) : (
                  <>
                    {text.lastUsed} <DateTime at={key.last_used_at} />
                  </>
                )}
                {key.expires_at !== null && (
                  <>
                    {' · '}
                    {hasExpired(key) ? text.expiredOn : text.expiresOn} <DateTime at={key.expires_at} />
                  </>
                )}
              </p>
            </div>
            <button type="button" class="button small" onClick={() => setRevoking(key)}>
              {texts.common.revoke}
              <span class="visually-hidden"> {key.key_name}</span>
            </button>
          </li>
        )}
      </ListView>
      {revoking !== null && (
        <ConfirmDialog
          title={text.revokeQuestion(revoking.key_name)}
          action={text.revokeSubmit}
          onClose={() => setRevoking(null)}
          onConfirm={async () => {
            await changeApi('delete', '/api/api-keys/{id}', { path: { id: revoking.api_key_id } });
            announce(text.revoked(revoking.key_name));
            await keys.reload();
          }}
        >
          {text.revokeAbout}
        </ConfirmDialog>
      )}
    </Section>
  );
}

const hasExpired = ({ expires_at }: ApiKey): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();

/** Shows the API key. No later reply contains it. */
function NewKey({ created, onDone }: { created: CreatedKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const example = `curl -H 'X-API-Key: ${created.api_key}' ${location.origin}/api/users/me`;
  return (
    <section class="card fresh">
      <h2 ref={heading} tabIndex={-1}>
        {text.copyNow(created.key_name)}
      </h2>
      <p class="about">{text.copyAbout}</p>
      <div class="copied">
        <code id="new-key">{created.api_key}</code>
        <CopyButton text={created.api_key} name={text.key} />
      </div>
      <p class="about">{text.tryIt}</p>
      <div class="copied">
        <code>{example}</code>
        <CopyButton text={example} name={text.command} />
      </div>
      <div class="buttons">
        <button type="button" class="button primary" onClick={onDone}>
          {texts.common.done}
        </button>
      </div>
    </section>
  );
}
