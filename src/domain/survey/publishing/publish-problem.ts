/** A problem that prevents publishing. */
export interface PublishProblem {
  code:
    | 'empty_survey'
    | 'options_missing'
    | 'invalid_code'
    | 'duplicate_code'
    | 'column_collision'
    | 'too_many_columns'
    | 'dangling_reference'
    | 'forward_reference'
    | 'logic_cycle'
    | 'backward_skip'
    | 'impossible_settings';
  message: string;
  /** `pages[0].questions[2].question_settings.max_selections`; '' is the survey. */
  field: string;
  question_code?: string;
}

/** A warning that does not prevent publishing. */
export interface PublishWarning extends Omit<PublishProblem, 'code'> {
  code: 'unknown_translation' | 'missing_translations';
  /** With `missing_translations`: the language, and its texts without a translation. */
  language?: string;
  missing?: MissingText[];
}

export interface MissingText {
  /** `pages[0].questions[2].options[1].option_label`. */
  field: string;
  question_code?: string;
  /** The text in the default language. */
  text: string;
}

/** The texts that respondents of one language read in the survey's default language. */
export interface MissingTranslations {
  language: string;
  /** Texts that need a translation, translated or not. */
  textCount: number;
  missing: MissingText[];
}
