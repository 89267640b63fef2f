import { addressThatOpens, areasOf, topBarTexts } from '../../shared/areas.ts';
import { html, type Html } from '../../shared/html.ts';
import { ICON_SHAPES, type IconName } from '../../shared/icon-shapes.ts';
import { avatarClass, initialsOf } from '../../shared/initials.ts';
import { texts } from '../texts.ts';
import { MARK } from './page.ts';

interface ShownWorkspace {
  workspaceId: number;
  name: string;
  color: string;
}

/** What the top bar shows of the signed-in viewer. */
export interface Viewer {
  userId: number;
  userName: string;
  /** null: the user has no picture. */
  avatarPath: string | null;
  isClient: boolean;
  /** Those that the viewer can view; none for clients. */
  workspaces: readonly ShownWorkspace[];
  currentWorkspaceId: number | null;
}

const renderIcon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICON_SHAPES[name]}" /></svg>`;

/** The page of the studio that opens the search and the list of jobs, which need its script. */
const STUDIO_PAGE = '/dashboards';

/** The top bar of the studio as HTML, which works without a script. Its classes are those of top-bar.css. */
export function renderTopBar(viewer: Viewer): Html {
  const links = areasOf(viewer).map(
    ({ path, label }) =>
      html`<li><a href="${path}" ${path === '/dashboards' && html` aria-current="page"`}>${label}</a></li>`,
  );
  return html`<header class="top studio-top">
    <a class="brand" href="/">${MARK} ${texts.page.brand}</a>
    ${renderWorkspaces(viewer)}
    <nav class="areas" aria-label="${topBarTexts.areas}">
      <ul>
        ${links}
      </ul>
    </nav>
    <div class="who">${!viewer.isClient && renderSearchAndJobs()} ${renderAccount(viewer)}</div>
  </header>`;
}

const renderSearchAndJobs = (): Html =>
  html`<a class="search-button" href="${addressThatOpens(STUDIO_PAGE, 'search')}"
      >${renderIcon('search')}<span>${topBarTexts.search}</span
      ><kbd aria-hidden="true">${topBarTexts.searchShortcut}</kbd></a
    ><a
      class="icon-button"
      href="${addressThatOpens(STUDIO_PAGE, 'jobs')}"
      aria-label="${topBarTexts.jobs}"
      title="${topBarTexts.jobs}"
      >${renderIcon('jobs')}</a
    >`;

const renderAccount = (viewer: Viewer): Html =>
  html`<details class="top-menu">
    <summary class="avatar-button" aria-label="${topBarTexts.accountOf(viewer.userName)}">
      ${renderAvatar(viewer)}
    </summary>
    <ul class="popup">
      <li class="about"><strong>${viewer.userName}</strong></li>
      <li><a class="choice" href="/settings/profile">${topBarTexts.profile}</a></li>
      <li><a class="choice" href="/help" target="_blank" rel="noreferrer">${topBarTexts.help}</a></li>
      <li><button type="button" class="choice" data-sign-out>${topBarTexts.signOut}</button></li>
    </ul>
  </details>`;

function renderWorkspaces({ workspaces, currentWorkspaceId }: Viewer): Html | null {
  const current = workspaces.find(({ workspaceId }) => workspaceId === currentWorkspaceId);
  if (current === undefined) return null;
  const links = workspaces.map(
    ({ workspaceId, name, color }) =>
      html`<li>
        <a
          class="choice"
          href="/dashboards?workspace=${workspaceId}"
          ${workspaceId === currentWorkspaceId && html`aria-current="true"`}
          >${renderDot(color)}${name}</a
        >
      </li>`,
  );
  return html`<details class="top-menu">
    <summary class="workspace-button" aria-label="${topBarTexts.workspace}: ${current.name}">
      ${renderDot(current.color)}<span>${current.name}</span>${renderIcon('down')}
    </summary>
    <ul class="popup start">
      ${links}
    </ul>
  </details>`;
}

const renderDot = (color: string): Html =>
  html`<svg class="workspace-dot" viewBox="0 0 12 12" aria-hidden="true">
    <circle cx="6" cy="6" r="5" fill="${color}" stroke="none" />
  </svg>`;

function renderAvatar({ userId, userName, avatarPath }: Viewer): Html {
  const classes = avatarClass(userId);
  return avatarPath === null
    ? html`<span class="${classes}" data-initials="${initialsOf(userName)}" aria-hidden="true"></span>`
    : html`<img class="${classes}" src="${avatarPath}" alt="" />`;
}
