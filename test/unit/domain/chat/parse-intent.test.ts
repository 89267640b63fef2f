import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestNearestQuestions, suggestQuestions } from '../../../../src/domain/chat/system-prompt.ts';
import { type Intent, parseIntent, planCalls } from '../../../../src/domain/chat/parse-intent.ts';
import { germanVocabulary, shopVocabulary, travelVocabulary } from './shop-survey.ts';

/** An intent in one line. */
function describeIntent(intent: Intent): string {
  switch (intent.kind) {
    case 'distribution':
      return [
        'distribution',
        intent.variable.code,
        intent.order === 'original' ? '' : intent.order,
        ...intent.options,
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'statistics':
      return `${intent.wanted} ${intent.variable.code}`;
    case 'battery':
      return `battery ${intent.variable.code} ${intent.order}`;
    case 'crosstab':
      return `${intent.row.code} by ${intent.column.code}`;
    case 'waves':
      return `waves ${intent.variable.code}`;
    case 'verbatims':
      return `texts ${intent.variables.map(({ code }) => code).join(' ')}${intent.contains === null ? '' : `: ${intent.contains}`}`;
    case 'unclear':
      return `not ${intent.unused.join(', ')}; ${describeIntent(intent.read)}`;
    case 'unknown':
      return `unknown: ${intent.reason}`;
    default:
      return intent.kind;
  }
}

describe('a question about a shop survey', () => {
  const vocabulary = shopVocabulary();

  it.each([
    ['How many responses are there?', 'counts'],
    ['how many completes do we have', 'counts'],
    ['How many people answered the survey?', 'counts'],
    ['What is the sample size?', 'counts'],
    ['Wie viele Antworten gibt es?', 'counts'],
    ['Wie viele Teilnehmer haben wir?', 'counts'],
    ['¿Cuántas respuestas hay?', 'counts'],
    ['Combien de réponses avons-nous ?', 'counts'],
    ['Quantas respostas temos?', 'counts'],
    ['Сколько ответов получено?', 'counts'],

    ['What questions are there?', 'questions'],
    ['list the questions', 'questions'],
    ['Which questions does this survey ask?', 'questions'],
    ['Welche Fragen gibt es?', 'questions'],
    ['¿Qué preguntas hay?', 'questions'],
    ['Quelles sont les questions ?', 'questions'],
    ['Quais são as perguntas?', 'questions'],
    ['Какие вопросы есть?', 'questions'],

    ['How did people answer Q1?', 'distribution Q1'],
    ['q3', 'distribution Q3'],
    ['How satisfied are people?', 'distribution Q3'],
    ['show me the distribution of satisfaction', 'distribution Q3'],
    ['What share is very satisfied?', 'distribution Q3 Very satisfied'],
    ['How many women are there?', 'distribution Q2 Women'],
    ['What percentage lives in the South?', 'distribution Q1 South'],
    ['which channels are used most', 'distribution Q5 highest'],
    ['What is the least popular channel?', 'distribution Q5 lowest'],
    ['Verteilung von Q1', 'distribution Q1'],
    ['¿Qué porcentaje contestó Q1?', 'distribution Q1'],
    ['Répartition de Q5', 'distribution Q5'],
    ['распределение Q3', 'distribution Q3'],
    ['How is the delivery rated?', 'distribution Q6_r3'],
    ['How do people see the price?', 'distribution Q6_r1'],

    ['How many people use live chat or phone?', 'distribution Q5 Phone Live chat'],
    ['What is the net promoter score?', 'nps Q4'],
    ['Is there a significant difference between men and women in satisfaction?', 'Q3 by Q2'],
    ['What are the main complaints?', 'texts Q7 Q9'],
    ['satisfaction of women', 'Q3 by Q2'],
    ['How many men are not satisfied?', 'not not; Q3 by Q2'],
    ['Are older people more satisfied?', 'not older; distribution Q3'],
    ['What is the average age?', 'mean age'],
    ['mean of Q8', 'mean Q8'],
    ['How often did people visit us on average?', 'mean Q8'],
    ['What is the median of Q8?', 'median Q8'],
    ['standard deviation of age', 'spread age'],
    ['What is our NPS?', 'nps Q4'],
    ['How likely are they to recommend us?', 'nps Q4'],
    ['Mittelwert von Q8', 'mean Q8'],
    ['¿Cuál es la media de Q8?', 'mean Q8'],
    ['Quelle est la moyenne de Q8 ?', 'mean Q8'],
    ['Qual é a média de Q8?', 'mean Q8'],
    ['Какое среднее у Q8?', 'mean Q8'],
    ['Mean satisfaction', 'mean Q3'],

    ['What is rated highest in Q6?', 'battery Q6 highest'],
    ['which of the following do they rate worst?', 'battery Q6 lowest'],

    ['satisfaction by gender', 'Q3 by Q2'],
    ['Q3 by Q1', 'Q3 by Q1'],
    ['NPS by region', 'Q4 by Q1'],
    ['region by age', 'age by Q1'],
    ['Are women more satisfied than men?', 'Q3 by Q2'],
    ['Compare men and women on satisfaction', 'Q3 by Q2'],
    ['difference between North and South in satisfaction', 'Q3 by Q1'],
    ['How does the delivery differ across regions?', 'Q6_r3 by Q1'],
    ['Q3 nach Q2', 'Q3 by Q2'],
    ['Q3 por Q2', 'Q3 by Q2'],
    ['Q3 par Q2', 'Q3 by Q2'],
    ['Q3 по Q2', 'Q3 by Q2'],

    ['What do people say in Q7?', 'texts Q7'],
    ['What should we improve?', 'texts Q7'],
    ['Why did they choose this product?', 'texts Q9'],
    ['What do people say about parking?', 'texts Q7 Q9: parking'],
    ['Does anybody mention customer service hotline?', 'texts Q7 Q9: customer service hotline'],
    ['Show me quotes from Q9', 'texts Q9'],
    ['Was sagen die Leute in Q7?', 'texts Q7'],
    ['¿Qué dicen en Q7?', 'texts Q7'],
    ['Que disent-ils dans Q7 ?', 'texts Q7'],
    ['О чём пишут в Q7?', 'texts Q7'],
    ['Show comments', 'texts Q7 Q9'],
    ['themes of Q7', 'texts Q7'],

    ['hello', 'help'],
    ['What can you help me with?', 'help'],
    ['', 'help'],
    ['?!', 'help'],
    ['How did Q3 change over time?', 'unknown: no_waves'],
    ['What is the weather in Paris?', 'unknown: nothing_found'],
    ['Tell me a joke', 'unknown: nothing_found'],
    ['constructor', 'unknown: nothing_found'],
    ['__proto__', 'unknown: nothing_found'],
  ])('%s → %s', (message, expected) => {
    expect(describeIntent(parseIntent(message, vocabulary))).toBe(expected);
  });

  it('about change over time compares the waves', () => {
    const inWaves = shopVocabulary({ waves: true });
    expect(describeIntent(parseIntent('How did satisfaction change over time?', inWaves))).toBe('waves Q3');
    expect(describeIntent(parseIntent('compare the waves of Q4', inWaves))).toBe('waves Q4');
  });

  it('of any text is parsed without failing and queries existing columns', () => {
    const codes = new Set(vocabulary.variables.map(({ code }) => code));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (message) => {
        for (const { arguments: given } of planCalls(parseIntent(message, vocabulary)))
          for (const name of ['question_code', 'row', 'column'])
            if (given[name] !== undefined) expect(codes.has(String(given[name]))).toBe(true);
      }),
    );
  });
});

