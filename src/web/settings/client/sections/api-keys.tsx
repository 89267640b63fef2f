import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../announce.tsx';
import { type ApiKey, send } from '../api.ts';
import { CopyButton } from '../copy-button.tsx';
import { Confirm } from '../dialog.tsx';
import { Field } from '../fields.tsx';
import { Form } from '../form.tsx';
import { Listing } from '../listing.tsx';
import { Moment } from '../moment.tsx';
import { useList } from '../use-list.ts';
import { Card, Section } from './section.tsx';

type CreatedKey = ApiKey & { api_key: string };

export function ApiKeys() {
  const keys = useList<ApiKey>('/api/api-keys');
  const [made, setMade] = useState<CreatedKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <Section
      title="API keys"
      about={
        <>
          Programs call the API with a key, and may then do what you may.{' '}
          <a href="/api/docs/">What the API can do</a>
        </>
      }
    >
      {made === null ? (
        <Card title="New key">
          <Form
            class="inline"
            submit="Make a key"
            onSubmit={async (values) => {
              setMade(await send<CreatedKey>('POST', '/api/api-keys', Object.fromEntries(values)));
              await keys.reload();
            }}
          >
            <Field name="key_name" label="Name" hint="What it is for, such as “Nightly export”" />
          </Form>
        </Card>
      ) : (
        <NewKey made={made} onDone={() => setMade(null)} />
      )}
      <Listing
        listed={keys}
        label="API keys"
        empty={
          <>
            <p class="title">No keys yet</p>
            <p>Name one above, and your first request is a minute away.</p>
          </>
        }
      >
        {(key) => (
          <li key={key.api_key_id} class="row">
            <div class="what">
              <p class="title">{key.key_name}</p>
              <p class="soft">
                <code>{key.key_start}…</code> · made <Moment at={key.created_at} /> ·{' '}
                {key.last_used_at === null ? (
                  'never used'
                ) : (
                  <>
                    used <Moment at={key.last_used_at} />
                  </>
                )}
              </p>
            </div>
            <button type="button" class="small" onClick={() => setRevoking(key)}>
              Revoke<span class="unseen"> {key.key_name}</span>
            </button>
          </li>
        )}
      </Listing>
      {revoking !== null && (
        <Confirm
          title={`Revoke “${revoking.key_name}”?`}
          action="Revoke key"
          onClose={() => setRevoking(null)}
          onYes={async () => {
            await send('DELETE', `/api/api-keys/${revoking.api_key_id}`);
            announce(`The key ${revoking.key_name} is revoked`);
            await keys.reload();
          }}
        >
          Whatever still uses it stops working with the next request.
        </Confirm>
      )}
    </Section>
  );
}

/** The only moment at which the key itself can be seen. */
function NewKey({ made, onDone }: { made: CreatedKey; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const example = `curl -H 'X-API-Key: ${made.api_key}' ${location.origin}/api/users/me`;
  return (
    <section class="card fresh">
      <h2 ref={heading} tabIndex={-1}>
        Copy “{made.key_name}” now
      </h2>
      <p class="about">It is shown this once: what we keep can only recognise it.</p>
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
