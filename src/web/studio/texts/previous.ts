/** Texts about answers of an earlier response. */
export const previousTexts = {
  group: 'Answers of the last time',
  sample: (question: string) => `Sample answer: ${question}`,
  noSample: (question: string) => `${question}: no answer`,
  survey: 'Earlier answers come from',
  surveyHint:
    'Texts and conditions can use what the same respondent answered before. It is known who answers through a personal link of an invitation.',
  earlierWaves: 'Earlier waves of this survey',
  otherSurvey: (id: number) => `Survey ${id}`,
} as const;
