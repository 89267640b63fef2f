import { useCallback, useEffect, useState } from 'preact/hooks';
import { CallFailed } from '../../shared/client/call-failed.ts';
import { Announcements } from './announce.tsx';
import { auth, list, type Me, onSignedOut, type User, whoAmI } from './api.ts';
import { Avatar } from './avatar.tsx';
import { Brand } from './brand.tsx';
import { Door } from './doors/door.tsx';
import { SignIn } from './doors/sign-in.tsx';
import { wordsOf } from './failure-words.ts';
import { Navigation, sectionsFor } from './navigation.tsx';
import { isAdmin } from './people-words.ts';
import { go, usePath } from './place.ts';

type Visitor =
  { kind: 'asking' } | { kind: 'nobody'; ended: boolean } | { kind: 'failed'; error: CallFailed };

export function Settings() {
  const [me, setMe] = useState<Me | null>(null);
  const [visitor, setVisitor] = useState<Visitor>({ kind: 'asking' });
  const [waiting, setWaiting] = useState(0);
  const refresh = useCallback(async () => {
    try {
      const found = await whoAmI();
      setMe(found);
      if (found === null) setVisitor({ kind: 'nobody', ended: false });
      else if (isAdmin(found)) {
        const { meta } = await list<User>('/api/users?user_status=2&limit=1');
        setWaiting(meta?.total ?? 0);
      }
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      setVisitor({ kind: 'failed', error });
    }
  }, []);
  useEffect(() => {
    onSignedOut(() => {
      setMe(null);
      setVisitor({ kind: 'nobody', ended: true });
    });
    void refresh();
  }, []);

  if (me !== null) return <Frame me={me} waiting={waiting} onChange={refresh} />;
  switch (visitor.kind) {
    case 'asking':
      return <p class="unseen">Loading</p>;
    case 'nobody':
      return <SignIn sessionEnded={visitor.ended} onIn={refresh} />;
    case 'failed':
      return (
        <Door title="One moment, please" about={wordsOf(visitor.error)}>
          <div class="buttons">
            <button type="button" class="main" onClick={() => void refresh()}>
              Try again
            </button>
          </div>
        </Door>
      );
  }
}

function Frame({ me, waiting, onChange }: { me: Me; waiting: number; onChange: () => Promise<void> }) {
  const path = usePath();
  const sections = sectionsFor(me);
  const shown = sections.find((section) => section.path === path) ?? sections[0]!;
  const signOut = async () => {
    try {
      await auth('logout');
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
    }
    go('/settings');
    await onChange();
  };
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <Brand />
        <p class="where">
          {me.organization.organization_name}
          {me.home_organization_id !== undefined && <span class="chip wait">not your own</span>}
        </p>
        <div class="who">
          <a class="docs" href="/dashboards">
            Dashboards
          </a>
          <a class="docs" href="/api/docs/">
            API docs
          </a>
          <Avatar user={me} />
          <span class="person">{me.user_name}</span>
          <button type="button" class="small" onClick={() => void signOut()}>
            Sign out
          </button>
        </div>
      </header>
      <div class="frame">
        <Navigation sections={sections} current={shown} waiting={waiting} />
        <main id="content" tabIndex={-1} key={shown.path}>
          {shown.draw({ me, onChange })}
        </main>
      </div>
      <Announcements />
    </>
  );
}
