import { randomNumbers } from '../../src/lib/seeded-random.ts';

/** A small survey with an open question, for trying out text analysis. Its responses are fictitious. */

const CAFE_NAME = 'Café visits (fictitious)';
const VISITS = 320;
const SEED = 20;

const VISIT = ['Take-away', 'To stay', 'With friends or family'];

/** The survey in the exchange format that POST /api/surveys/import takes. */
export function cafeSurvey(): object {
  return {
    format: 'canvass.survey',
    version: 1,
    survey: {
      survey_name: CAFE_NAME,
      survey_description: 'An example with an open question. All answers are fictitious.',
      settings: {
        layout: 'one_question',
        show_page_number: true,
        color: '#9a4a1c',
        background_color: '#faf3ea',
        typeface: 'serif',
        made_with_canvass: true,
      },
      pages: [
        {
          page_title: 'Your visit',
          questions: [
            {
              question_type: 'statement',
              question_code: 'intro',
              question_text: [
                '## Tell us about your last visit',
                'It takes **two minutes**. We read every comment:',
                '- what you liked\n- what we should change',
              ].join('\n\n'),
            },
            {
              question_type: 'single_choice',
              question_code: 'visit',
              question_text: 'What kind of visit was it?',
              options: VISIT.map((option_label, index) => ({
                option_label,
                option_value: String(index + 1),
              })),
            },
            {
              question_type: 'scale',
              question_code: 'wait',
              question_text: 'How was the waiting time?',
              question_settings: {
                min: 1,
                max: 5,
                min_label: 'Far too long',
                max_label: 'No waiting at all',
              },
            },
            {
              question_type: 'nps',
              question_code: 'recommend',
              question_text: 'How likely are you to recommend the café to a friend?',
            },
            {
              question_type: 'number',
              question_code: 'spend',
              question_text: 'About how much did you spend, in euros?',
              question_settings: {
                decimals: 2,
                min: 0,
                max: 90,
                suffix: '€',
                no_answers: [
                  { reason: 'dont_know', code: 97 },
                  { reason: 'refused', code: 98 },
                ],
              },
            },
            {
              question_type: 'text',
              question_code: 'comment',
              question_text: 'What should we know about your visit?',
              question_settings: { multiline: true },
            },
          ],
        },
      ],
    },
  };
}

type Topic = 'coffee' | 'staff' | 'waiting' | 'price' | 'place' | 'app';
type TopicComments = Record<Topic, { good: readonly string[]; bad: readonly string[] }>;