describe('a question with words that were not understood', () => {
  const vocabulary = travelVocabulary();

  it.each([
    ['What share of cyclists are under 30?', 'not under 30; distribution mode Cyclist'],
    ['What share of cyclists are women?', 'gender by mode'],
    ['Is the typical cyclist a woman or a man?', 'not typical; mode by gender'],
    ['What do people share with elephants?', 'unknown: nothing_found'],
    ['What share of women are cyclists?', 'mode by gender'],
    ['What percentage of cyclists is not satisfied?', 'not not; satisfied by mode'],
    ['How satisfied are cyclists in Berlin?', 'not Berlin; satisfied by mode'],
    ['How many people over 40 are there?', 'not over 40; counts'],
    ['How many people answered the survey last week?', 'not last week; counts'],
    ['What is the mean age of women?', 'age by gender'],
    ['What is the mean age of women in 2025?', 'not 2025; age by gender'],
    ['How satisfied are young women?', 'not young; satisfied by gender'],
    [
      'What do cyclists say about parking at the station?',
      'not cyclists; texts comment dislike: parking at the station',
    ],
    ['What is the mean of age for tall people', 'not tall; mean age'],
    ['Wie viele Radfahrer sind unter 30?', 'unknown: nothing_found'],
    ['¿Cuántas personas tienen menos de 30 años?', 'not 30 años; counts'],
    ['Combien de personnes ont moins de 30 ans ?', 'not 30 ans; counts'],
    ['Quantas pessoas têm menos de 30 anos?', 'not 30 anos; counts'],
    ['Сколько людей младше 30 лет?', 'not младше 30 лет; counts'],
  ])('is not partly answered: %s → %s', (message, expected) => {
    expect(describeIntent(parseIntent(message, vocabulary))).toBe(expected);
  });

  it.each([
    ['What share is under 25?', 'distribution band Under 25'],
    ['What are the top 3 modes?', 'distribution mode highest'],
    ['How did people answer SHARE?', 'distribution SHARE'],
    ['share', 'distribution SHARE'],
    ['share by gender', 'SHARE by gender'],
    ['mean of SHARE for women', 'SHARE by gender'],
    ['What don’t you like?', 'texts dislike'],
  ])('and is answered if every word is used: %s → %s', (message, expected) => {
    expect(describeIntent(parseIntent(message, vocabulary))).toBe(expected);
  });

  it('does not match a column named with a question word', () => {
    const read = (message: string) => {
      const intent = parseIntent(message, vocabulary);
      return planCalls(intent).map(({ arguments: given }) => given.question_code ?? null);
    };
    for (const message of [
      'What share of cyclists are under 30?',
      'What share of trips are by bike in winter?',
      'What share of people wear a helmet?',
    ])
      expect(read(message), message).toEqual([]);
  });

  it('returns the understood question and the nearest ones, all unambiguous', () => {
    const nearestTo = (message: string) => {
      const intent = parseIntent(message, vocabulary);
      if (intent.kind !== 'unclear') throw new Error(describeIntent(intent));
      return suggestNearestQuestions(intent, vocabulary);
    };
    expect(nearestTo('How satisfied are young women?')[0]).toBe('satisfied by gender');
    expect(nearestTo('What share of cyclists are under 30?')).toEqual([
      'How did people answer mode?',
      'What is the mean of SHARE?',
      'SHARE by mode',
    ]);
    for (const message of [
      'What share of cyclists are under 30?',
      'How many people over 40 are there?',
      'What is the mean age of women in 2025?',
      'What do cyclists say about parking at the station?',
    ])
      for (const question of nearestTo(message))
        expect(['unclear', 'unknown'], question).not.toContain(parseIntent(question, vocabulary).kind);
  });
});

