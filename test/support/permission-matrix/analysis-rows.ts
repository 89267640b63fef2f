import type { Row, Rows } from './row.ts';

const ofTexts = (more: object = {}): Row => ({
  body: ({ textQuestionId }) => ({ question_id: textQuestionId, ...more }),
});

export const analysisRows: Rows = {
  analyzeSentiment: ofTexts(),
  findThemes: ofTexts(),
  classifyTexts: ofTexts({ categories: ['Price', 'Taste'] }),
  suggestCategories: ofTexts(),
  summarizeTexts: ofTexts(),
  findInsights: { body: () => ({}) },
  findAnomalies: { body: () => ({}) },
  translateTexts: ofTexts({ target_language: 'en' }),
};
