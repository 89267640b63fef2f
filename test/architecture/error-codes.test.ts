import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { errorCodeTable, ERROR_CODES } from '../../src/http/reference-tables.ts';
import { conflict, forbidden, gone, unavailable, unprocessable } from '../../src/lib/errors.ts';

/** Functions that make an error, with the position of the code among their arguments. */
const CODE_ARGUMENT: ReadonlyMap<string, number> = new Map([
  [conflict.name, 0],
  [gone.name, 0],
  [unprocessable.name, 0],
  [forbidden.name, 1],
  [unavailable.name, 2],
]);

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file !== path.join('http', 'reference-tables.ts'))
  .map((file) => path.join('src', file));

interface UsedCode {
  kind: string;
  code: string;
}

/** The codes that a source file passes as literals to the error functions and to `new AppError`. */
function usedCodes(file: string): UsedCode[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: UsedCode[] = [];
  const add = (kind: string | undefined, code: ts.Node | undefined) => {
    if (kind !== undefined && code !== undefined && ts.isStringLiteral(code))
      found.push({ kind, code: code.text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText();
      const index = CODE_ARGUMENT.get(name);
      if (index !== undefined) add(name, node.arguments[index]);
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'AppError') {
      const [kind, code] = node.arguments ?? [];
      add(kind !== undefined && ts.isStringLiteral(kind) ? kind.text : undefined, code);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('docs/reference/error-codes.md is up to date; `npm run generate` writes it', () => {
  const committed = readFileSync(new URL('../../docs/reference/error-codes.md', import.meta.url), 'utf8');
  expect(committed).toBe(errorCodeTable());
});

it('lists every code that the sources use, with its kind', () => {
  const used = sources.flatMap(usedCodes);
  expect(used.length).toBeGreaterThan(100);
  const unlisted = used.filter(({ kind, code }) => {
    const kinds: readonly string[] = ERROR_CODES[code]?.kinds ?? [];
    return !kinds.includes(kind);
  });
  expect(unlisted).toEqual([]);
});

it('lists no code that the sources do not mention', () => {
  const text = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(Object.keys(ERROR_CODES).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
