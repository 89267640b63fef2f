import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeSav } from '../../src/exporters/sav/sav-file.ts';
import { type SavFile, SavReport } from '../../src/exporters/sav/sav-layout.ts';
import { useOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { HAVEN, runHaven } from '../support/external-programs.ts';
import { exportResponses, withFile } from '../support/file-transfer.ts';
import { useFolder } from '../support/test-folder.ts';

const app = useApp();
const author = useOrganization(app).admin;
const folder = useFolder();

const brand = (name: string, label: string) => ({ name, label, measure: 'nominal', type: 'number' }) as const;
const BRANDS: SavFile = {
  variables: [brand('b1', 'Brands: A'), brand('b2', 'Brands: B'), brand('b3', 'Brands: C')],
  fileLabel: 'Brands',
  createdAt: new Date('2026-03-07T08:09:10Z'),
  caseCount: null,
  weight: null,
  responseSets: [{ name: 'brands', label: 'Brands', variables: ['b1', 'b2', 'b3'], countedValue: 1 }],
};
/** Ten cases: four with none ticked, one system-missing. */
const CASES = [
  [1, 0, 0],
  [1, 1, 0],
  [1, 0, 1],
  [0, 1, 0],
  [0, 1, 1],
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
  [null, null, null],
];

async function brandsFile(): Promise<Buffer> {
  const parts: Buffer[] = [];
  async function* once() {
    yield await Promise.resolve(CASES);
  }
  for await (const part of writeSav(BRANDS, once(), new SavReport())) parts.push(part);
  return Buffer.concat(parts);
}

test.skipIf(HAVEN.isSkipped)(
  `a multiple dichotomy set has the same means in R haven before and after an import${HAVEN.skipNote}`,
  async () => {
    const original = await brandsFile();
    const reply = await withFile(author.post('/api/surveys/import-data'), original, {}, 'study.sav');
    expect(reply.status, reply.text).toBe(201);
    const { file: after } = await exportResponses(author, reply.body.data.survey_id, {
      format: 'spss',
      columns: ['brands_1', 'brands_2', 'brands_3'],
    });
    writeFileSync(path.join(folder, 'before.sav'), original);
    writeFileSync(path.join(folder, 'after.sav'), after);
    const means = (name: string) =>
      runHaven(
        folder,
        `d <- read_sav("${name}"); cat(names(d), format(colMeans(d, na.rm = TRUE), digits = 15), sep = "\\n")`,
      );
    // colMeans(d, na.rm = TRUE): 3/9, 3/9, 2/9
    expect(means('before.sav').slice(3).map(Number)).toEqual([
      expect.closeTo(3 / 9, 12),
      expect.closeTo(3 / 9, 12),
      expect.closeTo(2 / 9, 12),
    ]);
    expect(means('after.sav')).toEqual(means('before.sav'));
  },
);
