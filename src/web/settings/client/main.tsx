import { render, type VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError, fetchList, onSignedOut } from '../../shared/client/api.ts';
import { errorMessage } from '../../shared/client/form-errors.ts';
import { navigate, SideNavigation, usePath } from '../../shared/client/navigation.tsx';
import { Toast } from '../../shared/client/notices.tsx';
import { PageShell, StandalonePage } from '../../shared/client/page.tsx';
import { componentTexts, signInTexts } from '../../shared/client/texts.ts';
import { texts } from '../texts.ts';
import { callAuth, fetchMe, isAdmin, type Me, type User } from '../../shared/client/session.ts';
import { ApiKeys } from './sections/api-keys.tsx';
import { Approvals } from './sections/approvals.tsx';
import { AuditLog } from './sections/audit-log.tsx';
import { Groups } from './sections/groups.tsx';
import { Invites } from './sections/invites.tsx';
import { Organization } from './sections/organization.tsx';
import { Profile } from './sections/profile.tsx';
import { Security } from './sections/security.tsx';
import { Users } from './sections/users.tsx';
import { Join, ResetPassword } from './sign-in-pages.tsx';
import { Avatar } from '../../shared/client/avatar.tsx';
import { SignIn } from '../../shared/client/sign-in.tsx';

type Visitor =
  { kind: 'loading' } | { kind: 'signed_out'; sessionEnded: boolean } | { kind: 'failed'; error: ApiError };

