import { dateToText } from '../../columns/dates.ts';
import {
  checkExpression,
  type ColumnSource,
  type ExpressionColumn,
  type ExpressionColumns,
  type TypedNode,
} from '../../expressions/check-expression.ts';
import { LoopCompiler } from '../../expressions/compile-loops.ts';
import { answerVariables } from '../../questions/answer-variables.ts';
import type { StoredAnswer, StoredAnswers } from '../../questions/answers/codec.ts';
import {
  isCalculated,
  type Question,
  questionsOf,
  type QuestionWithType,
  type SurveyDefinition,
} from '../definition.ts';
import type { CalculatorOf, ContextValues } from '../prepared-definition.ts';
import { type ContextName, readContextName } from './expression-names.ts';

type CalculatedQuestion = QuestionWithType<'calculated'>;

/** What an expression knows of one respondent. */
interface Known {
  answers: Readonly<StoredAnswers>;
  context: ContextValues;
}

/** A value that expressions can name. */
interface SurveyVariable {
  column: ExpressionColumn;
  /** null: it is no answer. */
  question: Question | null;
  read: (known: Known) => number | string | null;
}

/** The values that the expressions of a survey can name, ignoring case. */
export class SurveyVariables {
  private readonly byFoldedName = new Map<string, SurveyVariable>();
  private readonly names: string[] = [];

  constructor(private readonly definition: SurveyDefinition) {
    for (const question of questionsOf(definition)) this.addQuestion(question);
    for (const question of definition.previous?.questions ?? []) this.addQuestion(question);
  }

  find(name: string): SurveyVariable | undefined {
    const found = this.byFoldedName.get(name.toLowerCase());
    if (found !== undefined) return found;
    const contextName = readContextName(name);
    return contextName === null || contextName.type === 'previous'
      ? undefined
      : { column: { type: 'text', name }, question: null, read: this.contextReader(contextName) };
  }

  get columns(): ExpressionColumns {
    return { get: (name) => this.find(name)?.column, keys: () => this.names.values() };
  }

  private addQuestion(question: Question): void {
    for (const { read, ...column } of answerVariables(question)) {
      this.names.push(column.name);
      this.byFoldedName.set(column.name.toLowerCase(), {
        column,
        question,
        read: ({ answers }) => {
          const answer = answers[question.code];
          return answer === null || answer === undefined ? null : read(answer);
        },
      });
    }
  }

  private contextReader({ type, code }: ContextName): SurveyVariable['read'] {
    const block = this.definition.blocks.find((each) => each.code === code && !each.retired);
    return ({ context: { hidden, respondent, arms } }) => {
      if (type === 'hidden') return hidden.get(code) ?? null;
      if (type === 'arm') return (block && arms[block.id]) ?? null;
      const { attributes = {} } = respondent ?? {};
      return Object.hasOwn(attributes, code) ? String(attributes[code]) : null;
    };
  }
}

/** Returns the function that calculates the values of a survey, compiled once. A question whose expression is invalid has no values. */
export const calculatorOf: CalculatorOf = (definition) => {
  const calculated = questionsOf(definition).filter(isCalculated);
  if (calculated.length === 0) return null;
  const variables = new SurveyVariables(definition);
  const programs = new Map(calculated.map((question) => [question.code, compile(question, variables)]));
  return ({ code }, answers, context) => programs.get(code)?.({ answers, context }) ?? null;
};

type Program = (known: Known) => StoredAnswer | null;

function compile({ settings }: CalculatedQuestion, variables: SurveyVariables): Program {
  const checked = checkExpression(settings.expression, variables.columns, settings.result);
  if (!checked.ok) return () => null;
  const { root, columnNames } = checked.value;
  const sources = new Map(columnNames.map((name) => [name, new OneRowSource(variables.find(name))]));
  const compiler = new LoopCompiler(new Map([...sources].map(([name, { source }]) => [name, source])), 1);
  const evaluate = evaluatorOf(root, compiler);
  return (known) => {
    for (const source of sources.values()) source.load(known);
    return evaluate();
  };
}

/** Returns the function that evaluates an expression in its only row, as the answer that is stored. */
function evaluatorOf(root: TypedNode, compiler: LoopCompiler): () => StoredAnswer | null {
  if (root.type === 'text') {
    const texts = compiler.texts(root);
    return () => texts(0, 1)[0] || null;
  }
  const numbers = compiler.numbers(root);
  return () => {
    const value = numbers(0, 1)[0] ?? NaN;
    if (!Number.isFinite(value)) return null;
    switch (root.type) {
      case 'boolean':
        return String(value);
      case 'date':
        return dateToText(value, 'date');
      default:
        return withoutRoundingError(value);
    }
  };
}

/** A double holds 15 digits reliably: 0.1 + 0.2 is stored as 0.3, and -0 as 0. */
const withoutRoundingError = (value: number): number =>
  Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15));

/** A column with the value of one respondent. */
class OneRowSource {
  readonly source: ColumnSource;
  private readonly texts: (string | null)[] = [null];
  private number = NaN;

  constructor(private readonly variable: SurveyVariable | undefined) {
    const readerOf = (named: readonly number[]) => (_first: number, into: Float64Array) => {
      into[0] = this.isExcluded(named) ? NaN : this.number;
    };
    this.source =
      variable?.column.type === 'text'
        ? { kind: 'texts', texts: this.texts }
        : { kind: 'read', read: readerOf([]), readerOf };
  }

  load(known: Known): void {
    const value = this.variable?.read(known) ?? null;
    this.texts[0] = typeof value === 'string' ? value : null;
    this.number = typeof value === 'number' ? value : NaN;
  }

  /** Whether the value is an option flagged as missing that the expression does not name. */
  private isExcluded(named: readonly number[]): boolean {
    const options = this.variable?.column.options ?? [];
    return options.some(
      ({ number, missing }) => missing && number === this.number && !named.includes(number),
    );
  }
}
