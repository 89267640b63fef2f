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
import { texts } from './texts.ts';

type Part = 'you' | 'organization';

interface Drawn {
  me: Me;
  /** Reloads the signed-in user and the number of users waiting for approval. */
  onChange: () => Promise<void>;
}

export interface SettingsSection {
  path: string;
  label: string;
  part: Part;
  isFor: (me: Me) => boolean;
  draw: (drawn: Drawn) => VNode;
}

const everybody = () => true;

const SECTIONS: readonly SettingsSection[] = [
  {
    path: '/settings/profile',
    label: texts.sections.profile,
    part: 'you',
    isFor: everybody,
    draw: (drawn) => <Profile {...drawn} />,
  },
  {
    path: '/settings/security',
    label: texts.sections.security,
    part: 'you',
    isFor: everybody,
    draw: ({ me }) => <Security me={me} />,
  },
  {
    path: '/settings/api-keys',
    label: texts.sections.apiKeys,
    part: 'you',
    isFor: (me) => me.user_role !== 'client',
    draw: ({ me }) => <ApiKeys me={me} />,
  },
  {
    path: '/settings/users',
    label: texts.sections.users,
    part: 'organization',
    isFor: isAdmin,
    draw: (drawn) => <Users {...drawn} />,
  },
  {
    path: '/settings/approvals',
    label: texts.sections.approvals,
    part: 'organization',
    isFor: isAdmin,
    draw: ({ onChange }) => <Approvals onChange={onChange} />,
  },
  {
    path: '/settings/invites',
    label: texts.sections.invites,
    part: 'organization',
    isFor: isAdmin,
    draw: () => <Invites />,
  },
  {
    path: '/settings/groups',
    label: texts.sections.groups,
    part: 'organization',
    isFor: isAdmin,
    draw: () => <Groups />,
  },
  {
    path: '/settings/organization',
    label: texts.sections.organization,
    part: 'organization',
    isFor: isAdmin,
    draw: (drawn) => <Organization {...drawn} />,
  },
  {
    path: '/settings/audit',
    label: texts.sections.audit,
    part: 'organization',
    isFor: isAdmin,
    draw: () => <AuditLog />,
  },
];

export const sectionsFor = (me: Me): readonly SettingsSection[] => SECTIONS.filter(({ isFor }) => isFor(me));

/** The links to all sections: beside the content on wide screens, above it on narrow ones. */
export function Navigation({
  sections,
  current,
  waiting,
}: {
  sections: readonly SettingsSection[];
  current: SettingsSection;
  waiting: number;
}) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector('[aria-current]');
    link?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });
  }, [current]);
  const parts = (['you', 'organization'] as const).map((part) => ({
    part,
    links: sections.filter((section) => section.part === part),
  }));
  return (
    <nav ref={nav} aria-label={texts.frame.navigation}>
      {parts
        .filter(({ links }) => links.length > 0)
        .map(({ part, links }) => (
          <div key={part} role="group" aria-label={texts.frame[part]}>
            <p aria-hidden="true">{texts.frame[part]}</p>
            <ul>
              {links.map(({ path, label }) => (
                <li key={path}>
                  <a
                    href={path}
                    onClick={followLink}
                    {...(path === current.path ? { 'aria-current': 'page' } : {})}
                  >
                    {label}
                    {path === '/settings/approvals' && waiting > 0 && (
                      <span class="badge">
                        {waiting}
                        <span class="unseen"> {texts.frame.waiting}</span>
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
