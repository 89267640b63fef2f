export const findInsightsReplyExample = {
  engine: 'built-in',
  model: 'lexicon-1',
  method: 'Choices by segments: chi-square test; means: Welch’s t test',
  results: [
    {
      id: 'difference:age:education',
      kind: 'difference',
      headline: '“Your age” differs by “Your education”',
      explanation:
        "The mean of “Your age” is 35.3 among 418 respondents with “Graduate degree” for “Your education”, compared with 27.23 among 1,249 respondents with “Some college” for “Your education” (Cohen's d 0.82, p < 0.001).",
      suggestion: 'Find out what differs between the two groups before you act on both alike.',
      statement:
        "The mean of “Your age” is 35.3 among 418 respondents with “Graduate degree” for “Your education”, compared with 27.23 among 1,249 respondents with “Some college” for “Your education” (Cohen's d 0.82, p < 0.001).",
      figures: {
        group: 'Graduate degree',
        group_mean: 35.3,
        group_base: 418,
        compared_with: 'Some college',
        compared_mean: 27.23,
        compared_base: 1249,
        difference: 8.076,
        cohens_d: 0.8195,
        p_value: 1.535e-35,
        q_value: 8.135e-34,
      },
      evidence: {
        question_ids: [28],
        response_ids: null,
        response_count: null,
        base: 2577,
        p_value: 1.535e-35,
        q_value: 8.135e-34,
        effect: { measure: 'cohens_d', value: 0.8195 },
      },
    },
  ],
  basis:
    '2,800 responses and 28 closed questions were analyzed with 53 tests: the reported findings are significant at a false discovery rate of 0.05, apart from descriptive findings without a test.',
  counted: {
    responses: 2800,
    test_responses_included: 0,
    test_responses_excluded: 0,
    quality_included: 0,
    quality_excluded: 0,
  },
  tested: {
    responses: 2800,
    questions: 28,
    pairs: 53,
    of: 53,
    tests: 53,
    false_discovery_rate: 0.05,
    min_base: 30,
  },
  usage: { input_tokens: 1050, output_tokens: 1050 },
  credits_used: 1,
  credits_remaining: 981,
} as const;

export const findAnomaliesReplyExample = {
  engine: 'built-in',
  model: 'lexicon-1',
  method: 'Values and durations: modified z-score and Tukey’s outer fences',
  results: [
    {
      id: 'unlikely_responses',
      kind: 'unlikely_responses',
      headline: 'Responses with a rare combination of answers',
      explanation:
        '5 responses of 2,800 have a far rarer combination of answers than the others (highest modified z 7.5).',
      suggestion: 'Look at these responses one by one before you keep or exclude them.',
      statement:
        '5 responses of 2,800 have a far rarer combination of answers than the others (highest modified z 7.5).',
      figures: {
        responses: 5,
        of: 2800,
        largest_modified_z: 7.489,
        fewest_answers: 10,
        p_value: 1.939e-10,
        q_value: 1.687e-8,
      },
      evidence: {
        question_ids: [],
        response_ids: [799],
        response_count: 5,
        base: 2800,
        p_value: 1.939e-10,
        q_value: 1.687e-8,
        effect: { measure: 'share', value: 0.001786 },
      },
    },
  ],
  basis:
    '2,800 responses and 28 closed questions were analyzed with 87 tests: the reported findings are significant at a false discovery rate of 0.05, apart from descriptive findings without a test.',
  counted: {
    responses: 2800,
    test_responses_included: 0,
    test_responses_excluded: 0,
    quality_included: 0,
    quality_excluded: 0,
  },
  tested: {
    responses: 2800,
    questions: 28,
    pairs: 0,
    of: 0,
    tests: 87,
    false_discovery_rate: 0.05,
    min_base: 30,
  },
  usage: { input_tokens: 133, output_tokens: 133 },
  credits_used: 1,
  credits_remaining: 980,
} as const;
