import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { READXL, runR } from '../support/external-programs.ts';
import { useFolder } from '../support/test-folder.ts';
import { CELLS, nameOf, workbookOf } from '../support/workbook-cases.ts';

const folder = useFolder();

test.skipIf(READXL.isSkipped)(`reads the cells as readxl does${READXL.skipNote}`, async () => {
  const compared = CELLS.filter(({ readxl }) => readxl !== undefined);
  for (const [i, one] of compared.entries())
    writeFileSync(path.join(folder, `${i}.xlsx`), await workbookOf([one]));
  const lines = runR(
    folder,
    'readxl',
    `for (i in 0:${compared.length - 1}) {
      x <- suppressWarnings(readxl::read_excel(paste0(i, '.xlsx'), trim_ws = FALSE))[[1]]
      if (inherits(x, 'POSIXct')) { x <- format(x, '%Y-%m-%d %H:%M:%OS3'); x <- sub('([.][0-9]*[1-9])0+$', '\\\\1', sub('[.]0+$', '', x)) }
      x <- as.character(x)
      cat(if (length(x) == 0 || is.na(x[1])) 'NA' else utf8ToInt(x[1]), '\\n')
    }`,
  );
  const said = lines.map((line) =>
    line.startsWith('NA') ? null : String.fromCodePoint(...line.trim().split(' ').map(Number)),
  );
  const withoutMidnight = (text: string | null | undefined) => text?.replace(/ 00:00:00$/, '') ?? null;
  expect(compared.map((one, i) => [nameOf(one), withoutMidnight(said[i])])).toEqual(
    compared.map((one) => [nameOf(one), one.readxl]),
  );
});
