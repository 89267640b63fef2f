import { useState } from 'preact/hooks';
import { DateTime } from '../../../shared/client/date-time.tsx';
import { Field, SelectField } from '../../../shared/client/fields.tsx';
import { capitalize } from '../../../shared/client/form-errors.ts';
import { Form } from '../../../shared/client/form.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { readApi, type Schema } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { ListView, useList } from '../data/query-list.tsx';
import { MAX_LISTED } from '../data/show-more.tsx';

type AuditEntry = Schema<'AuditEntry'>;

const text = texts.audit;

export function AuditLog() {
  const [filter, setFilter] = useState<Record<string, string>>({});
  const users = useQuery('/api/users', { query: { sort: 'user_name', limit: MAX_LISTED } });
  const entries = useList('/api/audit', { query: filter });
  const names = new Map(users.data?.map(({ user_id, user_name }) => [String(user_id), user_name]));
  const userOptions = [
    ['', text.allUsers] as const,
    ...(users.data ?? []).map(({ user_id, user_name }) => [String(user_id), user_name] as const),
  ];
  return (
    <Section title={text.title} about={text.about}>
      <Form
        class="card inline"
        submit={text.submit}
        onSubmit={async (values) => {
          const newFilter = Object.fromEntries(
            [...values]
              .map(([name, value]) => [name, name === 'action' ? parseAction(value) : value.trim()])
              .filter(([, value]) => value !== ''),
          ) as Record<string, string>;
          // Tests the filter first, so that a problem is shown at its field.
          await readApi('/api/audit', { query: { ...newFilter, limit: 1 } });
          setFilter(newFilter);
        }}
      >
        <SelectField name="user_id" label={text.user} value="" options={userOptions} />
        <Field name="action" label={text.action} hint={text.actionHint} />
        <Field name="from" label={text.from} type="date" />
        <Field name="to" label={text.to} type="date" />
      </Form>
      <ListView list={entries} label={text.title} empty={<p>{text.empty}</p>}>
        {(entry) => (
          <li key={entry.audit_id} class="row entry">
            <div class="what">
              <p class="title">
                {formatAction(entry.action)}
                {entry.object_id !== null && <span class="soft"> {formatObject(entry, names)}</span>}
              </p>
              <p class="soft">
                {entry.user_name ?? text.system}
                {entry.credential === 'api_key' && text.withApiKey}
                {entry.address !== null && text.fromAddress(entry.address)}
              </p>
              {entry.details !== null && Object.keys(entry.details).length > 0 && (
                <p class="soft">{formatDetails(entry.details)}</p>
              )}
            </div>
            <p class="soft when">
              <DateTime at={entry.happened_at} />
            </p>
          </li>
        )}
      </ListView>
    </Section>
  );
}

/** Formats users by name, and other objects by type and id. */
function formatObject(
  { object_type: type, object_id: id }: AuditEntry,
  names: ReadonlyMap<string, string>,
): string {
  const name = type === 'user' && id !== null ? names.get(id) : undefined;
  return name ?? `${type.replaceAll('_', ' ').replace('api key', 'API key')} ${id ?? ''}`;
}

/** Formats `user.password_changed` as "User: password changed". */
function formatAction(action: string): string {
  const [object = '', verb = ''] = action.replaceAll('_', ' ').replace('api key', 'API key').split('.');
  return capitalize(verb === '' ? object : `${object}: ${verb}`);
}

/** Reads an action as the list shows it, "User: password changed", or as the API names it. */
const parseAction = (words: string): string =>
  words
    .toLowerCase()
    .split(':')
    .map((part) => part.trim().replaceAll(/\s+/g, '_'))
    .join('.');

function formatDetails(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const shown = Array.isArray(value)
        ? value.join(', ')
        : typeof value === 'string'
          ? value
          : JSON.stringify(value);
      return `${name.replaceAll('_', ' ')}: ${shown}`;
    })
    .join(' · ');
}
