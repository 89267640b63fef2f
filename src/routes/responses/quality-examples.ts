export const checkQualityReplyExample = {
  change_id: null,
  checked: 51,
  flagged: 9,
  updated: 0,
  summary: [
    {
      check: 'straightliner',
      checked: 49,
      flagged: 9,
      share: 0.183673,
      thresholds: { min_rows: 3, max_identical_share: 1, batteries: 1 },
      metrics: [
        { metric: 'identical_share', column_codes: ['Q5_taste', 'Q5_price', 'Q5_choice'], flagged: 9 },
      ],
    },
  ],
  responses: [
    {
      response_id: 5,
      flags: [
        {
          check: 'straightliner',
          severity: 'high',
          metric: 'identical_share',
          value: 1,
          threshold: 1,
          column_codes: ['Q5_taste', 'Q5_price', 'Q5_choice'],
          measures: { answered: 3, longest_string: 3, identical_share: 1, standard_deviation: 0 },
          review: 'pending',
          reviewed_by: null,
          reviewed_at: null,
        },
      ],
    },
  ],
  responses_truncated: true,
  counted: {
    responses: 51,
    test_responses_included: 0,
    test_responses_excluded: 20,
    quality_included: 0,
    quality_excluded: 0,
  },
} as const;