const COMMENTS: Record<'en' | 'de' | 'es' | 'fr', TopicComments> = {
  en: {
    coffee: {
      good: [
        'The coffee was excellent.',
        'Best flat white in town.',
        'I love the filter coffee here.',
        'Great espresso, and the cake was delicious.',
      ],
      bad: [
        'My coffee was cold.',
        'The espresso tasted burnt.',
        'Disappointing coffee this time.',
        'The cake was dry and the coffee bitter.',
      ],
    },
    staff: {
      good: [
        'The staff are so friendly.',
        'Very helpful and kind baristas.',
        'The barista remembered my name, lovely!',
        'Wonderful service.',
      ],
      bad: [
        'The staff seemed annoyed.',
        'The barista was rude to us.',
        'Nobody at the counter was helpful.',
        'Unfriendly service, sadly.',
      ],
    },
    waiting: {
      good: ['Served quickly, no waiting.', 'Fast service even at lunch time.', 'I never wait long here.'],
      bad: [
        'I waited twenty minutes for one coffee.',
        'The queue was far too long.',
        'Slow service, I nearly missed my train.',
        'Waiting time is a problem every morning.',
      ],
    },
    price: {
      good: ['Good value for the price.', 'Prices are fair.'],
      bad: [
        'Too expensive for what you get.',
        'Prices have gone up again.',
        'Five euros for a cappuccino is overpriced.',
      ],
    },
    place: {
      good: [
        'Cosy place with nice music.',
        'I like the quiet corner by the window.',
        'Beautiful, clean and comfortable.',
      ],
      bad: ['It was very loud and crowded.', 'No free table anywhere.', 'The toilets were dirty.'],
    },
    app: {
      good: ['Ordering with the app works perfectly.', 'The app is handy.'],
      bad: [
        'The app crashed when I wanted to pay.',
        'My order in the app got lost.',
        'The loyalty points in the app do not work.',
      ],
    },
  },
  de: {
    coffee: {
      good: ['Der Kaffee war ausgezeichnet.', 'Sehr leckerer Kuchen!'],
      bad: ['Der Kaffee war leider kalt.', 'Der Espresso schmeckte verbrannt.'],
    },
    staff: {
      good: ['Sehr freundliches Personal.', 'Die Bedienung war super nett.'],
      bad: ['Die Bedienung war unfreundlich.'],
    },
    waiting: {
      good: ['Ging wunderbar schnell.'],
      bad: ['Viel zu lange gewartet.', 'Die Schlange war zu lang und alles sehr langsam.'],
    },
    price: { good: ['Faire Preise.'], bad: ['Viel zu teuer.'] },
    place: { good: ['Gemütlich und sauber.'], bad: ['Zu laut und kein Platz frei.'] },
    app: { good: ['Die App funktioniert gut.'], bad: ['Die App ist abgestürzt.'] },
  },
  es: {
    coffee: {
      good: ['El café estaba excelente.', 'Me encanta el café de aquí.'],
      bad: ['El café estaba frío.', 'El café no me gustó nada.'],
    },
    staff: { good: ['El personal es muy amable.'], bad: ['El camarero fue maleducado.'] },
    waiting: {
      good: ['Servicio rápido, muy bien.'],
      bad: ['Esperé demasiado tiempo.', 'Servicio muy lento.'],
    },
    price: { good: ['Buen precio.'], bad: ['Demasiado caro.'] },
    place: { good: ['Un lugar acogedor y limpio.'], bad: ['Había mucho ruido.'] },
    app: { good: ['La aplicación funciona muy bien.'], bad: ['La aplicación falla al pagar.'] },
  },
  fr: {
    coffee: { good: ['Le café était excellent.'], bad: ['Le café était froid et mauvais.'] },
    staff: { good: ['Personnel très sympathique.'], bad: ['Le serveur était désagréable.'] },
    waiting: { good: ['Service rapide, parfait.'], bad: ['Beaucoup trop d’attente.'] },
    price: { good: ['Prix corrects.'], bad: ['Trop cher.'] },
    place: { good: ['Endroit agréable et propre.'], bad: ['Trop bruyant.'] },
    app: { good: ['L’application marche bien.'], bad: ['L’application plante au paiement.'] },
  },
};
const NEUTRAL_COMMENTS = [
  'Nothing special.',
  'I had a tea and a sandwich.',
  'Came by on my way to work.',
  'Wie immer.',
  'Un café y un bocadillo.',
  'Rien à signaler.',
];

interface CafeVisit {
  submission_id: string;
  answers: Record<string, string | number | { no_answer: string } | null>;
}

/** What a guest spent, in euros; a few do not know it or do not say it. */
function drawSpending(visit: number, random: () => number): number | { no_answer: string } {
  const kind = random();
  if (kind < 0.07) return { no_answer: 'dont_know' };
  if (kind < 0.1) return { no_answer: 'refused' };
  return Math.round(10 * (2.5 + visit * 3 + 5 * random())) / 10;
}

/** Returns the same visits every time. Take-away visits have longer waiting times and more comments about them. */
export function cafeVisits(): CafeVisit[] {
  const random = randomNumbers(SEED);
  const spending = randomNumbers(SEED + 1);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  return Array.from({ length: VISITS }, (_, index) => {
    const visit = random() < 0.45 ? 0 : random() < 0.6 ? 1 : 2;
    const wait = Math.min(5, Math.max(1, Math.round((visit === 0 ? 2.3 : 3.7) + (random() - 0.5) * 3)));
    const mood = (wait - 3) / 4 + (random() - 0.42) * 1.6;
    const recommend = Math.min(10, Math.max(0, Math.round(7 + mood * 3.4)));
    const language = random() < 0.62 ? 'en' : pick(['de', 'es', 'fr'] as const);
    const topic: Topic = wait <= 2 && random() < 0.6 ? 'waiting' : pick(Object.keys(COMMENTS.en) as Topic[]);
    const sentences = [pick(COMMENTS[language][topic][mood > 0 ? 'good' : 'bad'])];
    if (random() < 0.4) {
      const other = pick(Object.keys(COMMENTS.en) as Topic[]);
      if (other !== topic)
        sentences.push(pick(COMMENTS[language][other][random() < 0.5 + mood ? 'good' : 'bad']));
    }
    const hasNoComment = random() < 0.12;
    const comment = hasNoComment ? null : random() < 0.08 ? pick(NEUTRAL_COMMENTS) : sentences.join(' ');
    return {
      submission_id: `visit-${index + 1}`,
      answers: { visit: String(visit + 1), wait, recommend, spend: drawSpending(visit, spending), comment },
    };
  });
}
