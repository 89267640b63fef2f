import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generateApiTypes } from '../../scripts/api-types.ts';

it('the types of the API in the studio are the output of `npm run generate`', async () => {
  const committed = readFileSync('src/web/studio/client/data/api-types.d.ts', 'utf8');
  expect((await generateApiTypes()) === committed, 'run `npm run generate`').toBe(true);
}, 120_000);
