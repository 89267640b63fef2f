import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeSav } from '../../src/exporters/sav/sav-file.ts';
import { type SavCell, type SavFile, SavReport } from '../../src/exporters/sav/sav-layout.ts';
import { PSPP, runPspp } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';

const folder = useFolder();

const longText = 'ж漢☕'.repeat(200);
const chosen = (name: string, label: string) =>
  ({ name, label, measure: 'nominal', type: 'number', valueLabels: [[1, 'Ja']] }) as const;
const file: SavFile = {
  variables: [
    {
      name: 'Q1',
      label: 'Как часто? 何回？',
      measure: 'ordinal',
      type: 'number',
      valueLabels: [
        [1, 'никогда'],
        [2, 'often ☕'],
        [99, 'keine Angabe'],
      ],
      missing: [99],
    },
    chosen('a_very_long_code_1', 'Tea'),
    // Both would meet the short names that a writer makes up.
    chosen('V1', 'Coffee'),
    { name: 'open', label: 'Warum?', measure: 'nominal', type: 'string', widthBytes: 4096 },
    {
      name: 'lang',
      label: null,
      measure: 'nominal',
      type: 'string',
      widthBytes: 16,
      valueLabels: [['pt-BR-Brasil', 'Português']],
      missing: ['xx'],
    },
    { name: 'day', label: null, measure: 'scale', type: 'date' },
    { name: 'moment', label: null, measure: 'scale', type: 'datetime' },
    { name: 'weight', label: null, measure: 'scale', type: 'number', decimals: 2 },
  ],
  fileLabel: 'Кофе 2026',
  createdAt: new Date('2026-03-07T08:09:10Z'),
  caseCount: null,
  weight: 'weight',
  responseSets: [{ name: 'Q2', label: 'Знаете?', variables: ['a_very_long_code_1', 'V1'], countedValue: 1 }],
};
const rows: SavCell[][] = [
  [1, 1, 0, longText, 'pt-BR-Brasil', '2026-02-28', '2026-02-28T23:59', 0.5],
  [2, 0, 1, 'short', 'de', null, null, 2.5],
  [99, 1, 1, null, 'xx', '1999-12-31', '1999-12-31T00:00', 4],
];

async function* once<T>(value: T): AsyncGenerator<T> {
  yield await Promise.resolve(value);
}

// Where PSPP is not installed only the byte-level tests beside this one look at the file.
it.skipIf(PSPP.isSkipped)(
  `PSPP opens the file without a warning, with correct labels, missing values, weight and texts${PSPP.skipNote}`,
  async () => {
    const parts: Buffer[] = [];
    for await (const part of writeSav(file, once(rows), new SavReport())) parts.push(part);
    writeFileSync(path.join(folder, 'out.sav'), Buffer.concat(parts));

    const seen = runPspp(
      folder,
      `SYSFILE INFO FILE='out.sav'.
     GET FILE='out.sav'.
     DISPLAY DICTIONARY.
     MRSETS /DISPLAY NAME=ALL.
     FREQUENCIES Q1.
     SAVE TRANSLATE /OUTFILE='rows.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES /REPLACE.`,
    );
    for (const line of [
      'Label,Кофе 2026',
      'Q1,1,Как часто? 何回？,Ordinal,Input,8,Right,F8.0,F8.0,99',
      'V1,3,Coffee,Nominal,Input,8,Right,F8.0,F8.0,',
      'open,4,Warum?,Nominal,Input,32,Left,A4096,A4096,',
      'lang,5,,Nominal,Input,16,Left,A16,A16,"""xx      """',
      'moment,7,,Scale,Input,8,Right,DATETIME20.0,DATETIME20.0,',
      'Как часто? 何回？,1,никогда',
      ',2,often ☕',
      ',99[a],keine Angabe',
      'lang,pt-BR-Brasil,Português',
      '$Q2,Знаете?,Dichotomies,1,"a_very_long_code_1\nV1"',
      ',often ☕,2.50,35.7%,83.3%,100.0%',
      'Missing,keine Angabe,4.00,57.1%,,',
    ]) {
      expect(seen).toContain(`\n${line}\n`);
    }
    expect(readFileSync(path.join(folder, 'rows.csv'), 'utf8').trimEnd().split(/\r?\n/)).toEqual([
      'Q1,a_very_long_code_1,V1,open,lang,day,moment,weight',
      `1,1,0,${longText},pt-BR-Brasil,02/28/2026,02/28/2026 23:59:00,0.5`,
      '2,0,1,short,de, , ,2.5',
      '99,1,1,,xx,12/31/1999,12/31/1999 00:00:00,4',
    ]);
  },
);
