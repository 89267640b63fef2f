import { html, type Html } from '../../shared/html.ts';
import type { PageAssets } from '../../shared/page-assets.ts';
import { colorStyle } from '../page-colors.ts';
import { BRAND, renderPage, type RenderedPage } from './shell.ts';

function renderCard(title: string, content: Html, assets: PageAssets): RenderedPage {
  const body = html`<main class="standalone" id="content">
    <p class="brand">${BRAND} Canvass</p>
    <div class="card">
      <h1>${title}</h1>
      ${content}
    </div>
  </main>`;
  return renderPage({ title, theme: 'auto', style: colorStyle('auto', null), body }, assets);
}

/** No such dashboard, or not for the one who asks: the same words. */
export const notFoundPage = (assets: PageAssets): RenderedPage =>
  renderCard(
    'This dashboard is not here',
    html`<p class="about">
      It was taken down, is not shared any more, or the address is not complete. Ask whoever gave you the
      link.
    </p>`,
    assets,
  );

/** The address asks for something that the dashboard does not have. */
export const invalidAddressPage = (message: string, path: string, assets: PageAssets): RenderedPage =>
  renderCard(
    'This address does not fit',
    html`<p class="about">${message}</p>
      <p><a class="button" href="${path}">Show the whole dashboard</a></p>`,
    assets,
  );

export const unavailablePage = (assets: PageAssets): RenderedPage =>
  renderCard(
    'One moment, please',
    html`<p class="about">The figures cannot be fetched right now. Load the page again in a minute.</p>`,
    assets,
  );

interface FormPage {
  title: string;
  about: string;
  /** Where the form is sent, as JSON, by the script. */
  action: string;
  fields: Html;
  submit: string;
  more?: Html;
}

function renderFormPage(
  { title, about, action, fields, submit, more }: FormPage,
  assets: PageAssets,
): RenderedPage {
  return renderCard(
    title,
    html`<p class="about">${about}</p>
      <form class="enter" data-post="${action}" method="post" action="">
        ${fields}
        <p class="problem" id="problem" role="alert" hidden></p>
        <button class="main">${submit}</button>
      </form>
      <noscript><p class="about">This form needs JavaScript.</p></noscript>${more ?? null}`,
    assets,
  );
}

export const passwordPage = (unlockPath: string, assets: PageAssets): RenderedPage =>
  renderFormPage(
    {
      title: 'This dashboard has a password',
      about: 'Whoever gave you the link has it. It is asked once per browser.',
      action: unlockPath,
      fields: html`<label for="password">Password</label
        ><input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          aria-describedby="problem"
        />`,
      submit: 'Show the dashboard',
    },
    assets,
  );

export const signInPage = (assets: PageAssets): RenderedPage =>
  renderFormPage(
    {
      title: 'Sign in',
      about: 'This page is for whoever it was given to.',
      action: '/api/auth',
      fields: html`<input type="hidden" name="action" value="login" />
        <label for="email">E-mail address</label
        ><input id="email" name="email" type="email" autocomplete="username" required autofocus />
        <label for="password">Password</label
        ><input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          aria-describedby="problem"
        />`,
      submit: 'Sign in',
      more: html`<p class="more"><a href="/settings">Forgot your password?</a></p>`,
    },
    assets,
  );

export interface ListedDashboard {
  dashboard_id: number;
  dashboard_name: string;
  dashboard_description: string | null;
  open_share: 'public' | 'password' | null;
}

const SHARED = { public: 'Public', password: 'With a password' } as const;

/** All dashboards that somebody may see. */
export function dashboardListPage(found: readonly ListedDashboard[], assets: PageAssets): RenderedPage {
  const items = found.map(
    ({ dashboard_id: id, dashboard_name: name, dashboard_description: description, open_share: share }) =>
      html`<li>
        <a class="card" href="/dashboards/${id}"
          ><strong>${name}</strong
          >${share !== null && html`<span class="chip">${SHARED[share]}</span>`}${description !== null && html`<span class="soft">${description}</span>`}</a
        >
      </li>`,
  );
  const body = html`<a class="skip" href="#content">Skip to the dashboards</a>
    <header class="mast">
      <div class="wrap">
        <div class="over">
          <a class="home" href="/settings">${BRAND} Settings</a>
        </div>
        <h1>Dashboards</h1>
      </div>
    </header>
    <main id="content" class="wrap" tabindex="-1">
      ${
        found.length > 0
          ? html`<ul class="list">
              ${items}
            </ul>`
          : html`<p class="empty">
              <strong>Nothing here yet</strong>Dashboards that you make, or that are given to you, stand here.
            </p>`
      }
    </main>`;
  return renderPage({ title: 'Dashboards', theme: 'auto', style: colorStyle('auto', null), body }, assets);
}
