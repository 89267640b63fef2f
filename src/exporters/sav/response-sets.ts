import type { CatalogColumn } from '../../domain/dataset/columns/column-catalog.ts';
import { binaryColumnsOfSet } from '../../domain/dataset/columns/set-members.ts';
import { labelEnding } from './fit-labels.ts';
import { countedNumber, savName } from './imported-variable.ts';
import type { ResponseSet } from './sav-variable.ts';

/** The multiple-response sets of the exported questions, limited to the exported 0/1 columns. */
export function responseSetsOf(entries: readonly CatalogColumn[]): ResponseSet[] {
  const inFile = new Map(entries.map((entry) => [entry.spec.columnCode, savName(entry)]));
  const questions = new Set(
    entries.flatMap(({ origin }) => (origin.kind === 'question' ? [origin.questionColumns] : [])),
  );
  return [...questions].flatMap((of) =>
    of.sets.flatMap(({ columnCode, label }, index) => {
      const variables = binaryColumnsOfSet(of, index).flatMap(
        (member) => inFile.get(member.columnCode) ?? [],
      );
      const imported = of.question.settings.variable;
      const name = imported?.members === undefined ? columnCode : imported.name;
      const countedValue = imported === undefined ? 1 : countedNumber(imported);
      const ending = labelEnding(of.question, label);
      return variables.length === 0 ? [] : [{ name, label, labelEnding: ending, variables, countedValue }];
    }),
  );
}
