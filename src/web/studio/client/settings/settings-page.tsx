import type { VNode } from 'preact';
import { SideNavigation } from '../../../shared/client/navigation.tsx';
import { isAdmin, type Me } from '../../../shared/client/session.ts';
import { settingsTexts as texts } from '../../texts/settings.ts';
import { reloadQueries, useQuery } from '../data/queries.ts';
import { useSession } from '../shell/session-context.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Approvals, PENDING } from './approvals.tsx';
import { AuditLog } from './audit-log.tsx';
import { Groups } from './groups.tsx';
import { Invites } from './invites.tsx';
import { Organization } from './organization.tsx';
import { Profile } from './profile.tsx';
import { Security } from './security.tsx';
import './settings.css';
import { Users } from './users.tsx';
import { WorkspaceLooks } from './workspace-look.tsx';

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
    path: '/settings/look',
    label: texts.sections.look,
    group: 'organization',
    isVisibleTo: (me) => me.user_role !== 'client',
    render: () => <WorkspaceLooks />,
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

/** The section of the settings at an address, beside the list of sections. */
export function SettingsPage({ path }: { path: string }) {
  const { me, reload } = useSession();
  const pending = useQuery('/api/users', isAdmin(me) ? { query: { user_status: PENDING, limit: 1 } } : null);
  const sections = sectionsFor(me);
  const current = sections.find((section) => section.path === path) ?? sections[0];
  if (current === undefined) return null;
  const count = pending.total ?? 0;
  const waiting = count > 0 && (
    <span class="badge">
      {count}
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
  const onChange = async () => {
    await Promise.all([reload(), reloadQueries('/api/users')]);
  };
  return (
    <div class="frame settings">
      <SideNavigation label={texts.frame.navigation} groups={groups} current={current.path} />
      <div class="settings-section" key={current.path}>
        {current.render({ me, onChange })}
      </div>
    </div>
  );
}
