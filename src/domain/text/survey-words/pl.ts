import type { SurveyWords } from './survey-words.ts';

export const PL: SurveyWords = {
  scores: {
    '3': `doskonały, doskonała, doskonale, świetny, świetna, świetnie, świetne, idealny, idealnie,
      fantastyczny, fantastycznie, wspaniały, wspaniale, rewelacja, rewelacyjny, rewelacyjnie, super,
      znakomity, znakomicie, uwielbiam, kocham, zachwycony, zachwycona, perfekcyjnie, bez zarzutu, pyszny,
      pyszne, przepyszne, genialny, ekstra, wyśmienity, polecam z czystym sumieniem, uratowało, strzał w
      dziesiątkę`,
    '2': `dobry, dobra, dobre, dobrze, dobrego, miły, miła, miło, mili, uprzejmy, uprzejma, uprzejmie,
      przyjazny, pomocny, pomocna, pomocni, życzliwy, uczynny, profesjonalny, profesjonalna,
      profesjonalnie, kompetentny, zadowolony, zadowolona, zadowoleni, szczęśliwy, polecam, polecić,
      poleciłbym, łatwy, łatwe, łatwo, prosty, prosta, proste, intuicyjny, intuicyjna, jasny, jasno,
      czytelny, szybki, szybka, szybko, sprawnie, sprawny, wydajny, wygodny, wygodna, wygodnie,
      praktyczny, komfortowy, czysto, czysty, czysta, schludnie, niezawodny, solidny, przystępny,
      niedrogi, niedrogo, tani, tanio, przydatny, użyteczny, ładny, ładna, ładnie, piękny, smaczny,
      smaczne, świeży, przytulny, spokojnie, cicho, dziękuję, dzięki, podoba, podobało, podobała, lubię,
      przyjemny, przyjemnie, punktualnie, na czas, terminowo, stosunek jakości do ceny, warto, nieźle,
      niezły, całkiem nieźle, bez zastrzeżeń, bez problemów, bez problemu, wrócę, najlepszy, najlepsza,
      pomogli, pomógł, cieszę, płynnie, przed czasem, wszystko działa, jestem pod wrażeniem, ciekawe,
      ciekawy, interesujące, słucha, wspiera, wysłuchał, dokładnie, cierpliwie, cierpliwy, wciągający,
      zabawny, motywujący, motywuje, przestronny, przestronnie, szacunek, z szacunkiem, doceniany, dużo
      się nauczyłem, dużo się nauczyłam, rozsądny, rozsądne, dobrze zorganizowany, wyrozumiały,
      elastyczny, przejrzysty, sprawiedliwy, uczciwy, solidnie, wytrzymały, starannie, gościnny,
      inspirujący`,
    '1': `poprawili, rozwiązali, rozwiązano, naprawili, nowoczesny, ciekawie, interesujący, szybciej niż myślałem, różnorodny, w porządku`,
    '0': `może być, przeciętnie, przeciętny, normalnie, średnio, średni, praca, pracy, używam, pomoc,
      wsparcie, proszę, chcę, potrzebuję, duży, wysoki, ważne, cena, ceny, bezpieczeństwo, silny, darmowy,
      nowy, brak zdania, brak uwag, nic, zdanie, kolega, rzeczy, bateria, czarny, sklep, dodać, płatność,
      zależy, rok, roku, szkoła`,
    '-1': `ograniczony, przestarzały, zimny, zimno, kolejka, kolejki, hałas, brakuje, brak, problem, problemy,
      problemów, zamiast, słaby, słaba, słabe, słabo, szkoda`,
    '-2': `zły, zła, złe, źle, drogi, droga, drogie, drogo, kosztowny, wolny, wolna, wolne, wolno, powolny,
      późno, spóźniony, spóźnienie, opóźnienie, opóźnienia, opóźniony, zepsuty, zepsuta, zepsuł,
      uszkodzony, uszkodzona, uszkodzone, wadliwy, mylący, zagmatwany, skomplikowany, skomplikowana,
      skomplikowane, trudny, trudna, trudne, trudno, niejasny, niejasna, niejasne, nieczytelny,
      niezrozumiały, zawiesza, zacina, zacinał, wyłącza, błąd, błędy, awaria, awarie, skarga, skargi,
      reklamacja, niegrzeczny, nieuprzejmy, nieuprzejma, niemiły, niemiła, niekompetentny, brudny, brudno,
      głośno, głośny, niewygodny, niewygodna, rozczarowany, rozczarowana, rozczarowanie, rozczarował,
      frustrujący, frustrujące, irytujący, irytuje, denerwuje, denerwujące, nudny, nudno, zawodny,
      zgubili, czekać, czekam, czekałem, czekałam, czekania, oczekiwanie, chaotyczny, bałagan, nieuczciwy,
      niewystarczający, niezadowolony, niezadowolona, niestety, musiałem, musiałam, pozostawia wiele do
      życzenia, gorszy, gorzej, kiepski, kiepsko, kiepska, zawyżone, długo, ciasno, nie warto,
      niesprawiedliwy, niesprawiedliwe, niesprawiedliwie, ignorowany, ignorują, zignorowany, zignorowali,
      śmierdzi, smród, zapach, stres, stresujący, stresująca, męczący, męczące, wyczerpany, źle płatna,
      biurokracja, niebezpieczny, niebezpiecznie, dyskryminacja, mobbing, monotonny, przeciążony,
      odwołany, odwołali, odwołano, nachalny, agresywny, arogancki, niedbały, bez smaku, spalony,
      przypalony, surowy, przecieka, cieknie, bolesny, boli, ciągną się, w nieskończoność, bez końca, bez
      sensu, w pośpiechu, chaos, naliczyli, chwiejny, porysowany, spóźnia, spóźniają, brak szacunku,
      lekceważą`,
    '-3': `okropny, okropna, okropnie, straszny, strasznie, fatalny, fatalnie, fatalna, tragedia, tragiczny,
      koszmar, koszmarny, najgorszy, nienawidzę, katastrofa, niedopuszczalne, bezużyteczny, oszustwo,
      oszuści, strata czasu, strata pieniędzy, śmieć, śmieszne, żenada, skandal, obrzydliwy, nigdy więcej,
      beznadziejny, beznadziejnie, dramat, porażka`,
  },
  negators: `nie, nigdy, nikt, żaden, żadna, żadnych, żadnego, bez, ani, nic`,
  intensifiers:
    'bardzo, naprawdę, ekstremalnie, tak, totalnie, absolutnie, całkowicie, niezwykle, zawsze, ciągle, wszystko, mega, strasznie, gorąco, zbyt',
  diminishers: `trochę, nieco, czasami, czasem, lekko, dość, raczej, stosunkowo, prawie`,
  contrastWords: `ale, jednak, chociaż, choć, niestety, lecz, natomiast, oprócz, tylko`,
  excess: 'za, zbyt, nadmiernie',
  measures:
    'długi, długo, mały, mała, duży, duża, wysoki, wysoka, wysokie, niski, daleko, dużo, mało, krótki, wcześnie, późno, gorący, stary, ciężki, ciasny, ciemno, często, słodki, słony, głośno',
  expected:
    'działa, działają, działało, działał, odpowiada, odpowiadają, odpowiedział, odpowiedzieli, odpisał, odbiera, ładuje, otwiera, uruchamia, przychodzi, przyszła, przyszło, dotarła, dotarło, pomaga, pomogli, pomógł, rozwiązali, rozumie, rozumieją, słuchają, kupię, kupiłbym, wrócę, wyjaśnili, warte, pasuje, zgadza, łączy, mogę, można, mogłem, znaleźć, dostałem, otrzymałem, polecam, wystarcza, da się',
  wishes: `mogłoby, mógłby, mogłaby, mogłyby, powinno, powinien, powinna, powinny, przydałoby, chciałbym`,
  better:
    'lepiej, lepszy, lepsza, lepsze, szybciej, szybszy, szybsza, taniej, tańszy, łatwiej, prościej, poprawić, ulepszyć',
};
