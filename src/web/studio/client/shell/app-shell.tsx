import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { areasOf, topBarTexts } from '../../../shared/areas.ts';
import { Avatar } from '../../../shared/client/avatar.tsx';
import { ApiError } from '../../../shared/client/api.ts';
import { Icon } from '../../../shared/client/icon.tsx';
import { Menu } from '../../../shared/client/menu.tsx';
import { followLink, navigate } from '../../../shared/client/navigation.tsx';
import { Brand } from '../../../shared/client/page.tsx';
import { callAuth } from '../../../shared/client/session.ts';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import { changeApi } from '../data/api.ts';
import { useQuery } from '../data/queries.ts';
import { JobsMenu } from './jobs-menu.tsx';
import { lazyPage } from './lazy-page.tsx';
import { WorkspaceDialog } from './workspace-dialog.tsx';
import { useSession } from './session-context.tsx';
import { takeOpened } from './take-opened.ts';

const SearchDialog = lazyPage<{ onClose: () => void }>(
  async () => (await import('./search-dialog.tsx')).SearchDialog,
);

/** The top bar, and below it the page. */
export function AppShell({
  path,
  onSignedOut,
  children,
}: {
  path: string;
  onSignedOut: () => Promise<void>;
  children: ComponentChildren;
}) {
  const isClient = useSession().me.user_role === 'client';
  const [isSearching, setIsSearching] = useState(() => !isClient && takeOpened('search'));
  useEffect(() => {
    if (isClient) return undefined;
    const openSearch = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) setIsSearching(true);
    };
    addEventListener('keydown', openSearch);
    return () => removeEventListener('keydown', openSearch);
  }, [isClient]);
  return (
    <>
      <a class="skip" href="#content">
        {componentTexts.skip}
      </a>
      <header class="top studio-top">
        <Brand />
        <WorkspaceMenu />
        <nav class="areas" aria-label={topBarTexts.areas}>
          <ul>
            {areasOf({ isClient }).map(({ path: areaPath, label }) => (
              <li key={areaPath}>
                <a
                  href={areaPath}
                  onClick={followLink}
                  {...(path.startsWith(areaPath) ? { 'aria-current': 'page' } : {})}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="who">
          {!isClient && (
            <>
              <button type="button" class="search-button" onClick={() => setIsSearching(true)}>
                <Icon name="search" />
                <span>{topBarTexts.search}</span>
                <kbd aria-hidden="true">{topBarTexts.searchShortcut}</kbd>
              </button>
              <JobsMenu />
            </>
          )}
          <UserMenu onSignedOut={onSignedOut} />
        </div>
      </header>
      <main class="content studio-content" id="content" tabIndex={-1}>
        {children}
      </main>
      {isSearching && <SearchDialog onClose={() => setIsSearching(false)} />}
    </>
  );
}

/** Selects the workspace that all areas show. The server keeps the choice for this session. */
function WorkspaceMenu() {
  const { workspace, workspaces, selectWorkspace, reload } = useSession();
  const [isCreating, setCreating] = useState(false);
  if (workspace === null) return null;
  const select = async (id: number) => {
    selectWorkspace(id);
    navigate('/surveys');
    try {
      await changeApi('put', '/api/workspaces/current/{id}', { path: { id } });
    } catch (error) {
      // Every request names the workspace; the server's note is only for the next visit.
      if (!(error instanceof ApiError)) throw error;
    }
  };
  const open = async (id: number) => {
    await changeApi('put', '/api/workspaces/current/{id}', { path: { id } });
    await reload();
    navigate('/surveys');
  };
  return (
    <>
      <Menu
        label={`${topBarTexts.workspace}: ${workspace.workspace_name}`}
        buttonClass="workspace-button"
        align="start"
        button={
          <>
            <WorkspaceDot color={workspace.workspace_color} />
            <span>{workspace.workspace_name}</span>
            <Icon name="down" />
          </>
        }
        items={[
          ...workspaces.map((each) => ({
            label: (
              <>
                <WorkspaceDot color={each.workspace_color} />
                {each.workspace_name}
              </>
            ),
            checked: each.workspace_id === workspace.workspace_id,
            run: () => void select(each.workspace_id),
          })),
          { label: topBarTexts.newWorkspace, run: () => setCreating(true) },
        ]}
      />
      {isCreating && <WorkspaceDialog onClose={() => setCreating(false)} onCreated={open} />}
    </>
  );
}

/** The policy of the page forbids inline styles in HTML; an SVG attribute is not one. */
const WorkspaceDot = ({ color }: { color: string }) => (
  <svg class="workspace-dot" viewBox="0 0 12 12" aria-hidden="true">
    <circle cx="6" cy="6" r="5" fill={color} stroke="none" />
  </svg>
);

function UserMenu({ onSignedOut }: { onSignedOut: () => Promise<void> }) {
  const { me } = useSession();
  const balance = useQuery('/api/billing/balance', me.ai_access && me.user_role !== 'client' ? {} : null);
  const signOut = async () => {
    try {
      await callAuth('logout');
    } catch (error) {
      // Without a connection the session ends on its own; the page is left in any case.
      if (!(error instanceof ApiError)) throw error;
    }
    await onSignedOut();
  };
  return (
    <Menu
      label={topBarTexts.accountOf(me.user_name)}
      buttonClass="avatar-button"
      button={<Avatar user={me} />}
      head={
        <>
          <strong>{me.user_name}</strong>
          <br />
          {me.user_email}
          <br />
          {me.organization.organization_name}
          {me.home_organization_id !== undefined && (
            <>
              {' '}
              <span class="chip wait">{texts.shell.otherOrganization}</span>
            </>
          )}
          {balance.data !== undefined && (
            <>
              <br />
              {texts.shell.credits(balance.data.balance)}
            </>
          )}
        </>
      }
      items={[
        { label: topBarTexts.profile, path: '/settings/profile' },
        { label: topBarTexts.help, run: () => window.open('/help', '_blank', 'noopener') },
        { label: topBarTexts.signOut, run: () => void signOut() },
      ]}
    />
  );
}
