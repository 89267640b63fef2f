const german = (question_text: string, options: Record<string, string> = {}, more: object = {}) => ({
  translations: { de: { question_text, ...(Object.keys(options).length > 0 ? { options } : {}), ...more } },
});

/** All twelve types of question, with logic, piping and a second language. */
export const COFFEE_SURVEY = {
  survey_name: 'Coffee, honestly',
  survey_description: 'Four short pages about what is in your cup. It takes about three minutes.',
  settings: {
    languages: ['de'],
    color: '#0f766e',
    translations: {
      de: {
        survey_name: 'Kaffee, ganz ehrlich',
        survey_description:
          'Vier kurze Seiten über das, was in Ihrer Tasse ist. Es dauert etwa drei Minuten.',
        completion_message: 'Auf Ihr Wohl!',
      },
    },
    completion_message: 'Cheers! Your answers help us roast better.',
  },
  pages: [
    {
      questions: [
        {
          question_type: 'single_choice',
          question_code: 'drink',
          question_text: 'What do you usually drink in the morning?',
          question_required: true,
          question_settings: {
            ...german('Was trinken Sie morgens meistens?', {
              '1': 'Espresso',
              '2': 'Filterkaffee',
              '3': 'Tee',
              '4': 'Etwas anderes',
              '5': 'Nichts',
            }),
            logic: {
              skip: [
                {
                  when: { left: { type: 'question', code: 'drink' }, operator: 'equals', right: '5' },
                  action: 'screen_out',
                },
              ],
            },
          },
          options: [
            { option_label: 'Espresso', option_value: '1' },
            { option_label: 'Filter coffee', option_value: '2' },
            { option_label: 'Tea', option_value: '3' },
            { option_label: 'Something else', option_value: '4', option_other: true },
            { option_label: 'Nothing at all', option_value: '5' },
          ],
        },
        {
          question_type: 'multiple_choice',
          question_code: 'places',
          question_text: 'And where?',
          question_settings: { max_selections: 2, ...german('Und wo?') },
          options: [
            { option_label: 'At home', option_value: '1' },
            { option_label: 'At work', option_value: '2' },
            { option_label: 'On the way', option_value: '3' },
            { option_label: 'Nowhere in particular', option_value: '9', option_exclusive: true },
          ],
        },
      ],
    },
    {
      page_title: 'Your {{drink}}',
      questions: [
        {
          question_type: 'number',
          question_code: 'cups',
          question_text: 'How many cups of {{drink}} a day?',
          question_required: true,
          question_settings: {
            min: 0,
            max: 20,
            suffix: 'cups',
            ...german('Wie viele Tassen {{drink}} am Tag?', {}, { suffix: 'Tassen' }),
          },
        },
        {
          question_type: 'scale',
          question_code: 'strength',
          question_text: 'How strong do you like it?',
          question_settings: {
            min: 1,
            max: 7,
            min_label: 'Very mild',
            max_label: 'Very strong',
            logic: {
              display: {
                connector: 'and',
                conditions: [
                  { left: { type: 'question', code: 'drink' }, operator: 'not_equals', right: '3' },
                ],
              },
            },
          },
        },
        {
          question_type: 'text',
          question_code: 'why',
          question_text: 'What makes a good cup?',
          question_settings: { multiline: true, max_length: 200, placeholder: 'In your own words' },
        },
        {
          question_type: 'nps',
          question_code: 'recommend',
          question_text: 'How likely are you to recommend your favourite place?',
          question_settings: { min_label: 'Not at all likely', max_label: 'Extremely likely' },
        },
      ],
    },
    {
      page_title: 'A closer look',
      questions: [
        {
          question_type: 'matrix',
          question_code: 'agree',
          question_text: 'How much do you agree?',
          question_required: true,
          question_settings: {
            rows: [
              { row_code: 'taste', row_label: 'Taste matters more than price' },
              { row_code: 'origin', row_label: 'I want to know where it comes from' },
              { row_code: 'ritual', row_label: 'Making it is half the joy' },
            ],
            require_all_rows: true,
          },
          options: ['Not at all', 'Partly', 'Mostly', 'Fully'].map((option_label, index) => ({
            option_label,
            option_value: String(index + 1),
          })),
        },
        {
          question_type: 'ranking',
          question_code: 'order',
          question_text: 'What matters most?',
          options: ['Aroma', 'Price', 'Fair trade', 'Packaging'].map((option_label, index) => ({
            option_label,
            option_value: String(index + 1),
          })),
        },
        {
          question_type: 'date',
          question_code: 'since',
          question_text: 'When was your last really good cup?',
          question_settings: { min: '2000-01-01' },
        },
      ],
    },
    {
      page_title: 'Almost done',
      questions: [
        {
          question_type: 'dropdown',
          question_code: 'region',
          question_text: 'Where do you live?',
          question_settings: { searchable: true },
          options: ['North', 'East', 'South', 'West'].map((option_label, index) => ({
            option_label,
            option_value: String(index + 1),
          })),
        },
        {
          question_type: 'slider',
          question_code: 'milk',
          question_text: 'How much milk, in percent?',
          question_settings: { min: 0, max: 100, step: 5 },
        },
        {
          question_type: 'file_upload',
          question_code: 'photo',
          question_text: 'Show us your favourite cup',
          question_settings: { allowed_extensions: ['png', 'jpg'], max_size_mb: 2 },
        },
      ],
    },
  ],
};
