import { buildVocabulary, type Vocabulary } from '../../../../src/domain/chat/find-variables.ts';
import { ColumnCatalog } from '../../../../src/domain/dataset/column-catalog.ts';
import { page, question, survey } from '../../../support/survey-builder.ts';

const labeled = (...labels: string[]) =>
  labels.map((label, index) => ({ label, value: String(index + 1), code: index + 1 }));

const shop = survey(
  page(
    question('single_choice', {
      code: 'Q1',
      text: 'Which region do you live in?',
      options: labeled('North', 'South', 'East', 'West'),
    }),
    question('single_choice', {
      code: 'Q2',
      text: 'What is your gender?',
      options: labeled('Men', 'Women', 'Other'),
    }),
    question('single_choice', {
      code: 'Q3',
      text: 'Overall, how satisfied are you with our service?',
      options: labeled('Very dissatisfied', 'Dissatisfied', 'Neutral', 'Satisfied', 'Very satisfied'),
    }),
    question('nps', { code: 'Q4', text: 'How likely are you to recommend us to a friend?' }),
    question('multiple_choice', {
      code: 'Q5',
      text: 'Which channels do you use to reach us?',
      options: labeled('Phone', 'Email', 'Live chat', 'Website'),
    }),
    question('matrix', {
      code: 'Q6',
      text: 'How do you rate the following?',
      options: labeled('Bad', 'Fair', 'Good', 'Excellent'),
      settings: {
        rows: [
          { row_code: 'r1', row_label: 'Price' },
          { row_code: 'r2', row_label: 'Quality of the goods' },
          { row_code: 'r3', row_label: 'Delivery' },
        ],
      },
    }),
    question('text', { code: 'Q7', text: 'What should we improve?' }),
    question('number', { code: 'Q8', text: 'How many times did you visit us last year?' }),
    question('text', { code: 'Q9', text: 'Why did you choose this product?' }),
    question('number', { code: 'age', text: 'Age' }),
    question('single_choice', { code: 'Q11', text: 'Gone', retired: true }),
  ),
);

/** A survey of a shop, in two waves where that is said. */
export const shopVocabulary = ({ waves = false } = {}): Vocabulary =>
  buildVocabulary(
    new ColumnCatalog(shop, [], {
      waves: waves
        ? ['1', '2'].map((value) => {
            const code = Number(value);
            return { code, value, number: code, label: `Wave ${value}`, missing: false };
          })
        : [],
    }),
  );

const travel = survey(
  page(
    question('number', { code: 'SHARE', text: 'How much of your trips is by train?' }),
    question('single_choice', {
      code: 'mode',
      text: 'Which mode of travel do you use?',
      options: labeled('Cyclist', 'Driver', 'Pedestrian'),
    }),
    question('single_choice', {
      code: 'gender',
      text: 'What is your gender?',
      options: labeled('Men', 'Women'),
    }),
    question('single_choice', {
      code: 'satisfied',
      text: 'How satisfied are you?',
      options: labeled('Satisfied', 'Dissatisfied'),
    }),
    question('single_choice', {
      code: 'band',
      text: 'Which band are you in?',
      options: labeled('Under 25', '25 to 39', '40 and over'),
    }),
    question('number', { code: 'age', text: 'Age' }),
    question('text', { code: 'comment', text: 'Anything else?' }),
    question('text', { code: 'dislike', text: 'What do you not like?' }),
  ),
);

/** A survey of travel, with a column called SHARE. */
export const travelVocabulary = (): Vocabulary => buildVocabulary(new ColumnCatalog(travel));

const german = survey(
  page(
    question('single_choice', {
      code: 'F1',
      text: 'Wie zufrieden sind Sie mit der Qualität unserer Produkte?',
      options: labeled('Unzufrieden', 'Teils, teils', 'Zufrieden', 'Sehr zufrieden'),
    }),
    question('single_choice', {
      code: 'F2',
      text: 'Welches Geschlecht haben Sie?',
      options: labeled('Männlich', 'Weiblich'),
    }),
    question('number', { code: 'F3', text: 'Wie alt sind Sie?' }),
    question('text', { code: 'F4', text: 'Was können wir besser machen?' }),
  ),
);
export const germanVocabulary = (): Vocabulary => buildVocabulary(new ColumnCatalog(german));
