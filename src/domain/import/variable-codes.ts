import { codeProblem, METADATA_CODES } from '../survey/questions/question-codes.ts';

const MAX_CODE_CHARACTERS = 48;

/** Assigns valid, unique question codes, based on variable names. */
export class VariableCodes {
  private readonly used = new Set(METADATA_CODES);

  /** `parts`: suffixes of further columns of the question, such as _1. */
  assign(name: string, columnIndex: number, parts: readonly string[] = []): string {
    const preferredCode = codeFromName(name, columnIndex);
    for (let n = 1; ; n += 1) {
      const suffix = n === 1 ? '' : `_v${n}`;
      const code = preferredCode.slice(0, MAX_CODE_CHARACTERS - suffix.length).replace(/_+$/, '') + suffix;
      const columns = [code, ...parts.map((part) => code + part)].map((column) => column.toLowerCase());
      if (codeProblem(code) !== null || columns.some((column) => this.used.has(column))) continue;
      for (const column of columns) this.used.add(column);
      return code;
    }
  }
}

/** Converts a name to a code, before conflicts are resolved. */
export function codeFromName(name: string, columnIndex: number): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_');
  const trimmed = letters.replaceAll(/^_+|_+$/g, '');
  if (!/[A-Za-z0-9]/.test(trimmed)) return `V${columnIndex + 1}`;
  return /^[A-Za-z]/.test(trimmed) ? trimmed : `V${trimmed}`;
}
