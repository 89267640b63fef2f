/** One thing that keeps a survey from being published. */
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

/** Something that publishing lets pass, and that its author should know. */
export interface PublishWarning extends Omit<PublishProblem, 'code'> {
  code: 'unknown_translation';
}
