import { useEffect, useState } from 'preact/hooks';
import { statementAnswers } from '../../../../domain/questions/types/statement.ts';
import type { QuestionWithType } from '../../../../domain/survey/definition.ts';
import { fillPlaceholders } from '../localization.ts';
import { type FieldModuleOf, type FieldProps, PLAIN_FIELD } from './field-module.ts';

/** Nothing but the text around it. The page can be left after `min_seconds`. */
function StatementField({ view: { question }, session }: FieldProps<QuestionWithType<'statement'>>) {
  const { code, settings } = question;
  const { min_seconds: minSeconds } = settings;
  const [shownAtMs] = useState(() => performance.now());
  useEffect(() => {
    if (minSeconds === null) return undefined;
    const { controlProblems, messages } = session;
    const secondsLeft = () => Math.ceil(minSeconds - (performance.now() - shownAtMs) / 1000);
    controlProblems.set(code, () => {
      const n = secondsLeft();
      return n > 0 ? fillPlaceholders(messages.read_first, { n }) : null;
    });
    const timer = setTimeout(() => session.recheck(code), minSeconds * 1000);
    return () => {
      clearTimeout(timer);
      controlProblems.delete(code);
    };
  }, [code, minSeconds, session, shownAtMs]);
  return null;
}

export const statementField: FieldModuleOf<'statement'> = {
  ...PLAIN_FIELD,
  answers: statementAnswers,
  role: 'none',
  Field: StatementField,
};
