import { render } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError, onSignedOut } from '../../shared/client/api.ts';
import { Dialog } from '../../shared/client/dialog.tsx';
import { errorMessage } from '../../shared/client/form-errors.ts';
import { navigate, takeAddressParameter, usePath } from '../../shared/client/navigation.tsx';
import { Toast } from '../../shared/client/notices.tsx';
import { StandalonePage } from '../../shared/client/page.tsx';
import { callAuth, fetchMe, type Me } from '../../shared/client/session.ts';
import { SignIn, SignInForm } from '../../shared/client/sign-in.tsx';
import { componentTexts } from '../../shared/client/texts.ts';
import { texts } from '../texts.ts';
import { changeApi, readApi } from './data/api.ts';
import { queryCache, reloadQueries } from './data/queries.ts';
import { AppShell } from './shell/app-shell.tsx';
import { lazyPage } from './shell/lazy-page.tsx';
import { Routes } from './shell/routes.tsx';
import { SessionContext, type Workspace } from './shell/session-context.tsx';

interface SignedIn {
  me: Me;
  workspaces: readonly Workspace[];
  workspaceId: number | null;
}

type Visitor = { kind: 'loading' } | { kind: 'signed_out' } | { kind: 'failed'; error: ApiError };

const MAX_WORKSPACES = 1000;

/** Clients of the organization have dashboards and their settings. */
const isForClients = (path: string): boolean =>
  path === '/dashboards' || path === '/settings' || path.startsWith('/settings/');

async function loadSession(): Promise<SignedIn | null> {
  const me = await fetchMe();
  if (me === null) return null;
  if (me.user_role === 'client') return { me, workspaces: [], workspaceId: null };
  const { data: workspaces } = await readApi('/api/workspaces', { query: { limit: MAX_WORKSPACES } });
  if (workspaces.length === 0) return { me, workspaces, workspaceId: null };
  // Links of pages of the server select a workspace.
  const chosen = Number(takeAddressParameter('workspace'));
  if (workspaces.some(({ workspace_id: id }) => id === chosen)) {
    const path = { id: chosen };
    const { workspace_id: workspaceId } = await changeApi('put', '/api/workspaces/current/{id}', { path });
    return { me, workspaces, workspaceId };
  }
  const { data: current } = await readApi('/api/workspaces/current', {});
  return { me, workspaces, workspaceId: current.workspace_id };
}

function Studio({ linkProblem }: { linkProblem: string | undefined }) {
  const path = usePath();
  const [session, setSession] = useState<SignedIn | null>(null);
  const [hasSessionEnded, setSessionEnded] = useState(false);
  const [visitor, setVisitor] = useState<Visitor>({ kind: 'loading' });

  const refresh = useCallback(async () => {
    try {
      const loaded = await loadSession();
      setSession(loaded);
      if (loaded === null) setVisitor({ kind: 'signed_out' });
      else if (loaded.me.user_role === 'client' && !isForClients(location.pathname))
        navigate('/dashboards', { replace: true });
      else if (location.pathname === '/') navigate('/surveys', { replace: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setVisitor({ kind: 'failed', error });
    }
  }, []);
  useEffect(() => {
    onSignedOut(() => setSessionEnded(true));
    void refresh();
  }, []);

  const signInAgain = async (me: Me) => {
    // Another user must not see what the previous one had open.
    if ((await fetchMe())?.user_id !== me.user_id) location.reload();
    setSessionEnded(false);
    await reloadQueries('/api');
  };

  if (session !== null) {
    const { me, workspaces, workspaceId } = session;
    const workspace = workspaces.find(({ workspace_id: id }) => id === workspaceId) ?? null;
    const selectWorkspace = (id: number) => setSession({ ...session, workspaceId: id });
    const leave = async () => {
      queryCache.clear();
      navigate('/');
      await refresh();
    };
    return (
      <SessionContext.Provider value={{ me, workspaces, workspace, selectWorkspace, reload: refresh }}>
        <AppShell path={path} onSignedOut={leave}>
          <Routes path={path} />
        </AppShell>
        {hasSessionEnded && (
          <Dialog title={texts.shell.sessionEnded} onClose={() => undefined}>
            <p>{texts.shell.sessionEndedAbout}</p>
            <SignInForm onSignedIn={() => signInAgain(me)} />
          </Dialog>
        )}
        <Toast />
      </SessionContext.Provider>
    );
  }
  if (visitor.kind === 'loading') return <p class="visually-hidden">{componentTexts.loading}</p>;
  if (visitor.kind === 'signed_out') {
    return (
      <SignIn
        about={linkProblem}
        onSignedIn={refresh}
        footer={<a href="/api/docs/">{texts.shell.apiDocs}</a>}
      />
    );
  }
  return (
    <StandalonePage title={texts.shell.notLoaded} about={errorMessage(visitor.error)}>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => void refresh()}>
          {componentTexts.tryAgain}
        </button>
      </div>
    </StandalonePage>
  );
}

const SIGN_IN_LINK = '#sign-in=';

/** Uses the one-time link that the first start prints. Returns why it did not work. */
async function signInWithLink(): Promise<string | undefined> {
  if (!location.hash.startsWith(SIGN_IN_LINK)) return undefined;
  const token = location.hash.slice(SIGN_IN_LINK.length);
  // The token must not stay in the address bar and the history.
  history.replaceState(null, '', location.pathname);
  try {
    await callAuth('login_with_link', { sign_in_token: token });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return errorMessage(error);
  }
}

const AccountPage = lazyPage<{ path: string; resetToken: string }>(
  async () => (await import('./shell/account-pages.tsx')).AccountPage,
);

const root = document.getElementById('page') ?? document.body;
root.replaceChildren();
if (/^\/(join|reset)(\/|$)/.test(location.pathname)) {
  const resetToken = location.hash.slice(1);
  // The token allows anyone to set the password, so it is removed from the address bar.
  history.replaceState(null, '', location.pathname);
  render(<AccountPage path={location.pathname} resetToken={resetToken} />, root);
} else render(<Studio linkProblem={await signInWithLink()} />, root);
