import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { type AuthorHands, keyboardHands, mouseHands } from '../support/author-hands.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, DESKTOP, PHONE, useBrowser } from '../support/browser.ts';
import { button, expectAnnounced, field, heading } from '../support/settings-page.ts';
import { point } from '../support/respondent-page.ts';
import { questionCard, savePicture, waitUntilSaved } from '../support/survey-editor.ts';

interface Plan {
  type: string;
  text: string;
  options?: readonly string[];
  rows?: readonly string[];
}

const YES_NO = ['Yes', 'No'];

/** 30 questions on six pages. */
const PAGES: readonly { title: string; questions: readonly Plan[] }[] = [
  {
    title: 'About you',
    questions: [
      { type: 'Number', text: 'How old are you?' },
      { type: 'One answer', text: 'What is your gender?', options: ['Female', 'Male', 'Another gender'] },
      { type: 'Dropdown list', text: 'Where do you live?', options: ['North', 'South', 'East', 'West'] },
      {
        type: 'Several answers',
        text: 'Which snacks did you buy last month?',
        options: ['Chocolate', 'Snack bars', 'Crisps'],
      },
    ],
  },
  {
    title: 'Your habits',
    questions: [
      { type: 'One answer', text: 'How often do you snack?', options: ['Every day', 'Every week', 'Rarely'] },
      { type: 'Ranking', text: 'What matters to you?', options: ['Taste', 'Price', 'Health'] },
      { type: 'Number', text: 'How much do you spend on snacks in a week?' },
      { type: 'Open text', text: 'What is your favorite snack?' },
      { type: 'One answer', text: 'Where do you buy snacks?', options: ['Supermarket', 'Kiosk', 'Online'] },
      { type: 'Date or time', text: 'When did you last buy a snack?' },
    ],
  },
  {
    title: 'Your snack bars',
    questions: [
      { type: 'One answer', text: 'Which brand do you buy most?', options: ['Alba', 'Borea', 'Cima'] },
      { type: 'Scale', text: 'How satisfied are you with this brand?' },
      { type: 'Recommendation', text: 'Would you recommend this brand to a friend?' },
      { type: 'Open text', text: 'What do you like about this brand?' },
      {
        type: 'Several answers',
        text: 'When do you eat bars?',
        options: ['At work', 'On the way', 'After sport'],
      },
    ],
  },
  {
    title: 'Life without bars',
    questions: [
      { type: 'One answer', text: 'Why do you not buy bars?', options: ['Price', 'Taste', 'Too sweet'] },
      { type: 'Scale', text: 'How do bars appeal to you in general?' },
      { type: 'Open text', text: 'What would make you try a bar?' },
      { type: 'Slider', text: 'How likely is it that you try one?' },
    ],
  },
  {
    title: 'A new oat bar',
    questions: [
      {
        type: 'Table',
        text: 'How do you see the oat bar?',
        rows: ['New', 'Tasty', 'Healthy'],
        options: ['Disagree', 'Neutral', 'Agree'],
      },
      { type: 'Scale', text: 'How appealing is the oat bar?' },
      {
        type: 'One answer',
        text: 'Would you buy it?',
        options: ['Definitely', 'Probably', 'Probably not', 'Definitely not'],
      },
      {
        type: 'Distribute points',
        text: 'Which flavors would you like?',
        options: ['Nut', 'Berry', 'Cocoa'],
      },
      { type: 'Number', text: 'What would be a fair price?' },
      { type: 'Open text', text: 'What do you like about the oat bar?' },
      { type: 'Open text', text: 'What do you dislike about the oat bar?' },
      { type: 'Recommendation', text: 'Would you recommend the oat bar to a friend?' },
    ],
  },
  {
    title: 'Your household',
    questions: [
      { type: 'Dropdown list', text: 'How many people live with you?', options: ['None', 'One', 'More'] },
      { type: 'One answer', text: 'Do children live with you?', options: YES_NO },
      { type: 'Open text', text: 'Is there anything else?' },
    ],
  },
];

const HANDS = { 'the mouse': mouseHands, 'the keyboard alone': keyboardHands };

