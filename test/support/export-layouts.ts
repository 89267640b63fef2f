/** Exports of other tools, written here in their layouts. */

/** A CSV file: every cell in quotes that needs them. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  return `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
}

interface QualtricsColumn {
  code: string;
  text: string;
  importId: string;
  cells: readonly (string | number)[];
}

const COUNT = 12;
const each = (cell: (i: number) => string | number) => Array.from({ length: COUNT }, (_, i) => cell(i));
const two = (value: number) => String(value).padStart(2, '0');

/** Twelve respondents: the last one did not finish, the first is a preview of the author. */
const QUALTRICS: readonly QualtricsColumn[] = [
  {
    code: 'StartDate',
    text: 'Start Date',
    importId: 'startDate',
    cells: each((i) => `2026-03-${two(i + 1)} 09:00:00`),
  },
  {
    code: 'EndDate',
    text: 'End Date',
    importId: 'endDate',
    cells: each((i) => `2026-03-${two(i + 1)} 09:05:30`),
  },
  { code: 'Status', text: 'Response Type', importId: 'status', cells: each((i) => (i === 0 ? 1 : 0)) },
  { code: 'IPAddress', text: 'IP Address', importId: 'ipAddress', cells: each((i) => `203.0.113.${i}`) },
  { code: 'Progress', text: 'Progress', importId: 'progress', cells: each((i) => (i === 11 ? 40 : 100)) },
  { code: 'Finished', text: 'Finished', importId: 'finished', cells: each((i) => (i === 11 ? 0 : 1)) },
  { code: 'ResponseId', text: 'Response ID', importId: '_recordId', cells: each((i) => `R_${i}abc`) },
  {
    code: 'RecipientEmail',
    text: 'Recipient Email',
    importId: 'recipientEmail',
    cells: each((i) => (i < 3 ? `p${i}@example.org` : '')),
  },
  {
    code: 'UserLanguage',
    text: 'User Language',
    importId: 'userLanguage',
    cells: each((i) => (i % 2 ? 'EN' : 'DE')),
  },
  {
    code: 'Q1',
    text: 'How do you travel?',
    importId: 'QID1',
    cells: each((i) => ['Bus', 'Train', 'Bike'][i % 3]!),
  },
  {
    code: 'Q2_1',
    text: 'What do you drink? - Tea',
    importId: 'QID2_1',
    cells: each((i) => (i % 2 ? 1 : '')),
  },
  {
    code: 'Q2_2',
    text: 'What do you drink? - Coffee - black',
    importId: 'QID2_2',
    cells: each((i) => (i % 3 ? 1 : '')),
  },
  {
    code: 'Q2_3',
    text: 'What do you drink? - Other',
    importId: 'QID2_3',
    cells: each((i) => (i === 5 ? 1 : '')),
  },
  {
    code: 'Q2_3_TEXT',
    text: 'What do you drink? - Other - Text',
    importId: 'QID2_3_TEXT',
    cells: each((i) => (i === 5 ? 'Mate' : '')),
  },
  {
    code: 'Q3_1',
    text: 'Please rate - Service',
    importId: 'QID3_1',
    cells: each((i) => ['Good', 'Bad', 'Good', 'Fair'][i % 4]!),
  },
  {
    code: 'Q3_2',
    text: 'Please rate - Price',
    importId: 'QID3_2',
    cells: each((i) => ['Fair', 'Bad', '', 'Good'][i % 4]!),
  },
  {
    code: 'Q4_1_1',
    text: 'When? - Morning - Home',
    importId: 'QID4_1_1',
    cells: each((i) => (i % 2 ? 1 : '')),
  },
  {
    code: 'Q4_1_2',
    text: 'When? - Morning - Office',
    importId: 'QID4_1_2',
    cells: each((i) => (i % 2 ? '' : 1)),
  },
  {
    code: 'Q4_2_1',
    text: 'When? - Evening - Home',
    importId: 'QID4_2_1',
    cells: each((i) => (i < 6 ? 1 : '')),
  },
  { code: 'Q4_2_2', text: 'When? - Evening - Office', importId: 'QID4_2_2', cells: each(() => '') },
  {
    code: 'Q5_1',
    text: 'How much? - Fruit',
    importId: 'QID5_1',
    cells: each((i) => 3 * i + 1),
  },
  {
    code: 'Q5_2',
    text: 'How much? - Bread',
    importId: 'QID5_2',
    cells: each((i) => 50 - 2 * i),
  },
];

const rowsOf = (columns: readonly QualtricsColumn[]) =>
  Array.from({ length: COUNT }, (_, i) => columns.map(({ cells }) => cells[i]!));

/** Three header rows: codes, texts, ImportIds with the time zone of the dates. */
export function qualtricsExport(): string {
  const importIds = QUALTRICS.map(({ importId }) =>
    JSON.stringify(
      importId.endsWith('Date') ? { ImportId: importId, timeZone: 'America/Denver' } : { ImportId: importId },
    ),
  );
  const heads = [QUALTRICS.map(({ code }) => code), QUALTRICS.map(({ text }) => text), importIds];
  return csv([...heads, ...rowsOf(QUALTRICS)]);
}

