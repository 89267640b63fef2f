import type { SurveyWords } from './survey-words.ts';

export const DE: SurveyWords = {
  scores: {
    '3': `hervorragend, ausgezeichnet, perfekt, fantastisch, wunderbar, großartig, super, spitze, klasse,
      exzellent, genial, begeistert, liebe, toll, erstklassig, traumhaft, einwandfrei, tadellos, rundum
      zufrieden, übertroffen, lecker, köstlich, top, total happy, happy, volltreffer`,
    '2': `gut, gute, guter, gutes, guten, freundlich, freundliche, freundlicher, nett, nette, netter, höflich,
      hilfsbereit, hilfreich, aufmerksam, professionell, kompetent, zufrieden, glücklich, froh, empfehle,
      empfehlen, weiterempfehlen, empfehlenswert, einfach, leicht, unkompliziert, intuitiv, verständlich,
      übersichtlich, schnell, schnelle, schneller, zügig, prompt, effizient, praktisch, bequem,
      komfortabel, sauber, ordentlich, zuverlässig, günstig, preiswert, nützlich, schön, schöne, schönes,
      frisch, gemütlich, ruhig, sicher bedient, danke, gefällt, gefallen, gefiel, mag, angenehm,
      pünktlich, reibungslos, problemlos, geklappt, klappt, gern, gerne, gern wieder, gar nicht schlecht,
      nicht schlecht, lohnt sich, mehr als, nichts zu meckern, nichts auszusetzen, preis leistung stimmt,
      wohl gefühlt, komme wieder, immer wieder gern, bester, beste, besten, fair, freue, interessant,
      interessante, spannend, spannende, unterstützt, hört zu, zeit genommen, nimmt sich zeit, nahm sich
      zeit, geduldig, motivierend, motiviert, spaß, geräumig, ruhe, respektvoll, respekt, wertgeschätzt,
      wertschätzung, viel gelernt, angemessen, fairer, faire, faires, vernünftig, vernünftige, gut
      organisiert, strukturiert, gut aufgebaut, verständnisvoll, flexibel, transparent, robust, stabil,
      sorgfältig, abwechslungsreich, inspirierend, ernst genommen`,
    '1': `billig, verbessert, gelöst, modern, stimmt, passt, früher als erwartet, endlich`,
    '0': `okay, ok, normal, geht so, weder noch, keine angabe, wichtig, nutze, brauche, bitte, hilfe, wie,
      gleich, einstellung, arbeit, teilen, groß, hoch, mehr, kosten, preis, sicher, sicherheit, alt,
      allein, recht, frei, stark, weiß, meinung, durchschnittlich, mittel, wunsch, ware, art, kreuz, rat,
      block, bad, gift, fast, war, chance, see, spielen, kaufen, problem damit, interesse, gold, am
      wochenende, neu, tag, ernst, anzeigen, ahnung, kommt darauf an, jahr, schule`,
    '-1': `begrenzt, veraltet, kalt, schlange, lärm, fehlt, fehlen, fehlte, mangel, schwach, schwacher,
      schwache, problem, probleme, problemen, statt, anstatt, umständlich, langwierig`,
    '-2': `schlecht, schlechte, schlechter, schlechtes, teuer, teure, teuren, langsam, langsame, langsamer,
      träge, spät, verspätet, verspätung, verzögerung, kaputt, beschädigt, defekt, fehlerhaft, verwirrend,
      kompliziert, schwierig, unklar, unübersichtlich, unverständlich, abgestürzt, absturz, abstürze,
      stürzt, hängt, ruckelt, hakt, bug, fehler, fehlermeldung, beschwerde, beschweren, klage, meckern,
      unhöflich, unfreundlich, inkompetent, frech, schmutzig, dreckig, laut, unbequem, enttäuscht,
      enttäuschend, enttäuschung, frustrierend, nervig, nervt, ärgerlich, langweilig, unzuverlässig,
      falsch, verloren, mangelhaft, warten, warte, wartezeit, wartezeiten, gewartet, ausfall, ausgefallen,
      störung, überfüllt, chaotisch, unfair, überteuert, unzureichend, unzufrieden, leider, dauert,
      dauerte, ewig, musste, bricht ab, lässt zu wünschen übrig, mühsam, unnötig, unpünktlich, unseriös,
      stört, störend, unfaire, unfairer, ungerecht, ungerechte, ignoriert, stinkt, riecht, gestank,
      stress, stressig, anstrengend, erschöpft, unterbezahlt, bürokratisch, bürokratie, unsicher,
      gefährlich, diskriminierung, mobbing, eintönig, überlastet, unterbesetzt, abgesagt, gestrichen,
      aufdringlich, aggressiv, arrogant, nachlässig, fade, verbrannt, versalzen, undicht, tropft,
      schmerzhaft, weh, kein ende, nehmen kein ende, sinnlos, gehetzt, chaos, zu viel berechnet, wackelig,
      wackelt, zerkratzt, überfordert, respektlos, vernachlässigt, rücksichtslos`,
    '-3': `schrecklich, furchtbar, katastrophe, katastrophal, miserabel, grauenhaft, hasse, unverschämt,
      frechheit, nutzlos, unbrauchbar, betrug, abzocke, zeitverschwendung, geldverschwendung, müll,
      schrott, lächerlich, albtraum, ekelhaft, nie wieder, unzumutbar, inakzeptabel, horror, mies, völlig
      überteuert`,
  },
  negators:
    'nicht, kein, keine, keinen, keinem, keiner, nie, niemals, niemand, nichts, ohne, weder, noch nie, kaum',
  negatesBackward: true,
  intensifiers:
    'sehr, wirklich, extrem, so, total, absolut, völlig, echt, richtig, besonders, ständig, immer, viel, ganz, unglaublich, rundum, äußerst, überaus',
  diminishers: `etwas, ein bisschen, ein wenig, manchmal, leicht, ziemlich, relativ, teilweise, eher`,
  contrastWords: 'aber, allerdings, jedoch, leider, obwohl, trotzdem, nur',
  excess: 'zu, übertrieben, übermäßig',
  measures:
    'lang, lange, klein, groß, hoch, hohe, niedrig, weit, viel, viele, wenig, wenige, kurz, früh, heiß, alt, schwer, eng, dunkel, streng, oft, häufig, süß, salzig, voll',
  expected:
    'funktioniert, funktionieren, funktionierte, geht, ging, gingen, antwortet, antworten, geantwortet, antwort, reagiert, reagieren, lädt, öffnet, startet, kommt, kam, angekommen, hilft, geholfen, helfen, löst, gelöst, versteht, verstehen, verstanden, kaufen, kaufe, wiederkommen, erklärt, wert, passt, stimmt, lohnt, erreichbar, erreicht, erreichen, verbindet, finde mich, auffindbar, anmelden, kümmert, gekümmert, gehalten, möglich',
  wishes: `könnte, könnten, sollte, sollten, müsste, müssten, wünsche, wünschte`,
  better:
    'besser, schneller, billiger, günstiger, einfacher, klarer, freundlicher, sauberer, verbessern, verbessert, verbesserung, übersichtlicher',
};
