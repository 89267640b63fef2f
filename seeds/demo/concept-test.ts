import { readFileSync } from 'node:fs';

/**
 * A concept test as researchers write it: screening, a loop over the brands that a respondent knows, two concepts that are assigned at
 * random, and a side-by-side table. Everything in it can be made in the studio. Brands, concepts and answers are fictitious.
 */

const RESPONSES = 400;
const SEED = 11;

const BRANDS = ['Alba', 'Borea', 'Cima', 'Dorna'];
const AGREEMENT = {
  1: 'Strongly disagree',
  2: 'Disagree',
  3: 'Neither',
  4: 'Agree',
  5: 'Strongly agree',
};
const LIKELIHOOD = {
  1: 'Definitely not',
  2: 'Probably not',
  3: 'Might or might not',
  4: 'Probably',
  5: 'Definitely',
};

const options = (labels: readonly string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));
const statements = (labels: readonly string[]) =>
  labels.map((row_label, index) => ({ row_code: `r${index + 1}`, row_label }));
const NONE = {
  option_label: 'None of these',
  option_value: '9',
  option_exclusive: true,
  option_anchor: true,
};

const SCREENING = {
  page_title: 'About you',
  questions: [
    {
      question_type: 'number',
      question_code: 'age',
      question_text: 'How old are you?',
      question_required: true,
      question_settings: { min: 16, max: 99, suffix: 'years' },
    },
    {
      question_type: 'multiple_choice',
      question_code: 'drinks',
      question_text: 'Which of these did you drink in the last 7 days?',
      question_required: true,
      question_settings: {
        logic: {
          skip: [
            {
              when: { left: { code: 'drinks' }, operator: 'includes_any', right: [NONE.option_value] },
              action: 'screen_out',
              reason: 'Drinks no coffee',
            },
          ],
        },
      },
      options: [...options(['Coffee at home', 'Coffee from a café', 'Iced coffee from a can']), NONE],
    },
    {
      question_type: 'multiple_choice',
      question_code: 'known',
      question_text: 'Which of these brands do you know?',
      question_required: true,
      question_settings: { shuffle: 'random' },
      options: [...options(BRANDS), NONE],
    },
  ],
};

const BRAND_LOOP = {
  block_code: 'BRAND',
  block_title: 'Known brands',
  block_loop: {
    over: 'chosen',
    question_code: 'known',
    max_items: 2,
    order: 'least_filled',
  },
};
const BRAND_PAGE = {
  block_code: 'BRAND',
  page_title: 'Your opinion of {{item.label}}',
  questions: [
    {
      question_type: 'scale',
      question_code: 'like',
      question_text: 'How much do you like {{item.label}}?',
      question_required: true,
      question_settings: { min: 1, max: 5, min_label: 'Not at all', max_label: 'Very much' },
    },
    {
      question_type: 'nps',
      question_code: 'recommend',
      question_text: 'How likely are you to recommend {{item.label}} to a friend?',
    },
  ],
};

const CONCEPTS = {
  block_code: 'CONCEPT',
  block_title: 'Concepts',
  arm_assignment: 'least_filled',
  arms: [
    { arm_code: 'OAT', arm_label: 'Oat drink' },
    { arm_code: 'BREW', arm_label: 'Cold brew' },
  ],
};
const CONCEPT_PAGES = [
  {
    block_code: 'CONCEPT',
    shown_to_arm: 'OAT',
    page_title: 'A new idea',
    questions: [
      {
        question_type: 'statement',
        question_code: 'oat',
        question_text: [
          '## Hafra, the oat drink made for coffee',
          'Foams like milk, stays smooth in hot coffee, and has no added sugar. **2.49 €** for one liter.',
        ].join('\n\n'),
        question_settings: { image_alt: 'A carton of Hafra beside a cup of coffee with foam' },
      },
    ],
  },
  {
    block_code: 'CONCEPT',
    shown_to_arm: 'BREW',
    page_title: 'A new idea',
    questions: [
      {
        question_type: 'statement',
        question_code: 'brew',
        question_text: [
          '## Kallt, cold brew with oat',
          'Brewed cold for 16 hours, with a little oat drink. Ready to drink. **2.49 €** for a can.',
        ].join('\n\n'),
        question_settings: { image_alt: 'A can of Kallt beside a glass of iced coffee' },
      },
    ],
  },
  {
    block_code: 'CONCEPT',
    page_title: 'What you think of it',
    questions: [
      {
        question_type: 'scale',
        question_code: 'buy',
        question_text: 'How likely are you to buy this product?',
        question_required: true,
        question_settings: { min: 1, max: 5, point_labels: LIKELIHOOD },
      },
      {
        question_type: 'matrix',
        question_code: 'image',
        question_text: 'How far do you agree?',
        question_settings: {
          rows: statements(['It is new and different', 'It is for people like me', 'It is worth its price']),
          shuffle_rows: true,
        },
        options: options(Object.values(AGREEMENT)),
      },
      {
        question_type: 'number',
        question_code: 'price',
        question_text: 'What would be a fair price?',
        question_settings: {
          min: 0,
          max: 9,
          decimals: 2,
          suffix: '€',
          no_answers: [{ reason: 'dont_know', code: 97 }],
        },
      },
      {
        question_type: 'text',
        question_code: 'why',
        question_text: 'What do you like or dislike about it?',
        question_settings: { multiline: true },
      },
    ],
  },
];

const HABITS = {
  page_title: 'Your coffee',
  questions: [
    {
      question_type: 'side_by_side',
      question_code: 'habits',
      question_text: 'How do you drink coffee in these places?',
      question_settings: {
        rows: statements(['At home', 'At work', 'On the way']),
        columns: [
          {
            column_code: 'often',
            column_label: 'How often?',
            column_type: 'dropdown',
            column_required: true,
            column_settings: { measure: 'ordinal' },
            options: options(['Daily', 'Weekly', 'Rarely', 'Never']),
          },
          {
            column_code: 'spend',
            column_label: 'Spent per week',
            column_type: 'number',
            column_settings: { min: 0, max: 200, suffix: '€' },
          },
        ],
      },
    },
  ],
};

/** The survey in the exchange format that POST /api/surveys/import takes. */
export function conceptTest(): object {
  return {
    format: 'canvass.survey',
    version: 1,
    survey: {
      survey_name: 'Coffee concept test (fictitious)',
      survey_description: 'Two ideas for coffee drinks, one of which you see. Takes three minutes.',
      settings: {
        color: '#2f6b4f',
        completion_message: 'Your answers help us to choose the better idea.',
      },
      blocks: [BRAND_LOOP, CONCEPTS],
      pages: [SCREENING, BRAND_PAGE, ...CONCEPT_PAGES, HABITS],
    },
  };
}

const picture = (name: string): Buffer => readFileSync(new URL(`./data/${name}.png`, import.meta.url));

/** The pictures of the concepts, by question code. */
export const conceptPictures = (): Readonly<Record<string, Buffer>> => ({
  oat: picture('concept-oat-drink'),
  brew: picture('concept-cold-brew'),
});

/** The same test responses every time. */
export const CONCEPT_TEST_RESPONSES = { count: RESPONSES, seed: SEED };