/** Two header rows, as before 2017: V1 to V10, then the codes of the questions; a last column without a header. */
export function legacyQualtricsExport(): string {
  const names = new Map([
    ['ResponseId', ['V1', 'ResponseID']],
    ['RecipientEmail', ['V5', 'EmailAddress']],
    ['IPAddress', ['V6', 'IPAddress']],
    ['Status', ['V7', 'Status']],
    ['StartDate', ['V8', 'StartDate']],
    ['EndDate', ['V9', 'EndDate']],
    ['Finished', ['V10', 'Finished']],
  ]);
  const columns = QUALTRICS.filter(({ code }) => /^Q\d/.test(code) || names.has(code));
  const heads = [0, 1].map((row) => [
    ...columns.map(
      ({ code, text }) => names.get(code)?.[row] ?? (row === 0 ? code : text.replaceAll(' - ', '-')),
    ),
    '',
  ]);
  return csv([...heads, ...rowsOf(columns).map((row) => [...row, ''])]);
}

/** Two header rows: questions, and below them their options, or "Response". */
export function surveyMonkeyExport(): string {
  const films = ['Alien', 'Brazil', 'Casablanca'];
  const ranks = [
    [1, 2, 3],
    [2, 1, 3],
    [3, 2, 1],
    [1, 3, 2],
  ];
  const answers = ['Very much', 'A little', 'Not at all'];
  return csv([
    [
      'Respondent ID',
      'Collector ID',
      'Start Date',
      'End Date',
      'IP Address',
      'Email Address',
      'How old are you?',
      'Which have you seen?',
      '',
      '',
      'Rank them',
      '',
      '',
      'Do you like them?',
      '',
      'Why?',
      'Where else?',
      '',
    ],
    [
      '',
      '',
      '',
      '',
      '',
      '',
      'Response',
      ...films,
      ...films,
      'Alien',
      'Brazil',
      'Open-Ended Response',
      'Cinema',
      'Other (please specify)',
    ],
    ...Array.from({ length: COUNT }, (_, i) => [
      900_000 + i,
      77,
      `11/${two(i + 1)}/2026 01:15:00 PM`,
      `11/${two(i + 1)}/2026 01:25:00 PM`,
      `198.51.100.${i}`,
      i === 0 ? 'a@example.org' : '',
      ['18-29', '30-44', '45-60'][i % 3]!,
      i % 2 ? 'Alien' : '',
      i % 3 ? 'Brazil' : '',
      i === 4 ? 'Casablanca' : '',
      ...(i === 6 ? ['', '', ''] : ranks[i % 4]!),
      answers[i % 3]!,
      answers[(i + 1) % 3]!,
      `Because ${i}, and so on`,
      i % 4 ? '' : 'Cinema',
      i === 7 ? 'At a friend' : '',
    ]),
  ]);
}

/** Heads as codes, or as full texts. */
export function limeSurveyExport(heads: 'code' | 'text'): string {
  const columns: [code: string, text: string, cell: (i: number) => string | number][] = [
    ['id', 'Response ID', (i) => i + 1],
    ['submitdate', 'Date submitted', (i) => (i === 3 ? '' : `2026-05-${two(i + 1)} 10:20:00`)],
    ['lastpage', 'Last page', (i) => (i === 3 ? 1 : 2)],
    ['startlanguage', 'Start language', () => 'de'],
    ['seed', 'Seed', (i) => 1_000_000 + 37 * i],
    ['startdate', 'Date started', (i) => `2026-05-${two(i + 1)} 10:00:00`],
    ['datestamp', 'Date last action', (i) => `2026-05-${two(i + 1)} 10:20:00`],
    ['ipaddr', 'IP address', (i) => `192.0.2.${i}`],
    ['age', 'How old are you?', (i) => 20 + 3 * i],
    ['drinks[SQ001]', 'What do you drink? [Tea]', (i) => (i % 2 ? 'Y' : '')],
    ['drinks[SQ002]', 'What do you drink? [Coffee]', (i) => (i % 3 ? 'Y' : '')],
    ['drinks[other]', 'What do you drink? [Other]', (i) => (i === 2 ? 'Mate' : '')],
    ['rating[SQ001]', 'Please rate [Service]', (i) => `A${(i % 3) + 1}`],
    ['rating[SQ002]', 'Please rate [Price]', (i) => `A${(i % 2) + 1}`],
  ];
  const header = columns.map(([code, text]) => (heads === 'code' ? code : text));
  return csv([header, ...Array.from({ length: COUNT }, (_, i) => columns.map(([, , cell]) => cell(i)))]);
}

/** One header row: a form with checkboxes; all answers to a question are in one cell. */
export function googleFormsExport(): string {
  const colors = ['Red, Green', 'Red', 'Green, Blue', 'Blue', 'Red, Green, Blue', 'Green'];
  const often = ['Yes, often', 'Yes, rarely', 'No'];
  const hot = ['Tea, hot, Coffee', 'Tea, hot', 'Coffee, Water', 'Water', 'Tea, hot, Water', 'Coffee'];
  return csv([
    ['Timestamp', 'Colors', 'Do you swim?', 'Drinks', 'Remarks'],
    ...Array.from({ length: COUNT }, (_, i) => [
      `2026/03/${two(i + 1)} 9:30:00 am EET`,
      colors[i % 6]!,
      often[i % 3]!,
      hot[i % 6]!,
      `Well, remark ${i}, as I said`,
    ]),
  ]);
}

/** Columns at the end without a header: one with values, one without, and cells beyond the header. */
export function unnamedColumns(): string {
  return `${[
    'Name,Group,,',
    ...Array.from(
      { length: COUNT },
      (_, i) => `n${i},${i % 2 ? 'a' : 'b'},left ${i},${i === 5 ? ',beyond' : ''}`,
    ),
  ].join('\n')}\n`;
}
