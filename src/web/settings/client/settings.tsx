import { useCallback, useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../shared/client/api-error.ts';
import { Announcements } from './announce.tsx';
import { callAuth, fetchList, type Me, onSignedOut, type User, fetchMe } from './api.ts';
import { Avatar } from './avatar.tsx';
import { Brand } from './brand.tsx';
import { SignInLayout } from './sign-in-pages/sign-in-layout.tsx';
import { SignIn } from './sign-in-pages/sign-in.tsx';
import { errorMessage } from './error-messages.ts';
import { Navigation, sectionsFor } from './navigation.tsx';
import { isAdmin } from './user-labels.ts';
import { navigate, usePath } from './router.ts';
import { texts } from '../texts.ts';

type Visitor =
  { kind: 'loading' } | { kind: 'signed_out'; sessionEnded: boolean } | { kind: 'failed'; error: ApiError };

export function Settings() {
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
      return <p class="visually-hidden">{texts.common.loading}</p>;
    case 'signed_out':
      return <SignIn sessionEnded={visitor.sessionEnded} onSignedIn={refresh} />;
    case 'failed':
      return (
        <SignInLayout title={texts.errors.notLoaded} about={errorMessage(visitor.error)}>
          <div class="buttons">
            <button type="button" class="main" onClick={() => void refresh()}>
              {texts.common.tryAgain}
            </button>
          </div>
        </SignInLayout>
      );
  }
}

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
  const current = sections.find((section) => section.path === path) ?? sections[0]!;
  const signOut = async () => {
    try {
      await callAuth('logout');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    navigate('/settings');
    await onChange();
  };
  return (
    <>
      <a class="skip" href="#content">
        {texts.frame.skip}
      </a>
      <header class="top">
        <Brand />
        <p class="where">
          {me.organization.organization_name}
          {me.home_organization_id !== undefined && (
            <span class="chip wait">{texts.frame.otherOrganization}</span>
          )}
        </p>
        <div class="who">
          <a class="docs" href="/dashboards">
            {texts.frame.dashboards}
          </a>
          <a class="docs" href="/api/docs/">
            {texts.frame.apiDocs}
          </a>
          <Avatar user={me} />
          <span class="person">{me.user_name}</span>
          <button type="button" class="small" onClick={() => void signOut()}>
            {texts.frame.signOut}
          </button>
        </div>
      </header>
      <div class="frame">
        <Navigation sections={sections} current={current} pendingApprovals={pendingApprovals} />
        <main id="content" tabIndex={-1} key={current.path}>
          {current.render({ me, onChange })}
        </main>
      </div>
      <Announcements />
    </>
  );
}
