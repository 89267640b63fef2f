import type { SurveyWords } from './survey-words.ts';

export const NL: SurveyWords = {
  scores: {
    '3': `uitstekend, uitstekende, perfect, perfecte, fantastisch, fantastische, geweldig, geweldige, super,
      top, schitterend, prachtig, voortreffelijk, hou van, dol op, enthousiast, overtroffen, heerlijk,
      heerlijke, vlekkeloos, een aanrader, aanrader, subliem, redder`,
    '2': `goed, goede, fijn, fijne, prima, leuk, leuke, mooi, mooie, vriendelijk, vriendelijke, aardig,
      aardige, beleefd, behulpzaam, attent, professioneel, deskundig, bekwaam, tevreden, blij, gelukkig
      mee, aanbevelen, beveel, makkelijk, makkelijke, gemakkelijk, gemakkelijke, eenvoudig, eenvoudige,
      simpel, intuïtief, duidelijk, duidelijke, overzichtelijk, snel, snelle, vlot, efficiënt, handig,
      handige, praktisch, comfortabel, schoon, netjes, betrouwbaar, betaalbaar, goedkoop, voordelig,
      nuttig, lekker, lekkere, vers, gezellig, rustig, bedankt, dank, bevalt, beviel, genoten, aangenaam,
      stipt, op tijd, soepel, prijs kwaliteit, prijs kwaliteitverhouding, niet slecht, de moeite waard,
      niets op aan te merken, kom terug, beste, geholpen, graag terug, probleemloos, interessant,
      interessante, luistert, steunt, nam de tijd, neemt de tijd, namen de tijd, geduldig, leerzaam,
      motiverend, gemotiveerd, ruim, respectvol, respect, gewaardeerd, veel geleerd, redelijke, goed
      georganiseerd, goed opgezet, begripvol, flexibel, transparant, eerlijk, eerlijke, stevig, degelijk,
      zorgvuldig, inspirerend, boeiend, gastvrij, serieus genomen`,
    '1': `verbeterd, opgelost, modern, eerder dan verwacht, klopt, gevarieerd, eindelijk`,
    '0': `gaat wel, oké, ok, normaal, gemiddeld, werk, gebruik, hulp, steun, graag, nodig, wil, groot, hoog,
      belangrijk, betalen, gratis, veilig, sterk, vrij, geen mening, mening, alleen, wel, als, zeker,
      delen, winkel, batterij, middelmatig, gelijk, recht, kans, spelen, model, maat, dingen, zwarte,
      zwart, via, andere, sommige, hangt ervan af, jaar, school`,
    '-1': `beperkt, verouderd, koud, rij, rijen, lawaai, ontbreekt, ontbreken, gebrek, probleem, problemen, in
      plaats van, zwak, zwakke, jammer, mist`,
    '-2': `slecht, slechte, duur, dure, prijzig, traag, trage, langzaam, langzame, laat, te laat, vertraging,
      vertraagd, kapot, beschadigd, beschadigde, defect, defecte, verwarrend, verwarrende, ingewikkeld,
      ingewikkelde, moeilijk, moeilijke, lastig, onduidelijk, onduidelijke, onoverzichtelijk, crasht,
      vastloopt, loopt vast, vastgelopen, loopt steeds vast, hapert, bug, fout, fouten, foutmelding,
      storing, storingen, klacht, klachten, klagen, onbeleefd, onvriendelijk, onvriendelijke, incompetent,
      ondeskundig, vies, vuil, lawaaierig, oncomfortabel, ongemakkelijk, teleurgesteld, teleurstellend,
      teleurstelling, frustrerend, irritant, vervelend, saai, onbetrouwbaar, verkeerd, verkeerde,
      verloren, wachten, wacht, gewacht, wachttijd, wachttijden, duurt, duurde, chaotisch, oneerlijk,
      onvoldoende, ontevreden, helaas, moest, laat te wensen over, matig, overprijsd, onhandig,
      tegenvallend, tegengevallen, viel tegen, valt tegen, rommelig, slordig, oneerlijke, genegeerd,
      stinkt, stank, geur, stress, stressvol, vermoeiend, uitgeput, onderbetaald, bureaucratisch,
      bureaucratie, onveilig, gevaarlijk, discriminatie, pesten, pesterijen, eentonig, overbelast,
      onderbezet, geannuleerd, opdringerig, agressief, arrogant, nalatig, smakeloos, smaakloos, verbrand,
      lekt, lekkage, pijnlijk, pijn, geen einde aan, eindeloos, eindeloze, zinloos, gehaast, chaos, te
      veel betaald, wankel, bekrast, respectloos, verwaarloosd, afgesnauwd`,
    '-3': `vreselijk, verschrikkelijk, afschuwelijk, slechtste, haat, ramp, rampzalig, onacceptabel, nutteloos,
      waardeloos, onbruikbaar, oplichting, oplichters, tijdverspilling, geldverspilling, rotzooi,
      belachelijk, nachtmerrie, walgelijk, schandalig, schande, nooit meer, drama`,
  },
  negators: `niet, geen, nooit, niemand, niets, niks, zonder, noch, amper, nauwelijks`,
  negatesBackward: true,
  intensifiers:
    'heel, erg, zeer, echt, super, enorm, totaal, absoluut, volledig, zo, altijd, steeds, constant, ontzettend, veel, alles, bijzonder, ongelooflijk',
  diminishers: `een beetje, iets, soms, enigszins, redelijk, vrij, relatief, best, deels, bijna`,
  contrastWords: 'maar, echter, hoewel, al, helaas, toch, behalve, alleen',
  excess: 'te, overdreven',
  measures:
    'lang, lange, klein, kleine, groot, hoog, hoge, laag, ver, veel, weinig, kort, vroeg, heet, oud, zwaar, smal, donker, streng, vaak, zoet, zout, vol, druk, luid, hard',
  expected:
    'werkt, werken, werkte, functioneert, antwoordt, antwoorden, antwoord, beantwoordt, geantwoord, reageert, reageren, reactie, laadt, opent, start, komt, kwam, aangekomen, helpt, geholpen, lost op, opgelost, begrijpt, begrijpen, luistert, kopen, terugkomen, legt uit, waard, klopt, past, bereikbaar, verbindt, vinden, inloggen, gekregen, ontvangen, mogelijk, aanraden',
  wishes: 'kan, kunnen, kon, zou, zouden, moet, moeten, mag, mogen',
  better:
    'beter, sneller, goedkoper, makkelijker, eenvoudiger, duidelijker, vriendelijker, schoner, verbeterd worden, verbeteren, verbetering',
};
