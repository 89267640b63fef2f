import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings, settingsReference } from '../../scripts/settings-reference.ts';
import { readConfig, SETTING_NAMES } from '../../src/config.ts';

const example = readFileSync('.env.example', 'utf8');

test('.env.example describes every setting', () => {
  const names = readSettings(example).flatMap(({ settings }) => settings.map(({ name }) => name));
  expect([...names].sort()).toEqual([...SETTING_NAMES].sort());
});

test('.env.example contains the defaults of the settings', () => {
  const assigned = readSettings(example)
    .flatMap(({ settings }) => settings)
    .filter(({ defaultValue }) => defaultValue !== null);
  expect(assigned.length).toBeGreaterThan(15);
  const environment = Object.fromEntries(assigned.map(({ name, defaultValue }) => [name, defaultValue!]));
  expect(readConfig(environment)).toEqual(readConfig({}));
});

test('rejects a setting without a description or a section', () => {
  expect(() => readSettings('## Server\n\nPORT=3000')).toThrow('PORT has no description');
  expect(() => readSettings('# Port.\nPORT=3000')).toThrow('before the first section');
});

test('docs/reference/settings.md is the output of `npm run generate`', async () => {
  expect(readFileSync('docs/reference/settings.md', 'utf8')).toBe(await settingsReference(example));
});
