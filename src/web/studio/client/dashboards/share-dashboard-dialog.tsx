import { useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { Field, PasswordField } from '../../../shared/client/fields.tsx';
import { Form, useAction } from '../../../shared/client/form.tsx';
import { CopyButton } from '../../../shared/client/notices.tsx';
import { isAdmin } from '../../../shared/client/session.ts';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { QueryView } from '../data/query-view.tsx';
import { useSession } from '../shell/session-context.tsx';
import { readTypedNumber } from '../data/typed-number.ts';

type ShownDashboard = Pick<
  Schema<'Dashboard'>,
  'dashboard_id' | 'dashboard_name' | 'dashboard_slug' | 'dashboard_settings'
>;
type Share = Schema<'DashboardShare'>;
type Audience = Schema<'Dashboard'>['open_to'];

const t = texts.dashboards.sharing;
/** The API returns no more at once. */
const MAX_LISTED = 1000;
/** As the API requires it. */
const MIN_PASSWORD_CHARACTERS = 4;
const AUDIENCES: readonly Audience[] = ['members', 'public', 'password'];
const SHARES = '/api/dashboards/{id}/shares';
/** Field of the form, and of the request that changes it. */
const MINIMUM = 'dashboard_settings.min_base';

/** Opens a dashboard to everyone with its link, with or without a password, and to people and groups. */
export function ShareDashboardDialog({
  dashboard,
  onClose,
}: {
  dashboard: ShownDashboard;
  onClose: () => void;
}) {
  const [outcome, setOutcome] = useState('');
  const query = useQuery(SHARES, {
    path: { id: dashboard.dashboard_id },
    query: { limit: MAX_LISTED },
  });
  return (
    <Dialog title={t.title(dashboard.dashboard_name)} onClose={onClose}>
      <QueryView query={query}>
        {(shares) => (
          <>
            <LinkSharing dashboard={dashboard} shares={shares} onChanged={setOutcome} onClose={onClose} />
            <p class="share-outcome" role="status">
              {outcome}
            </p>
            <PeopleSharing dashboard={dashboard} shares={shares} onChanged={setOutcome} />
          </>
        )}
      </QueryView>
    </Dialog>
  );
}

interface SharingProps {
  dashboard: ShownDashboard;
  shares: readonly Share[];
  /** Shows the text in the dialog; a notice of the page would be behind it. */
  onChanged: (outcome: string) => void;
}

const isOpenShare = ({ share_type: type }: Share) => type === 'public' || type === 'password';

function LinkSharing({
  dashboard: { dashboard_id: id, dashboard_name: name, dashboard_slug: slug, dashboard_settings: settings },
  shares,
  onChanged,
  onClose,
}: SharingProps & {
  onClose: () => void;
}) {
  const share = shares.find(isOpenShare);
  const current = (share?.share_type ?? 'members') as Audience;
  const [chosen, setChosen] = useState(current);
  const isNewPassword = chosen === 'password' && current === 'password';
  const { can_publish_dashboards: canPublish } = useSession().me;

  const saveMinimum = async (text: string): Promise<boolean> => {
    if (text.trim() === String(settings.min_base)) return false;
    const { value } = readTypedNumber(text, 0);
    if (value === null || value < 0 || value > 9_999)
      throw new ApiError('rejected', { problems: [{ field: MINIMUM, message: t.notMinimum }] });
    await changeApi('put', '/api/dashboards/{id}', {
      path: { id },
      body: { dashboard_settings: { min_base: value } },
    });
    await reloadQueries('/api/dashboards');
    return true;
  };
  const save = async (password: string, minimum: string) => {
    const isMinimumChanged = chosen !== 'members' && (await saveMinimum(minimum));
    if (chosen === current && (chosen !== 'password' || password === '')) {
      if (isMinimumChanged) onChanged(t.saved[chosen](name));
      else onClose();
      return;
    }
    if (chosen === 'password') refuseShortPassword(password);
    try {
      // The API refuses a second kind of link beside the first.
      if (share !== undefined && chosen !== current)
        await changeApi('delete', '/api/dashboards/{id}/shares/{shareId}', {
          path: { id, shareId: share.share_id },
        });
      // A link that people with the password know stays as it is.
      if (chosen === 'public' && current === 'members' && isGuessable(slug))
        await changeApi('put', '/api/dashboards/{id}', {
          path: { id },
          body: { dashboard_slug: withRandomEnd(slug) },
        });
      if (chosen !== 'members')
        await changeApi('post', SHARES, {
          path: { id },
          body:
            chosen === 'public'
              ? { share_type: 'public' }
              : { share_type: 'password', share_password: password },
        });
    } finally {
      await reloadQueries('/api/dashboards');
    }
    onChanged(t.saved[chosen](name));
  };

  return (
    <Form
      submit={t.save}
      onSubmit={(values) => save(values.get('share_password') ?? '', values.get(MINIMUM) ?? '')}
      otherButtons={
        <button type="button" class="button" onClick={onClose}>
          {t.close}
        </button>
      }
    >
      <fieldset class="labeled" role="radiogroup">
        <legend>{t.openTo}</legend>
        {AUDIENCES.map((audience) => (
          <label key={audience} class="check">
            <input
              type="radio"
              name="audience"
              value={audience}
              checked={chosen === audience}
              // An open link can be ended, and kept as it is.
              disabled={!canPublish && audience !== 'members' && audience !== current}
              onChange={() => setChosen(audience)}
            />
            <span>{t.options[audience]}</span>
          </label>
        ))}
        {!canPublish && <p class="hint">{t.adminsOnly}</p>}
      </fieldset>
      {chosen !== 'members' && (
        <Field
          name={MINIMUM}
          label={t.minimum}
          hint={t.minimumHint}
          inputMode="numeric"
          value={String(settings.min_base)}
        />
      )}
      {chosen === 'password' && canPublish && (
        <PasswordField
          key={String(isNewPassword)}
          name="share_password"
          label={isNewPassword ? t.newPassword : t.password}
          hint={isNewPassword ? t.newPasswordHint : t.passwordHint(MIN_PASSWORD_CHARACTERS)}
          autocomplete="new-password"
        />
      )}
      {share?.public_url != null && chosen === current && (
        <div class="labeled">
          <label for="dashboard-link">{t.link}</label>
          <div class="share-link">
            <input id="dashboard-link" class="field" readOnly value={share.public_url} />
            <CopyButton text={share.public_url} name={t.linkName} />
            <a class="button small" href={share.public_url} target="_blank" rel="noreferrer">
              {t.visit}
            </a>
          </div>
          {chosen === 'public' && isGuessable(slug) && <p class="hint">{t.linkHint}</p>}
        </div>
      )}
    </Form>
  );
}

const RANDOM_BYTES = 8;
const RANDOM_END = new RegExp(`-[0-9a-f]{${RANDOM_BYTES * 2}}$`);
/** As the API allows. */
const MAX_SLUG_CHARACTERS = 80;

const isGuessable = (slug: string): boolean => !RANDOM_END.test(slug);

/** Keeps the readable beginning of an address, and adds an end that cannot be guessed. */
function withRandomEnd(slug: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  const end = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${slug.slice(0, MAX_SLUG_CHARACTERS - end.length - 1).replace(/-$/, '')}-${end}`;
}

/** Checked here too, because changing a public link to one with a password first ends the public one. */
function refuseShortPassword(password: string): void {
  if ([...password.normalize('NFKC')].length >= MIN_PASSWORD_CHARACTERS) return;
  throw new ApiError('rejected', {
    problems: [{ field: 'share_password', message: t.tooShort(MIN_PASSWORD_CHARACTERS) }],
  });
}

/** The people and groups that the dashboard is shared with. Only admins can list users, so only they can add some. */
function PeopleSharing({ dashboard: { dashboard_id: id }, shares, onChanged }: SharingProps) {
  const { me } = useSession();
  const { runAction, errorNotice } = useAction();
  const people = shares.filter((share) => !isOpenShare(share));
  if (people.length === 0 && !isAdmin(me)) return null;
  const stop = async (share: Share) => {
    await changeApi('delete', '/api/dashboards/{id}/shares/{shareId}', {
      path: { id, shareId: share.share_id },
    });
    await reloadQueries('/api/dashboards');
    onChanged(t.stopped(nameOf(share)));
  };
  return (
    <section class="people-sharing" aria-label={t.people}>
      <h3>{t.people}</h3>
      <p class="hint">{people.length === 0 ? t.noPeople : t.peopleHint}</p>
      {errorNotice}
      {people.length > 0 && (
        <ul class="rows" aria-label={t.people}>
          {people.map((share) => (
            <li key={share.share_id} class="row">
              <p class="what">
                {nameOf(share)} <span class="chip">{share.share_type === 'user' ? t.person : t.group}</span>
              </p>
              <button
                type="button"
                class="button small"
                aria-label={t.stopWith(nameOf(share))}
                onClick={() => void runAction(() => stop(share))}
              >
                {t.stop}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isAdmin(me) && <AddPerson dashboardId={id} shares={people} onChanged={onChanged} />}
    </section>
  );
}

const nameOf = ({ user_name: user, group_name: group }: Share): string => user ?? group ?? '';

/** Shares the dashboard with a client or a group. Members have access through the workspace. */
function AddPerson({
  dashboardId,
  shares,
  onChanged,
}: Omit<SharingProps, 'dashboard'> & { dashboardId: number }) {
  const [chosen, setChosen] = useState('');
  const { runAction, errorNotice } = useAction();
  const clients = useQuery('/api/users', { query: { user_role: 'client', limit: MAX_LISTED } });
  const groups = useQuery('/api/groups', { query: { limit: MAX_LISTED } });
  const sharedUsers = new Set(shares.map((share) => share.user_id));
  const sharedGroups = new Set(shares.map((share) => share.group_id));
  const options = [
    ...(groups.data ?? [])
      .filter((group) => !sharedGroups.has(group.group_id))
      .map((group) => ({ value: `group-${group.group_id}`, name: group.group_name })),
    ...(clients.data ?? [])
      .filter((user) => !sharedUsers.has(user.user_id))
      .map((user) => ({ value: `user-${user.user_id}`, name: user.user_name })),
  ];
  if (options.length === 0) return null;
  const add = async () => {
    const [kind, number] = chosen.split('-');
    await changeApi('post', SHARES, {
      path: { id: dashboardId },
      body:
        kind === 'user'
          ? { share_type: 'user', user_id: Number(number) }
          : { share_type: 'group', group_id: Number(number) },
    });
    const name = options.find(({ value }) => value === chosen)?.name ?? '';
    setChosen('');
    await reloadQueries('/api/dashboards');
    onChanged(t.added(name));
  };
  return (
    <>
      {errorNotice}
      <div class="share-link">
        <select
          class="field"
          aria-label={t.addLabel}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          <option value="">{t.addNone}</option>
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <button
          type="button"
          class="button small"
          disabled={chosen === ''}
          onClick={() => void runAction(add)}
        >
          {t.add}
        </button>
      </div>
    </>
  );
}
