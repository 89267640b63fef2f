import { describe, expect, test } from 'vitest';
import { tableOf, useDataFiles } from '../../support/data-files.ts';
import { CELLS, cellXml, HEADER, nameOf, number, STRINGS, workbookOf } from '../../support/workbook-cases.ts';
import { createCellWorkbook } from '../../support/workbook-file.ts';

const open = useDataFiles();

describe('reads a cell by its type, format and result', () => {
  test.each(CELLS.map((one) => [nameOf(one), one] as const))('%s', async (_name, one) => {
    const rows = [HEADER, cellXml('A2', one, 0), '<c r="A3" t="str"><v>end</v></c>'];
    const file = await open(await createCellWorkbook({ rows, formats: [one.format ?? 0], strings: STRINGS }));
    expect((await tableOf(file))[1]).toEqual(one.value === null ? ['end'] : [one.value]);
  });

  test.each([
    [0, '1904-01-01'],
    [0.5, '1904-01-01T12:00:00'],
    [60, '1904-03-01'],
    [43_889, '2024-02-29'],
  ])('the serial number %d counts from 1904 where the workbook says so', async (serial, value) => {
    const file = await open(
      await workbookOf([{ format: 14, cell: number(serial), value }], '<workbookPr date1904="1"/>'),
    );
    expect((await tableOf(file))[1]).toEqual([value]);
    // As LibreOffice writes it; readxl 1.4.2 reads "1" only.
    const named = await open(
      await workbookOf([{ format: 14, cell: number(serial), value }], '<workbookPr date1904="true"/>'),
    );
    expect((await tableOf(named))[1]).toEqual([value]);
  });
});