const GERMAN = [
  ['How old are you?', 'Wie alt sind Sie?'],
  ['What is your gender?', 'Was ist Ihr Geschlecht?'],
  ['Female', 'Weiblich'],
  ['Chocolate', 'Schokolade'],
] as const;

type Answer =
  | { kind: 'text'; text: string }
  | { kind: 'list'; label: string }
  | { kind: 'point'; value: number }
  | { kind: 'options'; labels: readonly string[] }
  | { kind: 'rows'; rows: Readonly<Record<string, string>> }
  | { kind: 'amounts'; amounts: Readonly<Record<string, string>> };

interface Respondent {
  language?: string;
  /** Answers of each page, by question text in the respondent's language. */
  pages: readonly Readonly<Record<string, Answer>>[];
  /** Text of the last page. */
  end: string;
}

interface Bar {
  label: string;
  percent: number;
  count: number;
}

const typed = (text: string): Answer => ({ kind: 'text', text });
const listed = (label: string): Answer => ({ kind: 'list', label });
const pointed = (value: number): Answer => ({ kind: 'point', value });
const chosen = (...labels: string[]): Answer => ({ kind: 'options', labels });

const HABITS: Respondent['pages'][number] = {
  'How often do you snack?': chosen('Every day'),
  'What matters to you?': chosen('Health', 'Taste', 'Price'),
  'How much do you spend on snacks in a week?': typed('12'),
  'What is your favorite snack?': typed('Apples'),
  'Where do you buy snacks?': chosen('Kiosk'),
  'When did you last buy a snack?': typed('2026-05-01'),
};
const brandAnswers = (brand: string): Respondent['pages'][number] => ({
  'Which brand do you buy most?': chosen(brand),
  'How satisfied are you with this brand?': pointed(4),
  'Would you recommend this brand to a friend?': pointed(9),
  'What do you like about this brand?': typed('The taste'),
  'When do you eat bars?': chosen('At work', 'After sport'),
});
const conceptAnswers = (recommendation: number): Respondent['pages'][number] => ({
  'How do you see the oat bar?': { kind: 'rows', rows: { New: 'Agree', Tasty: 'Neutral', Healthy: 'Agree' } },
  'How appealing is the oat bar?': pointed(5),
  'Would you buy it?': chosen('Probably'),
  'Which flavors would you like?': { kind: 'amounts', amounts: { Nut: '50', Berry: '30', Cocoa: '20' } },
  'What would be a fair price?': typed('2'),
  'What do you like about the oat bar?': typed('Oats'),
  'What do you dislike about the oat bar?': typed('Nothing'),
  'Would you recommend the oat bar to a friend?': pointed(recommendation),
});
const HOUSEHOLD: Respondent['pages'][number] = {
  'How many people live with you?': listed('One'),
  'Do children live with you?': chosen('No'),
  'Is there anything else?': typed('No'),
};
const aboutYou = (age: string, gender: string, snacks: readonly string[]): Respondent['pages'][number] => ({
  'How old are you?': typed(age),
  'What is your gender?': chosen(gender),
  'Where do you live?': listed('South'),
  'Which snacks did you buy last month?': chosen(...snacks),
});

/** A minor, a buyer, a person who buys no bars, a buyer who reads German, and a woman for whom the quota is full. */
const RESPONDENTS: readonly Respondent[] = [
  { pages: [aboutYou('16', 'Male', ['Crisps'])], end: 'This time we are looking for' },
  {
    pages: [
      aboutYou('30', 'Female', ['Snack bars']),
      HABITS,
      brandAnswers('Alba'),
      conceptAnswers(10),
      HOUSEHOLD,
    ],
    end: 'We have received your answers',
  },
  {
    pages: [
      aboutYou('40', 'Male', ['Chocolate']),
      HABITS,
      {
        'Why do you not buy bars?': chosen('Too sweet'),
        'How do bars appeal to you in general?': pointed(2),
        'What would make you try a bar?': typed('Less sugar'),
        'How likely is it that you try one?': typed('35'),
      },
      conceptAnswers(3),
      HOUSEHOLD,
    ],
    end: 'We have received your answers',
  },
  {
    language: 'de',
    pages: [
      {
        'Wie alt sind Sie?': typed('44'),
        'Was ist Ihr Geschlecht?': chosen('Weiblich'),
        'Where do you live?': listed('West'),
        'Which snacks did you buy last month?': chosen('Schokolade', 'Snack bars'),
      },
      HABITS,
      brandAnswers('Borea'),
      conceptAnswers(8),
      HOUSEHOLD,
    ],
    end: 'Wir haben Ihre Antworten erhalten',
  },
  { pages: [aboutYou('50', 'Female', ['Snack bars'])], end: 'We already have enough answers' },
];

