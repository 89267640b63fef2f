export const previewWeightingReplyExample = {
  counted: {
    responses: 51,
    test_responses_included: 0,
    test_responses_excluded: 20,
    quality_included: 0,
    quality_excluded: 0,
  },
  converged: true,
  iterations: 1,
  max_error: 0,
  rms: 0,
  unweighted_base: 51,
  weighted_base: 51,
  effective_base: 21.582626,
  design_effect: 2.363012,
  weighting_efficiency: 0.423189,
  min_weight: 0.037778,
  max_weight: 3.25125,
  trimmed: 0,
  dimensions: [
    {
      column_code: 'Q1',
      categories: [
        {
          value: 'female',
          label: 'Female',
          count: 8,
          unweighted: 15.686275,
          target: 51,
          weighted: 51,
          difference: 0,
        },
        {
          value: 'male',
          label: 'Male',
          count: 16,
          unweighted: 31.372549,
          target: 47,
          weighted: 47,
          difference: 0,
        },
        {
          value: 'non_binary',
          label: 'Non-binary',
          count: 27,
          unweighted: 52.941176,
          target: 2,
          weighted: 2,
          difference: 0,
        },
      ],
    },
  ],
  histogram: [
    { from: 0.037778, to: 0.198451, count: 27 },
    { from: 1.32257, to: 1.483243, count: 16 },
    { from: 3.090577, to: 3.25125, count: 8 },
  ],
  without_limits: {
    weighting_efficiency: 0.423189,
    min_weight: 0.037778,
    max_weight: 3.25125,
    max_error: 0,
  },
  warnings: [
    {
      code: 'low_efficiency',
      message: 'Weighting efficiency is 42.3 %, under 70 %: the weights vary widely',
    },
  ],
} as const;

export const createWeightingExample = {
  name: 'Gender weight',
  column_code: 'WEIGHT',
  dimensions: [
    {
      column_code: 'Q1',
      targets: [
        { value: 'female', target: 51 },
        { value: 'male', target: 47 },
        { value: 'non_binary', target: 2 },
      ],
    },
  ],
  allow_unconverged: false,
} as const;
