import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Me } from './api.ts';
import { isAdmin } from './user-labels.ts';
import { followLink } from './router.ts';
import { ApiKeys } from './sections/api-keys.tsx';
import { Approvals } from './sections/approvals.tsx';
import { AuditLog } from './sections/audit-log.tsx';
import { Groups } from './sections/groups.tsx';
import { Invites } from './sections/invites.tsx';
import { Organization } from './sections/organization.tsx';
import { Profile } from './sections/profile.tsx';
import { Security } from './sections/security.tsx';
import { Users } from './sections/users.tsx';
import { texts } from '../texts.ts';

type NavigationGroup = 'you' | 'organization';

interface SectionProps {
  me: Me;
  /** Reloads the signed-in user and the number of users waiting for approval. */
  onChange: () => Promise<void>;
}

export interface SettingsSection {
  path: string;
  label: string;
  group: NavigationGroup;
  isVisibleTo: (me: Me) => boolean;
  render: (props: SectionProps) => VNode;
}

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
    path: '/settings/approvals',
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

export const sectionsFor = (me: Me): readonly SettingsSection[] =>
  SECTIONS.filter(({ isVisibleTo }) => isVisibleTo(me));

/** The links to all sections: beside the content on wide screens, above it on narrow ones. */
export function Navigation({
  sections,
  current,
  pendingApprovals,
}: {
  sections: readonly SettingsSection[];
  current: SettingsSection;
  pendingApprovals: number;
}) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });
  }, [current]);
  const groups = (['you', 'organization'] as const).map((group) => ({
    group,
    links: sections.filter((section) => section.group === group),
  }));
  return (
    <nav ref={nav} aria-label={texts.frame.navigation}>
      {groups
        .filter(({ links }) => links.length > 0)
        .map(({ group, links }) => (
          <div key={group} role="group" aria-label={texts.frame[group]}>
            <p aria-hidden="true">{texts.frame[group]}</p>
            <ul>
              {links.map(({ path, label }) => (
                <li key={path}>
                  <a
                    href={path}
                    onClick={followLink}
                    {...(path === current.path ? { 'aria-current': 'page' } : {})}
                  >
                    {label}
                    {path === '/settings/approvals' && pendingApprovals > 0 && (
                      <span class="badge">
                        {pendingApprovals}
                        <span class="visually-hidden"> {texts.frame.waiting}</span>
                      </span>
                    )}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}
