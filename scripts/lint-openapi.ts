/** `npm run openapi`: Redocly and Spectral check the API document; redocly.yaml and .spectral.yaml name the rules that are off, and why. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openApiDocument } from '../src/http/openapi.ts';
import { tags } from '../src/routes/index.ts';
import { VERSION } from '../src/version.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'canvass-openapi-'));
const document = path.join(folder, 'openapi.json');
writeFileSync(document, JSON.stringify(openApiDocument(tags, VERSION)));

/** Runs a linter; whether it found nothing. Its findings are printed. */
function lint(program: string, ...words: string[]): boolean {
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status } = spawnSync(path.resolve('node_modules/.bin', program), words, {
    stdio: 'inherit',
    env: environment,
  });
  return status === 0;
}

const results = [
  lint('redocly', 'lint', document, '--config', 'redocly.yaml', '--max-problems', '50'),
  lint('spectral', 'lint', document, '--ruleset', '.spectral.yaml', '--fail-severity', 'hint', '--quiet'),
];
rmSync(folder, { recursive: true });
process.exitCode = results.every(Boolean) ? 0 : 1;
