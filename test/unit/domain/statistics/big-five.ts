import { readFileSync } from 'node:fs';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { Dataset } from '../../../../src/domain/dataset/dataset.ts';
import { option, question, response, surveyOf } from '../dataset/survey-fixture.ts';

/** The Big Five data as a dataset; a blank is a skipped question. All choices but gender are ordinal. */
export function bigFive(): Dataset {
  const csv = readFileSync(new URL('../../../../seeds/demo/data/bfi.csv', import.meta.url), 'utf8');
  const [header = '', ...lines] = csv.trim().split(/\r?\n/);
  const names = header.split(',').map((name) => name.replaceAll('"', ''));
  const options = (count: number) => Array.from({ length: count }, (_, index) => option(index + 1));
  const questions = names.slice(1).map((name) => {
    if (name === 'age') return question('number', name);
    const measure = name === 'gender' ? 'nominal' : 'ordinal';
    return question('single_choice', name, options({ gender: 2, education: 5 }[name] ?? 6), { measure });
  });
  const rows = lines.map((line, index) => {
    const cells = line.split(',').slice(1);
    const answers = questions.map(({ code, type }, column) => {
      const cell = cells[column]?.replaceAll('"', '') ?? '';
      return [code, cell === '' ? null : type === 'number' ? Number(cell) : cell];
    });
    return response(index + 1, Object.fromEntries(answers));
  });
  return Dataset.ofRows(
    new ColumnCatalog(surveyOf(...questions)),
    rows,
    questions.map(({ code }) => code),
  );
}
