import { counted } from './counts.ts';

export const newSurveyTexts = {
  title: 'New survey',
  ways: 'How do you want to start?',
  blank: 'Empty survey',
  blankAbout: 'Begin with one empty page',
  template: 'Template',
  templateAbout: 'Eight proven questionnaires',
  text: 'Paste text',
  textAbout: 'One question a line, options below it',
  file: 'File',
  fileAbout: 'A survey that was downloaded from Canvass',
  back: 'Back',
  create: 'Create survey',
  surveyName: 'Survey name',
  unnamed: 'Untitled survey',
  questions: (count: number) => counted(count, 'question', 'questions'),
  pages: (count: number) => counted(count, 'page', 'pages'),
  useTemplate: 'Use template',
  textLabel: 'Questions',
  textHint:
    'One question a line. Indent its options, or begin them with a dash. Three dashes in a line start a new page; an asterisk at the end makes a question required.',
  textExample:
    'How satisfied are you with our service?*\n- Very satisfied\n- Satisfied\n- Not satisfied\n\nWhich drinks do you like? (select all that apply)\n- Coffee\n- Tea\n- Other\n\nHow likely are you to recommend us?\n\nWhat could we do better?',
  understood: 'What Canvass understood',
  understoodEmpty: 'Your questions appear here while you type.',
  required: 'Required',
  page: (index: number) => `Page ${index}`,
  type: (question: string) => `Type of “${question}”`,
  strayOptions: (line: number) => `Line ${line}: an option without a question above it is left out.`,
  noQuestions: 'Enter at least one question.',
  chooseFile: 'Choose a file',
  fileHint:
    'A .json file from “Download as file” in the menu of a survey, or from GET /api/surveys/:id/export.',
  notJson: 'This file is not a survey file: it is not valid JSON.',
  fileProblems: 'The file has problems. Nothing was created.',
  tooLarge: 'The file is larger than 10 MB.',
  created: (name: string) => `${name} created`,
  place: {
    page: (index: number) => `page ${index}`,
    question: (index: number) => `question ${index}`,
    option: (index: number) => `option ${index}`,
  },
} as const;

export const pastedTypeTexts = {
  single_choice: 'One answer',
  multiple_choice: 'Several answers',
  dropdown: 'Dropdown list',
  ranking: 'Ranking',
  text: 'Open text',
  number: 'Number',
  nps: 'Recommendation, 0 to 10',
  scale: 'Scale, 1 to 5',
  date: 'Date',
} as const;
