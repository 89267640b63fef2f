import type { LabeledAnswers } from './labeled-answer.ts';

/** Used to write the word lists; not used for figures. */
export const TUNING_ANSWERS: LabeledAnswers = {
  en: {
    positive: [
      'Really easy to use and the staff were helpful',
      'No complaints at all',
      'It just works',
      'Can’t fault it, would recommend to anyone 👍',
    ],
    negative: [
      'Way too expensive for what you get',
      'The app keeps crashing',
      'I waited forty minutes and nobody answered',
      'It could be a lot faster',
      'Not what I expected',
    ],
    neutral: ['Nothing', 'I use it once a week at work', 'Good food but slow service', 'It is okay, average'],
  },
  es: {
    positive: [
      'Muy buena atención, volveré seguro',
      'Sin quejas, todo perfecto',
      'Fácil de usar y rápido',
      'La entrega llegó antes de lo previsto',
    ],
    negative: [
      'Demasiado caro',
      'No funciona en mi teléfono',
      'Tardan mucho en contestar',
      'No lo recomendaría a nadie',
    ],
    neutral: [
      'Nada',
      'Lo compré en la tienda de Madrid',
      'La comida rica pero el servicio lento',
      'Normal, ni bien ni mal',
    ],
  },
  de: {
    positive: [
      'Sehr zufrieden, alles hat geklappt',
      'Gar nicht schlecht, ich komme wieder',
      'Schnelle Lieferung und freundliche Mitarbeiter',
      'Keine Probleme',
    ],
    negative: [
      'Viel zu teuer',
      'Die App stürzt ständig ab',
      'Das gefällt mir nicht',
      'Leider funktioniert die Anmeldung nicht',
    ],
    neutral: [
      'Weiß nicht',
      'Ich fahre jeden Tag mit dem Bus',
      'Gutes Essen, aber langer Wartezeit',
      'Geht so',
    ],
  },
  fr: {
    positive: [
      'Très satisfait du service',
      'Rien à redire, parfait',
      'Simple et rapide',
      'J’adore ce produit ❤️',
    ],
    negative: [
      'Beaucoup trop cher',
      'Ça ne marche pas',
      'Je ne suis pas content du tout',
      'Le site est lent et compliqué',
    ],
    neutral: [
      'Rien',
      'Je l’utilise deux fois par mois',
      'Bon produit mais livraison lente',
      'Moyen, sans plus',
    ],
  },
  pt: {
    positive: [
      'Ótimo atendimento',
      'Não tenho do que reclamar',
      'Gostei muito, superou as expectativas',
      'Prático e rápido',
    ],
    negative: ['Muito caro', 'O aplicativo trava toda hora', 'Não gostei', 'Demora demais para responder'],
    neutral: ['Nada', 'Uso no trabalho às segundas', 'A comida é boa mas o serviço é lento', 'Mais ou menos'],
  },
  it: {
    positive: [
      'Personale gentile e disponibile',
      'Nessun problema',
      'Mi piace molto',
      'Funziona bene e costa poco',
    ],
    negative: [
      'Troppo caro',
      'Il sito è lento',
      'Non mi è piaciuto',
      'Ho aspettato un’ora e nessuno mi ha risposto',
    ],
    neutral: ['Niente', 'Lo uso una volta al mese', 'Buono ma un po’ caro', 'Così così'],
  },
  ru: {
    positive: [
      'Всё понравилось, спасибо',
      'Быстрая доставка и вежливый курьер',
      'Удобно и просто',
      'Никаких проблем',
    ],
    negative: [
      'Слишком дорого',
      'Приложение постоянно вылетает',
      'Мне не понравилось',
      'Долго ждал ответа поддержки',
    ],
    neutral: ['Нет', 'Пользуюсь раз в неделю', 'Товар хороший, но доставка медленная', 'Нормально'],
  },
  nl: {
    positive: ['Heel tevreden met de service', 'Geen klachten', 'Makkelijk in gebruik', 'Werkt prima'],
    negative: ['Veel te duur', 'De app loopt steeds vast', 'Ik vind het niet fijn', 'Het duurde te lang'],
    neutral: ['Geen', 'Ik gebruik het op mijn werk', 'Lekker eten maar trage bediening', 'Gaat wel'],
  },
  pl: {
    positive: ['Bardzo miła obsługa', 'Bez zastrzeżeń', 'Wszystko działa, polecam', 'Szybko i wygodnie'],
    negative: [
      'Za drogo',
      'Aplikacja ciągle się zawiesza',
      'Nie podoba mi się',
      'Długo czekałem na odpowiedź',
    ],
    neutral: ['Nic', 'Kupiłem w sklepie w Krakowie', 'Dobry produkt, ale wolna dostawa', 'Może być'],
  },
};
