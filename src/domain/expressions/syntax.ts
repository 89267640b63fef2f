import type { Span } from './expression-error.ts';

/** A parsed expression. Operators are calls named by their symbol; a minus before a value is `unary -`. */
export type SyntaxNode = Span &
  (
    | { kind: 'number'; value: number }
    | { kind: 'text'; value: string }
    | { kind: 'boolean'; value: boolean }
    | { kind: 'null' }
    | { kind: 'column'; name: string }
    | { kind: 'call'; name: string; args: SyntaxNode[]; nameSpan: Span }
  );