function Settings() {
  const [me, setMe] = useState<Me | null>(null);
  const [visitor, setVisitor] = useState<Visitor>({ kind: 'loading' });
  const [pendingApprovals, setPendingApprovals] = useState(0);
  const refresh = useCallback(async () => {
    try {
      const user = await fetchMe();
      setMe(user);
      if (user === null) setVisitor({ kind: 'signed_out', sessionEnded: false });
      else if (isAdmin(user)) {
        const { meta } = await fetchList<User>('/api/users?user_status=2&limit=1');
        setPendingApprovals(meta?.total ?? 0);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setVisitor({ kind: 'failed', error });
    }
  }, []);
  useEffect(() => {
    onSignedOut(() => {
      setMe(null);
      setVisitor({ kind: 'signed_out', sessionEnded: true });
    });
    void refresh();
  }, []);

  if (me !== null) return <Frame me={me} pendingApprovals={pendingApprovals} onChange={refresh} />;
  switch (visitor.kind) {
    case 'loading':
      return <p class="visually-hidden">{componentTexts.loading}</p>;
    case 'signed_out':
      return (
        <SignIn about={visitor.sessionEnded ? signInTexts.sessionEnded : undefined} onSignedIn={refresh} />
      );
    case 'failed':
      return (
        <StandalonePage title={texts.errors.notLoaded} about={errorMessage(visitor.error)}>
          <div class="buttons">
            <button type="button" class="button primary" onClick={() => void refresh()}>
              {componentTexts.tryAgain}
            </button>
          </div>
        </StandalonePage>
      );
  }
}

type SectionGroup = 'you' | 'organization';

interface SectionProps {
  me: Me;
  /** Reloads the signed-in user and the number of users waiting for approval. */
  onChange: () => Promise<void>;
}

interface SettingsSection {
  path: string;
  label: string;
  group: SectionGroup;
  isVisibleTo: (me: Me) => boolean;
  render: (props: SectionProps) => VNode;
}

const APPROVALS_PATH = '/settings/approvals';

const isForAllUsers = () => true;

const SECTIONS: readonly SettingsSection[] = [
  {
    path: '/settings/profile',
    label: texts.sections.profile,
    group: 'you',
    isVisibleTo: isForAllUsers,
    render: (props) => <Profile {...props} />,
  },
  {
    path: '/settings/security',
    label: texts.sections.security,
    group: 'you',
    isVisibleTo: isForAllUsers,
    render: ({ me }) => <Security me={me} />,
  },
  {
    path: '/settings/api-keys',
    label: texts.sections.apiKeys,
    group: 'you',
    isVisibleTo: (me) => me.user_role !== 'client',
    render: ({ me }) => <ApiKeys me={me} />,
  },
  {
    path: '/settings/users',
    label: texts.sections.users,
    group: 'organization',
    isVisibleTo: isAdmin,
    render: (props) => <Users {...props} />,
  },
  {
    path: APPROVALS_PATH,
    label: texts.sections.approvals,
    group: 'organization',
    isVisibleTo: isAdmin,
    render: ({ onChange }) => <Approvals onChange={onChange} />,
  },
  {
    path: '/settings/invites',
    label: texts.sections.invites,
    group: 'organization',
    isVisibleTo: isAdmin,
    render: () => <Invites />,
  },
  {
    path: '/settings/groups',
    label: texts.sections.groups,
    group: 'organization',
    isVisibleTo: isAdmin,
    render: () => <Groups />,
  },
  {
    path: '/settings/organization',
    label: texts.sections.organization,
    group: 'organization',
    isVisibleTo: isAdmin,
    render: (props) => <Organization {...props} />,
  },
  {
    path: '/settings/audit',
    label: texts.sections.audit,
    group: 'organization',
    isVisibleTo: isAdmin,
    render: () => <AuditLog />,
  },
];

const sectionsFor = (me: Me): readonly SettingsSection[] =>
  SECTIONS.filter(({ isVisibleTo }) => isVisibleTo(me));

const LINKS = [
  ['/surveys', texts.frame.surveys],
  ['/dashboards', texts.frame.dashboards],
  ['/api/docs/', texts.frame.apiDocs],
] as const;

function Frame({
  me,
  pendingApprovals,
  onChange,
}: {
  me: Me;
  pendingApprovals: number;
  onChange: () => Promise<void>;
}) {
  const path = usePath();
  const sections = sectionsFor(me);
  const current = sections.find((section) => section.path === path) ?? sections[0];
  const signOut = async () => {
    try {
      await callAuth('logout');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    navigate('/settings');
    await onChange();
  };
  if (current === undefined) return null;
  const waiting = pendingApprovals > 0 && (
    <span class="badge">
      {pendingApprovals}
      <span class="visually-hidden"> {texts.frame.waiting}</span>
    </span>
  );
  const groups = (['you', 'organization'] as const).map((group) => ({
    label: texts.frame[group],
    links: sections
      .filter((section) => section.group === group)
      .map((section) => ({
        path: section.path,
        label: section.label,
        badge: section.path === APPROVALS_PATH && waiting,
      })),
  }));
  return (
    <>
      <PageShell
        path={current.path}
        place={
          <>
            {me.organization.organization_name}
            {me.home_organization_id !== undefined && (
              <span class="chip wait">{texts.frame.otherOrganization}</span>
            )}
          </>
        }
        links={me.user_role === 'client' ? LINKS.slice(1) : LINKS}
        user={
          <>
            <Avatar user={me} />
            <span class="person">{me.user_name}</span>
            <button type="button" class="button small" onClick={() => void signOut()}>
              {texts.frame.signOut}
            </button>
          </>
        }
        navigation={<SideNavigation label={texts.frame.navigation} groups={groups} current={current.path} />}
      >
        {current.render({ me, onChange })}
      </PageShell>
      <Toast />
    </>
  );
}

const root = document.getElementById('page') ?? document.body;
const [, page, token = ''] = location.pathname.split('/');

root.replaceChildren();
if (page === 'join') render(<Join token={decodeURIComponent(token)} />, root);
else if (page === 'reset') {
  const resetToken = location.hash.slice(1);
  // The token allows anyone to set the password, so it is removed from the address bar.
  history.replaceState(null, '', location.pathname);
  render(<ResetPassword token={resetToken} />, root);
} else render(<Settings />, root);
