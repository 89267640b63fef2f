import type { CatalogColumn } from '../../domain/dataset/column-catalog.ts';
import { setMembers } from '../../domain/dataset/set-members.ts';
import type { ResponseSet } from './sav-variable.ts';

/** The multiple-response sets of the questions whose 0/1 columns are in the file; of those columns that are. */
export function choiceSets(entries: readonly CatalogColumn[]): ResponseSet[] {
  const inFile = new Set(entries.map(({ spec }) => spec.columnCode));
  const questions = new Set(entries.flatMap(({ origin }) => (origin.kind === 'question' ? [origin.of] : [])));
  return [...questions].flatMap((of) =>
    of.sets.flatMap(({ columnCode, label }, index) => {
      const variables = setMembers(of, index)
        .map((member) => member.columnCode)
        .filter((code) => inFile.has(code));
      return variables.length === 0 ? [] : [{ name: columnCode, label, variables, countedValue: 1 }];
    }),
  );
}
