import { html, type Html } from '../../shared/html.ts';
import type { PageAssets } from '../../shared/page-assets.ts';
import { texts } from '../texts.ts';
import { MARK, renderPage, type RenderedPage } from './page.ts';

function renderCard(title: string, content: Html, assets: PageAssets): RenderedPage {
  const body = html`<main class="standalone" id="content">
    <p class="brand">${MARK} ${texts.page.brand}</p>
    <div class="card">
      <h1>${title}</h1>
      ${content}
    </div>
  </main>`;
  return renderPage({ title, body }, assets);
}

/** The page for a dashboard that does not exist or that the viewer may not see: the same text for both. */
export const notFoundPage = (assets: PageAssets): RenderedPage =>
  renderCard(texts.notFound.title, html`<p class="about">${texts.notFound.text}</p>`, assets);

/** The page for an address with a filter or value that the dashboard does not have. */
export const invalidAddressPage = (problem: string, path: string, assets: PageAssets): RenderedPage =>
  renderCard(
    texts.invalidAddress.title,
    html`<p class="about">${problem}</p>
      <p class="buttons"><a class="button primary" href="${path}">${texts.invalidAddress.action}</a></p>`,
    assets,
  );

export const unavailablePage = (assets: PageAssets): RenderedPage =>
  renderCard(texts.unavailable.title, html`<p class="about">${texts.unavailable.text}</p>`, assets);

interface FormPage {
  title: string;
  about: string;
  /** API path that the script sends the form to, as JSON. */
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
      <form class="form" data-post="${action}" method="post" action="">
        ${fields}
        <p class="summary" id="problem" role="alert" hidden></p>
        <div class="buttons"><button class="button primary">${submit}</button>${more ?? null}</div>
      </form>
      <noscript><p class="about">${texts.form.needsScript}</p></noscript>`,
    assets,
  );
}

/** A text box with its label. `attributes`: what the box needs besides its name. */
const renderField = (name: string, label: string, attributes: Html): Html =>
  html`<div class="labeled">
    <label for="${name}">${label}</label>
    <input class="field" id="${name}" name="${name}" required ${attributes} />
  </div>`;

const renderPasswordField = (hasFocus: boolean): Html =>
  renderField(
    'password',
    texts.form.password,
    html`type="password" autocomplete="current-password" aria-describedby="problem" ${hasFocus && 'autofocus'}`,
  );

export const passwordPage = (unlockPath: string, assets: PageAssets): RenderedPage =>
  renderFormPage(
    {
      title: texts.password.title,
      about: texts.password.about,
      action: unlockPath,
      fields: renderPasswordField(true),
      submit: texts.password.submit,
    },
    assets,
  );

export const signInPage = (assets: PageAssets): RenderedPage =>
  renderFormPage(
    {
      title: texts.signIn.title,
      about: texts.signIn.about,
      action: '/api/auth',
      fields: html`<input type="hidden" name="action" value="login" />
        ${renderField('email', texts.signIn.email, html`type="email" autocomplete="username" autofocus`)}
        ${renderPasswordField(false)}`,
      submit: texts.signIn.submit,
      more: html`<a class="soft" href="/settings">${texts.signIn.forgot}</a>`,
    },
    assets,
  );