describe('a question in German about a German survey', () => {
  it.each([
    ['Wie zufrieden sind die Leute?', 'distribution F1'],
    ['Wie viele sind sehr zufrieden?', 'distribution F1 Sehr zufrieden'],
    ['Zufriedenheit nach Geschlecht', 'F1 by F2'],
    ['Gibt es Unterschiede zwischen männlich und weiblich bei der Zufriedenheit?', 'F1 by F2'],
    ['Durchschnitt von F3', 'mean F3'],
    ['Wie alt sind die Teilnehmer im Durchschnitt?', 'mean F3'],
    ['Was können wir besser machen?', 'texts F4'],
    ['Wie viele Teilnehmer gibt es?', 'counts'],
  ])('%s → %s', (message, expected) => {
    expect(describeIntent(parseIntent(message, germanVocabulary()))).toBe(expected);
  });
});

describe('the example questions', () => {
  it('are three, all understood', () => {
    for (const vocabulary of [shopVocabulary(), germanVocabulary(), { variables: [], hasWaves: false }]) {
      const examples = suggestQuestions(vocabulary);
      expect(examples).toHaveLength(3);
      for (const example of examples) expect(parseIntent(example, vocabulary).kind).not.toBe('unknown');
    }
  });

  it('name codes of the survey', () => {
    expect(suggestQuestions(shopVocabulary())).toEqual([
      'How did people answer Q1?',
      'What is the NPS of Q4?',
      'Q4 by Q1',
    ]);
  });
});
