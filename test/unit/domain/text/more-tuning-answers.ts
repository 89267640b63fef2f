import type { LabeledAnswers } from './labeled-answer.ts';

/**
 * Answers on other subjects, written after the first word lists and measured once before tuning; confidence is calibrated on that result.
 */
export const MORE_TUNING_ANSWERS: LabeledAnswers = {
  en: {
    positive: [
      'My manager listens and supports me',
      'The course was well structured and engaging',
      'Doctors took their time to explain everything',
      'Trains are punctual these days',
      'Couldn’t be happier with the result',
    ],
    negative: [
      'Meetings drag on forever',
      'The teacher didn’t care about us',
      'My salary is too low',
      'I felt ignored at the front desk',
      'There is a constant smell in the corridor',
    ],
    neutral: [
      'I have been working here since 2015',
      'Monday to Friday',
      'The lectures were interesting but the exam was unfair',
      'Same as last year',
      'My daughter uses it for school',
    ],
  },
  es: {
    positive: [
      'Mi jefe me apoya y me escucha',
      'El curso estuvo muy bien organizado',
      'La doctora explicó todo con paciencia',
      'Trato excelente desde el primer día',
      'Me ha salvado más de una vez',
      'Los precios son razonables',
      'Ha superado lo que esperaba',
    ],
    negative: [
      'Las reuniones no terminan nunca',
      'El profesor llega siempre tarde',
      'El sueldo es muy bajo',
      'Me sentí ignorado',
      'Huele mal en los pasillos',
      'No entiendo las facturas',
      'Cobran de más',
    ],
    neutral: [
      'Trabajo aquí desde 2015',
      'De lunes a viernes',
      'Las clases interesantes pero el examen injusto',
      'Igual que el año pasado',
      'Mi hija lo usa para el colegio',
      'Depende del día',
      'A través de un anuncio',
    ],
  },
  de: {
    positive: [
      'Meine Chefin hört zu und unterstützt mich',
      'Der Kurs war gut aufgebaut',
      'Die Ärztin hat sich Zeit genommen',
      'Bin total happy damit',
    ],
    negative: [
      'Die Besprechungen nehmen kein Ende',
      'Der Lehrer kommt immer zu spät',
      'Das Gehalt ist zu niedrig',
      'Es stinkt im Flur',
      'Man fühlt sich nicht ernst genommen',
    ],
    neutral: [
      'Ich arbeite seit 2015 hier',
      'Montag bis Freitag',
      'Spannende Vorlesung, aber unfaire Prüfung',
      'Wie im letzten Jahr',
      'Kommt darauf an',
    ],
  },
  fr: {
    positive: [
      'Mon chef m’écoute et me soutient',
      'La formation était bien organisée',
      'Le médecin a pris le temps de tout expliquer',
      'Un accueil au top dès le premier jour',
      'Les prix sont raisonnables',
      'Il m’a sauvé plus d’une fois',
      'Je n’ai rencontré aucune difficulté',
    ],
    negative: [
      'Les réunions n’en finissent pas',
      'Le professeur arrive toujours en retard',
      'Le salaire est trop bas',
      'Je me suis senti ignoré',
      'Ça sent mauvais dans les couloirs',
      'On ne comprend rien aux factures',
      'Ils ne tiennent pas leurs promesses',
    ],
    neutral: [
      'Je travaille ici depuis 2015',
      'Du lundi au vendredi',
      'Cours intéressant mais examen injuste',
      'Comme l’année dernière',
      'Ma fille s’en sert pour l’école',
      'Ça dépend des jours',
      'Par une publicité',
    ],
  },
  pt: {
    positive: [
      'Meu chefe me apoia e me ouve',
      'O curso foi bem organizado',
      'A médica explicou tudo com calma',
      'Preços razoáveis',
      'Não tive nenhuma dificuldade',
    ],
    negative: [
      'As reuniões não acabam nunca',
      'O professor sempre chega atrasado',
      'O salário é muito baixo',
      'Me senti ignorado',
      'Cobraram a mais na fatura',
    ],
    neutral: [
      'Trabalho aqui desde 2015',
      'De segunda a sexta',
      'Aulas interessantes, mas a prova foi injusta',
      'Igual ao ano passado',
      'Minha filha usa na escola',
    ],
  },
  it: {
    positive: [
      'Il mio capo mi ascolta e mi sostiene',
      'Il corso era ben organizzato',
      'La dottoressa ha spiegato tutto con calma',
      'Prezzi ragionevoli',
    ],
    negative: [
      'Le riunioni non finiscono mai',
      'Il professore arriva sempre in ritardo',
      'Lo stipendio è troppo basso',
      'Mi sono sentito ignorato',
    ],
    neutral: [
      'Lavoro qui dal 2015',
      'Dal lunedì al venerdì',
      'Lezioni interessanti ma esame ingiusto',
      'Come l’anno scorso',
    ],
  },
  ru: {
    positive: [
      'Начальник слушает и поддерживает',
      'Курс хорошо организован',
      'Врач всё подробно объяснил',
      'Разумные цены',
    ],
    negative: [
      'Совещания никогда не кончаются',
      'Преподаватель всегда опаздывает',
      'Зарплата слишком низкая',
      'В коридоре воняет',
    ],
    neutral: [
      'Работаю здесь с 2015 года',
      'С понедельника по пятницу',
      'Лекции интересные, но экзамен несправедливый',
      'Как в прошлом году',
    ],
  },
  nl: {
    positive: [
      'Mijn chef luistert en steunt me',
      'De cursus was goed opgezet',
      'De arts nam de tijd om alles uit te leggen',
      'Redelijke prijzen',
    ],
    negative: [
      'Er komt geen einde aan de vergaderingen',
      'De leraar komt altijd te laat',
      'Het salaris is te laag',
      'Het stinkt in de gang',
    ],
    neutral: [
      'Ik werk hier sinds 2015',
      'Van maandag tot vrijdag',
      'Interessante colleges maar een oneerlijk examen',
      'Net als vorig jaar',
    ],
  },
  pl: {
    positive: [
      'Szef mnie słucha i wspiera',
      'Kurs był dobrze zorganizowany',
      'Lekarka wszystko dokładnie wyjaśniła',
      'Rozsądne ceny',
    ],
    negative: [
      'Zebrania ciągną się w nieskończoność',
      'Nauczyciel zawsze się spóźnia',
      'Pensja jest za niska',
      'Na korytarzu śmierdzi',
    ],
    neutral: [
      'Pracuję tu od 2015 roku',
      'Od poniedziałku do piątku',
      'Ciekawe wykłady, ale niesprawiedliwy egzamin',
      'Tak samo jak w zeszłym roku',
    ],
  },
};
