import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Of the browser's own: processes for its address bar, and one in advance, started with every page, took half of the time. */
const UNNEEDED_FEATURES = [
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];
/** Features that Playwright disables by default. Chromium uses only the last such list. */
const PLAYWRIGHT_DISABLED_FEATURES = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...UNNEEDED_FEATURES, ...PLAYWRIGHT_DISABLED_FEATURES].join(',')}`,
];

/** Returns the path of the installed browser; null if there is none. */
export function findChromium(): string | null {
  const { CHROMIUM_PATH } = process.env;
  return (
    [...(CHROMIUM_PATH === undefined ? [] : [CHROMIUM_PATH]), ...CHROMIUM_PATHS].find(existsSync) ?? null
  );
}

/** Throws if no browser is installed. `hasScrollbars`: Playwright hides them otherwise. */
export function launchChromium({ hasScrollbars = false } = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('no chromium was found');
  return chromium.launch({
    executablePath,
    args: FLAGS,
    ...(hasScrollbars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}),
  });
}
