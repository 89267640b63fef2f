import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { NL } from './nl.ts';
import { PL } from './pl.ts';
import { PT } from './pt.ts';
import { RU } from './ru.ts';
import type { SurveyWords } from './survey-words.ts';

/** By ISO 639-1 code. */
export const SURVEY_WORDS: ReadonlyMap<string, SurveyWords> = new Map([
  ['de', DE],
  ['en', EN],
  ['es', ES],
  ['fr', FR],
  ['it', IT],
  ['nl', NL],
  ['pl', PL],
  ['pt', PT],
  ['ru', RU],
]);
