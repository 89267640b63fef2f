const related = {
  weight_column: null,
  counted: {
    responses: 51,
    test_responses_included: 0,
    test_responses_excluded: 20,
    quality_included: 0,
    quality_excluded: 0,
  },
  without_weight: 0,
};
const [SATISFACTION, RECOMMENDATION] = [
  'How satisfied are you with your work?',
  'Would you recommend us as an employer?',
];

export const correlateResponsesReplyExample = {
  ...related,
  method: 'spearman' as const,
  missing: 'pairwise' as const,
  columns: [
    { column_code: 'Q5', label: SATISFACTION },
    { column_code: 'Q9', label: RECOMMENDATION },
  ],
  pairs: [
    {
      columns: ['Q5', 'Q9'] as [string, string],
      base: 48,
      effective_base: null,
      r: 0.612,
      p_value: 0.0000036,
      ci_low: null,
      ci_high: null,
    },
  ],
};

export const computeReliabilityReplyExample = {
  ...related,
  missing: 'pairwise' as const,
  alpha: 0.741,
  standardized_alpha: 0.759,
  average_correlation: 0.612,
  items: [
    {
      column_code: 'Q5',
      label: SATISFACTION,
      reversed: false,
      base: 50,
      mean: 3.6,
      sd: 1.02,
      item_total: 0.612,
      alpha_if_deleted: null,
    },
    {
      column_code: 'Q9',
      label: RECOMMENDATION,
      reversed: false,
      base: 49,
      mean: 7.1,
      sd: 2.1,
      item_total: 0.612,
      alpha_if_deleted: null,
    },
  ],
  notes: [],
};
