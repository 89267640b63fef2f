import { readFileSync, writeFileSync } from 'node:fs';
import { settingsReference } from './settings-reference.ts';

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
writeFileSync(new URL('../docs/reference/settings.md', import.meta.url), await settingsReference(example));