/** Runs in the browser. */
const isInWindow = (element: unknown): boolean => {
  const { top, bottom } = (
    element as { getBoundingClientRect(): { top: number; bottom: number } }
  ).getBoundingClientRect();
  return top >= 0 && bottom <= (globalThis as unknown as { innerHeight: number }).innerHeight;
};

const escapePattern = (text: string): string => text.replace(/[?.]/g, '\\$&');
const surveyIdOf = (page: Page): string => /surveys\/(\d+)/.exec(page.url())?.[1] ?? '';

describe.skipIf(browserSkipReason() !== null)('a concept test of 30 questions', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

  /** Writes a list of options, rows or columns: fields that are there are used, further ones are added, the others are removed. */
  async function writeLabels(
    page: Page,
    hands: AuthorHands,
    number: number,
    { kind, labels }: { kind: 'Option' | 'Row' | 'Column'; labels: readonly string[] },
  ): Promise<void> {
    const card = questionCard(page, number);
    for (const [index, label] of labels.entries()) {
      const input = card.getByRole('textbox', { name: `${kind} ${index + 1}`, exact: true });
      if ((await input.count()) === 0)
        await hands.press(card.getByRole('button', { name: `Add ${kind.toLowerCase()}`, exact: true }));
      await hands.write(input, label);
    }
    const actions = card.getByRole('button', {
      name: `Actions for ${kind.toLowerCase()} ${labels.length + 1}`,
    });
    while ((await actions.count()) > 0) await hands.pick(actions, item(page, 'Remove'));
  }

  async function writeQuestion(page: Page, hands: AuthorHands, number: number, plan: Plan): Promise<void> {
    const { type, text, options, rows } = plan;
    await hands.pick(button(page, 'Add question'), item(page, new RegExp(`^${type}`)));
    const card = questionCard(page, number);
    await card.waitFor();
    await hands.write(card.getByRole('textbox', { name: 'Question text' }), text);
    if (rows !== undefined) await writeLabels(page, hands, number, { kind: 'Row', labels: rows });
    if (options !== undefined)
      await writeLabels(page, hands, number, {
        kind: rows === undefined ? 'Option' : 'Column',
        labels: options,
      });
  }

  async function writePages(page: Page, hands: AuthorHands): Promise<void> {
    await hands.press(link(page, 'New survey'));
    await hands.press(button(page, /^Empty survey/));
    await heading(page, 'Edit').waitFor();
    let number = 0;
    for (const [index, { title, questions }] of PAGES.entries()) {
      if (index > 0) await hands.press(button(page, 'Add page'));
      const pageTitle = page.getByRole('textbox', { name: 'Page title' });
      await expect.poll(() => pageTitle.inputValue()).toBe('');
      await hands.write(pageTitle, title);
      for (const question of questions) {
        number += 1;
        await writeQuestion(page, hands, number, question);
      }
    }
    await waitUntilSaved(page);
  }

  async function openPageLogic(page: Page, hands: AuthorHands, title: string): Promise<void> {
    await hands.press(page.locator('.outline').getByRole('button', { name: title, exact: true }));
    await expect.poll(() => page.getByRole('textbox', { name: 'Page title' }).inputValue()).toBe(title);
    await hands.press(page.locator('.page-head summary'));
  }

  /** Screens out minors, and shows one page to buyers of snack bars and another to all others. */
  async function writeLogic(page: Page, hands: AuthorHands): Promise<void> {
    await openPageLogic(page, hands, 'About you');
    const rules = page.getByRole('region', { name: 'After this page is answered' });
    await hands.press(rules.getByRole('button', { name: 'Add rule' }));
    await hands.choose(rules.getByLabel('Question'), 'How old are you?');
    await hands.choose(rules.getByLabel('Comparison'), 'is less than');
    await hands.write(rules.getByLabel('Value', { exact: true }), '18');
    await hands.choose(rules.getByLabel('What happens then'), 'Screen out');
    await rules.getByText('If “How old are you?” is less than 18, screen out.').waitFor();
    for (const [title, comparison, words] of [
      ['Your snack bars', 'includes any of', 'includes'],
      ['Life without bars', 'includes none of', 'does not include'],
    ] as const) {
      await openPageLogic(page, hands, title);
      const display = page.getByRole('region', { name: 'Show this page if' });
      await hands.press(display.getByRole('button', { name: 'Add condition' }));
      await hands.choose(display.getByLabel('Question'), 'Which snacks did you buy last month?');
      await hands.choose(display.getByLabel('Comparison'), comparison);
      await hands.press(display.getByRole('checkbox', { name: 'Snack bars' }));
      await display
        .getByText(`Shown if “Which snacks did you buy last month?” ${words} “Snack bars”.`)
        .waitFor();
    }
    await waitUntilSaved(page);
  }

  async function translate(page: Page, hands: AuthorHands): Promise<void> {
    await hands.press(button(page, 'Survey settings'));
    const dialog = page.getByRole('dialog');
    await hands.write(dialog.getByLabel('Survey name'), 'Oat bar concept test');
    await hands.write(dialog.getByLabel('Further languages'), 'de');
    await hands.press(button(page, 'Save settings'));
    await expectAnnounced(page, 'Settings saved');
    await hands.press(link(page, 'Translate'));
    for (const [source, german] of GERMAN)
      await hands.write(page.getByLabel(`Translation of ${source}`, { exact: true }).first(), german);
    // Leaves the last field.
    await page.keyboard.press('Shift+Tab');
    await page.getByText(new RegExp(`^${GERMAN.length} of \\d+ texts translated`)).waitFor();
  }

  async function publish(page: Page, hands: AuthorHands): Promise<void> {
    await hands.press(link(page, 'Edit'));
    await hands.press(button(page, 'Publish'));
    const dialog = page.getByRole('dialog');
    await hands.press(dialog.getByRole('button', { name: 'Publish', exact: true }));
    await expectAnnounced(page, 'Version 1 published');
    await heading(page, 'Collect').waitFor();
  }

  /** Allows two women. */
  async function setQuota(page: Page, hands: AuthorHands): Promise<void> {
    await hands.press(button(page, 'Create wave'));
    await hands.write(field(page, 'Name'), 'First wave');
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Create wave' }));
    await expectAnnounced(page, 'First wave created');
    await hands.press(button(page, 'Add quota First wave'));
    await hands.write(field(page, 'Name'), 'Gender');
    await hands.choose(
      page.getByRole('dialog').getByLabel('Groups are the answers to'),
      'Q2 · What is your gender?',
    );
    await hands.write(page.getByRole('dialog').getByLabel('Target for Female'), '2');
    await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
    await expectAnnounced(page, 'Gender saved');
  }

  it.each(Object.entries(HANDS))(
    'is written with %s, published, answered and read',
    async (name, handsOf) => {
      const page = await browser.visitAs(organization.admin, '/surveys', DESKTOP);
      const hands = handsOf(page);
      const picture = (what: string) => savePicture(page, `concept-${name.split(' ')[1]}-${what}`);
      await writePages(page, hands);
      // The outline is longer than the window, and follows the question that is written.
      const last = page.locator('.outline').getByRole('button', { name: /Is there anything else/ });
      expect(await last.evaluate(isInWindow)).toBe(true);
      await hands.press(page.locator('.outline').getByRole('button', { name: /How many people live/ }));
      await expect.poll(() => questionCard(page, 28).locator('header').evaluate(isInWindow)).toBe(true);
      await hands.press(page.locator('.outline').getByRole('button', { name: /How old are you/ }));
      await expect.poll(() => questionCard(page, 1).locator('header').evaluate(isInWindow)).toBe(true);
      await writeLogic(page, hands);
      await picture('logic');
      await translate(page, hands);
      await picture('translate');
      await publish(page, hands);
      await setQuota(page, hands);
      await picture('collect');
      const address = (await page.locator('.link-address code').textContent()) ?? '';
      for (const respondent of RESPONDENTS) await answer(address, respondent);

      await hands.press(link(page, 'Results'));
      await expectFigures(page);
      await picture('results');
    },
    600_000,
  );

  async function answer(address: string, { language, pages, end }: Respondent): Promise<void> {
    const page = await browser.visit(new URL(address).pathname, PHONE);
    if (language !== undefined) await page.getByLabel('Language').selectOption(language);
    for (const answers of pages) {
      for (const [text, value] of Object.entries(answers)) await answerQuestion(page, text, value);
      await page.locator('button[type=submit]').tap();
      await page.getByText(Object.keys(answers)[0] ?? '').waitFor({ state: 'detached' });
    }
    await page.getByText(end).waitFor();
  }

  async function answerQuestion(page: Page, text: string, value: Answer): Promise<void> {
    const block = page.locator('fieldset, .question').filter({ hasText: text }).last();
    if (value.kind === 'text') await page.getByLabel(text).fill(value.text);
    else if (value.kind === 'list') await page.getByLabel(text).selectOption(value.label);
    else if (value.kind === 'point')
      await point(page, new RegExp(escapePattern(text)), value.value).tap({ force: true });
    else if (value.kind === 'options')
      for (const label of value.labels) await block.getByText(label, { exact: true }).first().tap();
    else if (value.kind === 'rows')
      for (const [row, column] of Object.entries(value.rows))
        await page
          .getByRole('radiogroup', { name: new RegExp(`^${row}`) })
          .getByText(column, { exact: true })
          .tap();
    else
      for (const [label, amount] of Object.entries(value.amounts)) await block.getByLabel(label).fill(amount);
  }

  /** Expects the page to show the figures of the API, and the API to have those of the answers above. */
  async function expectFigures(page: Page): Promise<void> {
    const { body } = await organization.admin.get(`/api/surveys/${surveyIdOf(page)}`).expect(200);
    const questions = body.data.questions as { question_id: number; question_text: string }[];
    const read = async (text: string) => {
      const id = questions.find(({ question_text: each }) => each === text)?.question_id;
      return (await organization.admin.get(`/api/responses/${surveyIdOf(page)}/question/${id}`).expect(200))
        .body.data;
    };
    const card = (text: string) =>
      page.getByRole('list', { name: 'Questions' }).locator('> li', { hasText: text });
    const expectBars = async (text: string, expected: readonly string[]) => {
      const [distribution] = (await read(text)).distributions;
      const ofApi = distribution.categories
        .filter(({ missing }: { missing: boolean }) => !missing)
        .map(({ label, percent, count }: Bar) => `${label} ${Math.round(percent)}% ${count}`);
      expect(ofApi).toEqual(expected);
      await card(text).scrollIntoViewIfNeeded();
      await expect.poll(() => card(text).locator('.result-bars > li').allTextContents()).toEqual(expected);
    };
    await page.getByText('5 responses · 3 complete · 0 partial · 2 screened out').waitFor();
    await expectBars('What is your gender?', ['Female 67% 2', 'Male 33% 1', 'Another gender 0% 0']);
    await expectBars('Which snacks did you buy last month?', [
      'Chocolate 67% 2',
      'Snack bars 67% 2',
      'Crisps 0% 0',
    ]);
    await expectBars('Which brand do you buy most?', ['Alba 50% 1', 'Borea 50% 1', 'Cima 0% 0']);
    await expectBars('Why do you not buy bars?', ['Price 0% 0', 'Taste 0% 0', 'Too sweet 100% 1']);
    const age = card('How old are you?');
    await age.scrollIntoViewIfNeeded();
    await expect.poll(() => age.locator('.result-statistics').textContent()).toContain('Mean38.00');
    const recommend = card('Would you recommend the oat bar to a friend?');
    await recommend.scrollIntoViewIfNeeded();
    // One promoter, one passive, one detractor.
    await expect.poll(() => recommend.locator('.result-score').textContent()).toBe('0 Net Promoter Score');
    const view = card('How do you see the oat bar?');
    await view.scrollIntoViewIfNeeded();
    await expect
      .poll(() => view.locator('.result-matrix > li > p').allTextContents())
      .toEqual(['NewMean 3.00', 'TastyMean 2.00', 'HealthyMean 3.00']);
  }
});
