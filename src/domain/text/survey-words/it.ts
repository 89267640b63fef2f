import type { SurveyWords } from './survey-words.ts';

export const IT: SurveyWords = {
  scores: {
    '3': `eccellente, perfetto, perfetta, perfettamente, fantastico, fantastica, meraviglioso, meravigliosa,
      incredibile, ottimo, ottima, ottimi, splendido, stupendo, straordinario, impeccabile, adoro, amo,
      entusiasta, superato le aspettative, delizioso, buonissimo, favoloso, bellissimo, mi ha salvato`,
    '2': `buono, buona, buoni, buone, buon, bene, molto bene, gentile, gentili, gentilezza, cordiale, cortese,
      cortesi, simpatico, educato, disponibile, disponibili, disponibilità, professionale,
      professionalità, competente, preparato, soddisfatto, soddisfatta, contento, contenta, felice,
      consiglio, consigliato, consiglierei, raccomando, facile, facilmente, semplice, intuitivo, chiaro,
      chiara, chiare, chiari, veloce, veloci, rapido, rapida, velocità, efficiente, efficace, pratico,
      comodo, comoda, confortevole, pulito, pulita, curato, affidabile, utile, bello, bella, bel, carino,
      fresco, accogliente, tranquillo, grazie, piace, piaciuto, piacciono, apprezzo, apprezzato,
      piacevole, puntuale, conveniente, economico, costa poco, qualità prezzo, rapporto qualità prezzo,
      vale la pena, niente male, nulla da ridire, nessun problema, tornerò, ritornerò, migliore, migliori,
      consigliatissimo, efficienti, interessante, interessanti, mi ascolta, ascolta, ci ascolta, sostiene,
      mi sostiene, paziente, pazienza, con calma, divertente, motivante, motivato, spazioso, ampio,
      rispettoso, rispetto, valorizzato, imparato molto, ragionevole, ragionevoli, ben organizzato, ben
      organizzata, ben spiegato, comprensivo, flessibile, trasparente, giusto, robusto, solido, stimolante`,
    '1': `economica, migliorato, risolto, risolti, moderno, in anticipo, prima del previsto, vario`,
    '0': `così così, normale, come, vorrei, bisogno, solo, aiuto, supporto, lavoro, uso, uso lo, pagare,
      pagamento, gratis, grande, alto, sicuro, certo, parte, importante, forte, libero, niente, nessuna
      opinione, medio, batteria, dire, interesse, nero, vanno, cose, gioco, sapere, dipende, scuola, anno,
      pubblicità`,
    '-1': `limitato, basilare, antiquato, freddo, coda, code, rumore, manca, mancano, mancanza, problema,
      problemi, invece di, dura poco, dubbio, debole, scarso, scarsa`,
    '-2': `cattivo, cattiva, male, caro, cara, cari, care, costoso, costosa, lento, lenta, lenti, lentezza,
      tardi, ritardo, ritardi, in ritardo, rotto, rotta, danneggiato, danneggiata, difettoso, difettosa,
      confuso, confusa, confusionario, complicato, complicata, complesso, difficile, difficili, blocca,
      bloccato, si blocca, crash, errore, errori, guasto, bug, reclamo, reclami, lamentarmi, lamentele,
      ridire, maleducato, scortese, antipatico, incompetente, sporco, sporca, rumoroso, scomodo, scomoda,
      deluso, delusa, deludente, delusione, frustrante, fastidioso, noioso, sbagliato, perso, aspettare,
      aspetto, aspettato, aspettando, attesa, attese, ingannevole, disorganizzato, poco chiaro, poco
      chiare, insufficiente, insoddisfatto, insoddisfatta, purtroppo, dovuto, lascia a desiderare, peggio,
      peggiore, scadente, inaffidabile, sovrapprezzo, ingiusto, ingiusta, ignorato, ignorata, puzza,
      puzzano, cattivo odore, stress, stressante, faticoso, esausto, sottopagato, burocratico, burocrazia,
      insicuro, pericoloso, discriminazione, mobbing, monotono, sovraccarico, cancellato, annullato,
      insistente, aggressivo, arrogante, trascurato, insipido, bruciato, crudo, perde acqua, perdita,
      doloroso, non finiscono mai, non finisce mai, interminabile, difficoltà, ripetitivo, caos, caotico,
      addebitato due volte, fragile, graffiato, disordine`,
    '-3': `pessimo, pessima, terribile, orribile, odio, disastro, inaccettabile, inutile, truffa, furto,
      perdita di tempo, spreco, spazzatura, ridicolo, incubo, schifo, vergogna, vergognoso, assurdo,
      assurdi, assurda, carissimo, mai più, il peggiore, inutilizzabile`,
  },
  negators: `non, mai, nessuno, nessun, nessuna, senza, né, niente, nulla, neanche, nemmeno`,
  intensifiers:
    'molto, davvero, veramente, super, totalmente, completamente, assolutamente, estremamente, così, sempre, continuamente, tutto, molta, tanto, più',
  diminishers: `un po', un po, poco, a volte, leggermente, relativamente, abbastanza, quasi, piuttosto`,
  contrastWords: `ma, però, anche se, tuttavia, purtroppo, tranne, sebbene, eppure`,
  excess: 'troppo, troppa, troppi, troppe, eccessivamente',
  measures:
    'lungo, lunga, lunghi, piccolo, grande, alto, alti, basso, lontano, tempo, corto, presto, caldo, vecchio, pesante, stretto, buio, dolce, salato, attesa, gente, pubblicità, passaggi, pochi, affollato',
  expected:
    'funziona, funzionano, funzionava, funzionato, risponde, rispondono, risposto, risposta, carica, apre, parte, arriva, arrivato, aiuta, aiutano, aiutato, risolve, risolto, risolvono, capisce, ascoltano, comprerei, ricomprerei, comprerò, tornerei, tornerò, spiega, vale, serve, corrisponde, conviene, collega, riesco, trovo, trovato, consegnato',
  wishes: `potrebbe, potrebbero, dovrebbe, dovrebbero, bisognerebbe, sarebbe, magari`,
  better:
    'meglio, migliore, migliorare, più veloce, più economico, più facile, più semplice, più chiaro, veloce, semplice, migliorato',
};
