export const addResponsesExample = {
  rows: [
    {
      submission_id: 'phone-0001',
      answers: {
        Q1: 'female',
        Q2: 52,
        Q8: 'north',
        Q3: ['coffee'],
        Q4: 5,
        Q5: { taste: '3', price: '3', choice: '2' },
        Q6: 10,
        Q7: 'Nothing, it is great',
      },
      completed_at: '2026-10-05T09:12:00Z',
    },
    {
      submission_id: 'phone-0002',
      answers: {
        Q1: 'male',
        Q2: 29,
        Q8: 'south',
        Q3: ['coffee', 'tea'],
        Q4: 2,
        Q5: { taste: '1', price: '2', choice: '2' },
        Q6: 3,
        Q7: 'Hotter coffee please',
      },
      completed_at: '2026-10-05T10:40:00Z',
    },
    {
      submission_id: 'phone-0003',
      answers: { Q1: 'non_binary', Q2: 38, Q8: 'south', Q3: ['coffee'], Q4: 3, Q6: 8, Q7: 'More choice' },
      completed_at: '2026-10-06T08:05:00Z',
    },
  ],
} as const;
