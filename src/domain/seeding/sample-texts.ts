/** Sample answers to text questions. */
export interface SampleTexts {
  /** Short answers of one or two words. */
  words: readonly string[];
  negative: readonly string[];
  neutral: readonly string[];
  positive: readonly string[];
}

const ENGLISH: SampleTexts = {
  words: [
    'Price',
    'Quality',
    'Service',
    'Design',
    'Delivery',
    'Location',
    'Opening hours',
    'A friend',
    'Advertising',
  ],
  negative: [
    'It took far too long.',
    'Too expensive for what it is.',
    'Nobody answered my question.',
    'I had expected more.',
    'It stopped working after a week.',
    'The page was hard to use.',
  ],
  neutral: [
    'Nothing comes to mind.',
    'It was all right.',
    'I use it about once a week.',
    'A friend told me about it.',
    'Same as last year.',
    'It depends on the day.',
  ],
  positive: [
    'Very friendly staff.',
    'It works well for me.',
    'Good value for money.',
    'Easy to use and quick.',
    'I would recommend it to friends.',
    'Keep it as it is.',
  ],
};

const GERMAN: SampleTexts = {
  words: [
    'Preis',
    'Qualität',
    'Service',
    'Gestaltung',
    'Lieferung',
    'Lage',
    'Öffnungszeiten',
    'Freunde',
    'Werbung',
  ],
  negative: [
    'Es hat viel zu lange gedauert.',
    'Zu teuer für das, was es ist.',
    'Niemand hat meine Frage beantwortet.',
    'Ich hatte mehr erwartet.',
    'Die Seite war schwer zu bedienen.',
  ],
  neutral: [
    'Mir fällt nichts ein.',
    'Es war in Ordnung.',
    'Ich nutze es etwa einmal pro Woche.',
    'Eine Freundin hat mir davon erzählt.',
    'Wie im letzten Jahr.',
  ],
  positive: [
    'Sehr freundliches Personal.',
    'Für mich funktioniert es gut.',
    'Gutes Preis-Leistungs-Verhältnis.',
    'Einfach und schnell.',
    'Ich würde es weiterempfehlen.',
  ],
};

const FRENCH: SampleTexts = {
  words: [
    'Prix',
    'Qualité',
    'Service',
    'Design',
    'Livraison',
    'Emplacement',
    'Horaires',
    'Un ami',
    'Publicité',
  ],
  negative: [
    'C’était beaucoup trop long.',
    'Trop cher pour ce que c’est.',
    'Personne n’a répondu à ma question.',
    'Je m’attendais à mieux.',
    'Le site est difficile à utiliser.',
  ],
  neutral: [
    'Rien de particulier.',
    'C’était correct.',
    'Je l’utilise une fois par semaine.',
    'Une amie m’en a parlé.',
    'Comme l’année dernière.',
  ],
  positive: [
    'Personnel très aimable.',
    'Cela me convient bien.',
    'Bon rapport qualité-prix.',
    'Simple et rapide.',
    'Je le recommanderais à mes amis.',
  ],
};

const SPANISH: SampleTexts = {
  words: [
    'Precio',
    'Calidad',
    'Servicio',
    'Diseño',
    'Entrega',
    'Ubicación',
    'Horario',
    'Un amigo',
    'Publicidad',
  ],
  negative: [
    'Tardó demasiado.',
    'Demasiado caro para lo que es.',
    'Nadie respondió a mi pregunta.',
    'Esperaba algo más.',
    'La página es difícil de usar.',
  ],
  neutral: [
    'No se me ocurre nada.',
    'Estuvo bien, sin más.',
    'Lo uso una vez por semana.',
    'Me lo contó una amiga.',
    'Igual que el año pasado.',
  ],
  positive: [
    'Personal muy amable.',
    'A mí me funciona bien.',
    'Buena relación calidad-precio.',
    'Fácil y rápido.',
    'Lo recomendaría a mis amigos.',
  ],
};

const PORTUGUESE: SampleTexts = {
  words: [
    'Preço',
    'Qualidade',
    'Serviço',
    'Design',
    'Entrega',
    'Localização',
    'Horário',
    'Um amigo',
    'Publicidade',
  ],
  negative: [
    'Demorou demais.',
    'Caro demais para o que é.',
    'Ninguém respondeu à minha pergunta.',
    'Eu esperava mais.',
    'A página é difícil de usar.',
  ],
  neutral: [
    'Não me ocorre nada.',
    'Foi razoável.',
    'Uso uma vez por semana.',
    'Uma amiga me contou.',
    'Igual ao ano passado.',
  ],
  positive: [
    'Equipe muito simpática.',
    'Para mim funciona bem.',
    'Boa relação qualidade-preço.',
    'Fácil e rápido.',
    'Eu recomendaria aos amigos.',
  ],
};

const BY_LANGUAGE: ReadonlyMap<string, SampleTexts> = new Map([
  ['de', GERMAN],
  ['fr', FRENCH],
  ['es', SPANISH],
  ['pt', PORTUGUESE],
]);

/** Returns the texts for a language tag such as pt-BR; English for other languages. */
export function sampleTexts(language: string): SampleTexts {
  const [base = ''] = language.toLowerCase().split('-');
  return BY_LANGUAGE.get(base) ?? ENGLISH;
}
