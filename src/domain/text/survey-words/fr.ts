import type { SurveyWords } from './survey-words.ts';

export const FR: SurveyWords = {
  scores: {
    '3': `excellent, excellente, parfait, parfaite, parfaitement, fantastique, merveilleux, génial, géniale,
      superbe, super, formidable, extraordinaire, impeccable, incroyable, adore, adoré, ravi, ravie,
      enchanté, top, au top, magnifique, délicieux, dépassé mes attentes, irréprochable, nickel, coup de
      cœur, sauvé`,
    '2': `bon, bonne, bons, bonnes, bien, aimable, gentil, gentille, sympathique, sympa, poli, accueillant,
      accueillante, serviable, attentif, attentionné, professionnel, professionnelle, compétent,
      compétente, satisfait, satisfaite, content, contente, heureux, heureuse, recommande, recommander,
      recommanderais, facile, facilement, simple, intuitif, clair, claire, clairs, claires, rapide,
      rapides, rapidement, rapidité, efficace, pratique, confortable, propre, soigné, fiable, utile, beau,
      belle, joli, jolie, frais, calme, chaleureux, merci, aime, aimé, plaît, plu, apprécié, apprécie,
      agréable, ponctuel, abordable, bon rapport qualité prix, excellent rapport qualité prix, rapport
      qualité prix, vaut le coup, pas mal, rien à redire, rien à dire, sans souci, sans problème, fluide,
      reviendrai, réactif, réactive, meilleur, meilleure, disponible, à l'écoute, conforme, intéressant,
      intéressante, m'écoute, nous écoute, me soutient, soutient, soutien, pris le temps, prend le temps,
      prennent le temps, patient, patiente, motivant, motivé, amusant, spacieux, respectueux, respect,
      valorisé, beaucoup appris, raisonnable, raisonnables, bien organisé, bien organisée, bien expliqué,
      compréhensif, flexible, souple, transparent, juste, solide, bienveillant, enrichissant, convivial,
      ponctuelle`,
    '1': `pas cher, bon marché, amélioré, résolu, réglé, moderne, en avance, plus tôt que prévu, varié, sûr`,
    '0': `senti, moyen, correct, sans plus, normal, comme, besoin, voudrais, travail, utiliser, utilise, partage,
      payer, paiement, gratuit, aide, aider, grand, haut, fort, important, certain, certaines, libre,
      seul, sérieux, plus, pour, avis, pas d'avis, rien à signaler, conseil, batterie, personne, chose,
      chance, demande, terme, jouer, parlé, noir, dépend, école, publicité, année`,
    '-1': `limité, basique, dépassé, froid, queue, bruit, manque, manquent, problème, problèmes, souci, soucis,
      au lieu de, faible, dommage, longue, incident`,
    '-2': `mauvais, mauvaise, mal, cher, chère, chers, chères, coûteux, lent, lente, lents, lentes, lenteur,
      retard, retards, tard, délai, délais, cassé, cassée, endommagé, abîmé, défectueux, confus,
      compliqué, compliquée, complexe, difficile, incompréhensible, plante, planté, plantages, bug, bugs,
      bugue, erreur, erreurs, panne, pannes, plainte, plaindre, impoli, désagréable, malpoli,
      antipathique, incompétent, incompétente, sale, bruyant, inconfortable, déçu, déçue, décevant,
      décevante, déception, frustrant, agaçant, énervant, ennuyeux, perdu, attendre, attends, attendu,
      attente, trompeur, désorganisé, insuffisant, insatisfait, mécontent, malheureusement, dû, hélas, ne
      vaut pas, laisse à désirer, médiocre, bloque, rame, redire, peu clair, dysfonctionnement, lourd,
      pénible, pire, inadapté, injuste, injustes, ignoré, ignorée, sent mauvais, pue, odeur, stress,
      stressant, épuisant, épuisé, mal payé, sous payé, bureaucratie, bureaucratique, dangereux,
      insécurité, discrimination, harcèlement, monotone, surchargé, débordé, annulé, annulée, annulés,
      insistant, agressif, arrogant, négligé, négligent, fade, brûlé, fuite, fuit, douloureux, n'en
      finissent pas, n'en finit pas, interminable, interminables, difficulté, difficultés, répétitif,
      chaos, chaotique, surfacturé, fragile, rayé, en retard, ne tiennent pas leurs promesses, ne comprend
      rien, trop bas, moqué, désordre`,
    '-3': `terrible, horrible, affreux, catastrophe, catastrophique, nul, nulle, déteste, inacceptable,
      inutile, inutilisable, arnaque, vol, perte de temps, perte d'argent, poubelle, ridicule, cauchemar,
      dégoûtant, honte, honteux, scandaleux, exorbitant, hors de prix, plus jamais, lamentable, exécrable`,
  },
  negators: `ne, n, pas, jamais, personne, rien, aucun, aucune, sans, ni, non, guère`,
  negatesBackward: true,
  intensifiers:
    'très, vraiment, extrêmement, tellement, totalement, complètement, absolument, hyper, toujours, constamment, si, tout, beaucoup, vivement',
  diminishers: `un peu, assez, parfois, légèrement, relativement, plutôt, presque`,
  contrastWords: `mais, cependant, toutefois, malheureusement, bien que, sauf, par contre, dommage`,
  excess: 'trop, excessivement',
  measures:
    'long, longue, longtemps, petit, petite, grand, haut, élevé, élevés, bas, loin, nombreux, court, tôt, chaud, vieux, lourd, étroit, sombre, fort, sucré, salé, temps, monde, attente, publicité, peu, serré',
  expected:
    'marche, marchent, marchait, fonctionne, fonctionnent, fonctionnait, répond, répondent, répondu, réponse, charge, ouvre, démarre, arrive, arrivé, aide, aident, aidé, résout, résolu, comprend, comprends, écoute, achèterais, rachèterais, reviendrai, explique, vaut, sert, correspond, connecte, joignable, trouve, trouvé, peux, peut, livré, reçu',
  wishes: `pourrait, pourraient, devrait, devraient, faudrait, aurait pu, serait, souhaite, il faut`,
  better:
    'mieux, meilleur, meilleure, améliorer, amélioré, plus rapide, moins cher, plus simple, plus facile, plus clair, rapide, simple',
};
