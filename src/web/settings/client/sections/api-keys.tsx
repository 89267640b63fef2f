import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type ApiKey, type Me, sendChange } from '../api.ts';
import { CopyButton } from '../copy-button.tsx';
import { Confirm } from '../dialog.tsx';
import { Field, PasswordField } from '../fields.tsx';
import { Form } from '../form.tsx';
import { ListView } from '../list-view.tsx';
import { DateTime } from '../date-time.tsx';
import { useList } from '../use-list.ts';
import { Card, Section } from './section.tsx';

type CreatedKey = ApiKey & { api_key: string };

export function ApiKeys({ me }: { me: Me }) {
  const keys = useList<ApiKey>('/api/api-keys');
  const [made, setMade] = useState<CreatedKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <Section
      title="API keys"
      about={
        <>
          A key lets a program call the API with your permissions. <a href="/api/docs/">API documentation</a>
        </>
      }
    >
      {made === null ? (
        <Card title="New key">
          <Form
            submit="Create key"
            onSubmit={async (values) => {
              const { key_name, expires_at, current_password } = Object.fromEntries(values);
              const body = { key_name, current_password, ...(expires_at === '' ? {} : { expires_at }) };
              setMade(await sendChange<CreatedKey>('POST', '/api/api-keys', body));
              await keys.reload();
            }}
          >
            {/* Tells password managers whose password this is. */}
            <input
              class="unseen"
              type="text"
              autocomplete="username"
              value={me.user_email}
              readOnly
              tabIndex={-1}
              aria-hidden="true"
            />
            <Field name="key_name" label="Name" hint="What the key is for, such as “Nightly export”" />
            <Field
              name="expires_at"
              label="Expires after"
              type="date"
              hint="The last day on which the key works (UTC). Leave empty for no expiry."
            />
            <PasswordField
              name="current_password"
              label="Your password"
              autocomplete="current-password"
              hint="Confirms that it is you who creates the key"
            />
          </Form>
        </Card>
      ) : (
        <NewKey made={made} onDone={() => setMade(null)} />
      )}
      <ListView
        listed={keys}
        label="API keys"
        empty={
          <>
            <p class="title">No keys yet</p>
            <p>Create one above to call the API from a program.</p>
          </>
        }
      >
        {(key) => (
          <li key={key.api_key_id} class="row">
            <div class="what">
              <p class="title">
                {key.key_name}
                {hasExpired(key) && <span class="chip bad">Expired</span>}
              </p>
              <p class="soft">
                <code>{key.key_start}…</code> · created <DateTime at={key.created_at} /> ·{' '}
                {key.last_used_at === null ? (
                  'never used'
                ) : (
                  <>
                    used <DateTime at={key.last_used_at} />
                  </>
                )}
                {key.expires_at !== null && (
                  <>
                    {hasExpired(key) ? ' · expired ' : ' · expires '}
                    <DateTime at={key.expires_at} />
                  </>
                )}
              </p>
            </div>
            <button type="button" class="small" onClick={() => setRevoking(key)}>
              Revoke<span class="unseen"> {key.key_name}</span>
            </button>
          </li>
        )}
      </ListView>
      {revoking !== null && (
        <Confirm
          title={`Revoke “${revoking.key_name}”?`}
          action="Revoke key"
          onClose={() => setRevoking(null)}
          onYes={async () => {
            await sendChange('DELETE', `/api/api-keys/${revoking.api_key_id}`);
            announce(`The key ${revoking.key_name} is revoked`);
            await keys.reload();
          }}
        >
          Programs that use it stop working with their next request.
        </Confirm>
      )}
    </Section>
  );
}

const hasExpired = ({ expires_at }: ApiKey): boolean =>
  expires_at !== null && Date.parse(expires_at) <= Date.now();

/** Shows the key itself, which no later reply contains. */
function NewKey({ made, onDone }: { made: CreatedKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const example = `curl -H 'X-API-Key: ${made.api_key}' ${location.origin}/api/users/me`;
  return (
    <section class="card fresh">
      <h2 ref={heading} tabIndex={-1}>
        Copy “{made.key_name}” now
      </h2>
      <p class="about">This is the only time that the key is shown.</p>
      <div class="copied">
        <code id="new-key">{made.api_key}</code>
        <CopyButton text={made.api_key} name="API key" />
      </div>
      <p class="about">Try it in a terminal:</p>
      <div class="copied">
        <code>{example}</code>
        <CopyButton text={example} name="Command" />
      </div>
      <div class="buttons">
        <button type="button" class="main" onClick={onDone}>
          Done
        </button>
      </div>
    </section>
  );
}
