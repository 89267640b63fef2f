/*
 * The most common passwords of leaked lists: 4,000 of at least 8 characters, and 2,000 shorter ones that people extend with digits.
 * From the frequency lists of zxcvbn 4.4.2 (https://github.com/dropbox/zxcvbn), under the MIT License:
 *
 * Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
 * "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
 * distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
 * the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 * MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR
 * ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH
 * THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */

/** In lower case, separated by white space. */
export const COMMON_PASSWORD_LIST = `
!qaz2wsx %%passwo 0.0.0.000 0000000000o 007james 01011900 01011910 01011950 01011960 01011961 01011970 01011971 01011972 01011973 01011974 01011975
01011976 01011977 01011978 01011979 01011980 01011981 01011982 01011983 01011984 01011985 01011986 01011987 01011988 01011989 01011990 01011991
01011992 01011993 01011994 01011995 01011999 01012000 01012001 01012010 01012011 01020304 0102030405 01021990 01031985 01031988 01031989 01041985
01041988 01061986 01061990 01071986 01081989 01091987 01091989 01121986 01121988 013cpfza 01478520 0147896325 0192837465 02011971 02011975 02011980
02011981 02011982 02011983 02011984 02011985 02011986 02011987 02011988 02011989 02021971 02021973 02021976 02021979 02021981 02021982 02021983
02021984 02021985 02021986 02021987 02021988 02021989 02021990 02031970 02031973 02031974 02031975 02031977 02031978 02031979 02031980 02031981
02031982 02031984 02031985 02031986 02031987 02031988 02031989 02041972 02041973 02041974 02041975 02041976 02041977 02041978 02041979 02041980
02041981 02041982 02041983 02041984 02041985 02041986 02041987 02041988 02041989 02051970 02051972 02051973 02051975 02051976 02051977 02051978
02051980 02051981 02051982 02051983 02051984 02051985 02051986 02051987 02051988 02051989 02061971 02061972 02061974 02061976 02061977 02061980
02061982 02061983 02061984 02061985 02061986 02061987 02061988 02061989 02071971 02071975 02071976 02071978 02071979 02071980 02071981 02071982
02071983 02071984 02071986 02071987 02071988 02071989 02081970 02081973 02081974 02081976 02081977 02081980 02081982 02081983 02081984 02081985
02081986 02081987 02081988 02081989 02091971 02091973 02091975 02091976 02091977 02091980 02091981 02091983 02091984 02091985 02091986 02091987
02091989 02101973 02101976 02101977 02101979 02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 03031986 03041986 03041991
03082006 04041988 04041991 05051985 05051987 05051989 06061986 063dyjuy 07071977 07071987 07091990 07831505 08031985 08031986 08051990 08081988
08121986 08154711 08522580 085tzzqi 09051945 0987654321q 0o9i8u7y 10011986 10011990 100200300 10031988 10051987 10071987 10101986 10101990 10203040
1020304050 10293847 1029384756 10inches 11001001 11051987 11051990 11061985 11081989 11111111 1111111111zz 1111122222 11112222 1111aaaa 1111qqqq
11121314 11121986 11122233 111222333 11223344 1122334455 112233445566 11235813 1123581321 11924704 12011987 12021988 12031985 12031987 12051988
12121985 12121990 12131415 1213141516 1223334444 12233445 12312312 123123123q 123123a 123123q 123123qwe 1232323q 12332112 123321123 123321456 123321q
123321qwe 12340987 12344321 12344321q 1234509876 12345123 12345432 123454321 1234554321 12345612 123456123 12345654321 123456654321 12345666 12345671
12345677 12345678 123456789 1234567890 12345678900 12345678900987654321 1234567890a 1234567890q 1234567890z 1234567891 12345678910 123456789123
1234567899 123456789987654321 123456789a 123456789abc 123456789d 123456789k 123456789l 123456789m 123456789n 123456789o 123456789p 123456789q
123456789qaz 123456789qwe 123456789qwerty 123456789r 123456789s 123456789v 123456789w 123456789z 12345678a 12345678q 12345679 1234567a 1234567aa
1234567q 1234567u 1234567z 12345687 123456987 123456a 123456aa 123456ab 123456abc 123456as 123456asd 123456k 123456q 123456qaz 123456qq 123456qqq
123456qw 123456qwe 123456qwerty 123456r 123456ru 123456s 123456z 123456zxc 12345a 12345abc 12345asd 12345q 12345qaz 12345qwe 12345qwer 12345qwert
12345qwerty 12345trewq 12345z 12347890 12348765 12349876 1234abcd 1234asdf 1234kekc 1234qwe 1234qwer 1234qwerty 1234rewq 1234rmvb 1234zxcv 123581321
12365478 123654789 12369874 123698741 123698745 123789456 123aaa 123abc 123asd 123hfjdk147 123masha 123mudar 123qaz 123qaz123 123qq123 123qwe
123qwe123 123qwe456 123qweas 123qweasd 123qweasdzxc 123qwert 123qwerty 123zxc 12locked 12qw12qw 12qw34er 12qwas 12qwaszx 12qwerty 12s3t4p55 13021990
13031987 13041987 13041988 13061986 13121985 13243546 13245768 132465798 134679852 13572468 13576479 1357908642 1357911q 13579246 135792468 1357924680
135797531 135798642 14021985 14021986 14061991 14111986 14725836 147258369 14785236 147852369 14789632 147896321 147896325 14881488 15011987 15021985
15051981 15051990 15101986 151nxjmt 15426378 159753123 159753456 159753852 159875321 16051987 16051989 16121987 17011987 17051988 17061988 17171717aa
18011987 18061990 18091985 18121812 18273645 18436572 19061987 19101987 19283746 192837465 19411945 19844891 19933991 1a2a3a4a 1a2a3a4a5a 1a2b3c
1a2b3c4d 1a2b3c4d5e 1a2s3d4f 1a2s3d4f5g 1asshole 1basebal 1diamond 1footbal 1hxboqg2 1jennife 1letmein 1michael 1million 1mustang 1passwor 1password
1q2q3q4q 1q2q3q4q5q 1q2w3e 1q2w3e4r 1q2w3e4r5 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qay2wsx 1qaz!qaz 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw2
1qazxsw23edc 1qazzaq1 1qw23er4 1qwerty 1william 1x2zkg8w 1z2x3c4v 1z2x3c4v5b 20031987 20051988 20061988 20091988 20091991 20111986 20spanks 21011989
21031987 21031988 21031990 21051988 21051991 21101986 21125150 2112rush 22011988 22021986 22021989 22031984 22041987 22041988 22061941 22071986
22334455 22446688 23021986 23041987 23176djivanfros 23skidoo 24011985 24061986 24111989 243462536 24681012 246813579 25031987 25041988 25081988
25091987 25121987 25251325 25800852 25802580 26031988 26061987 27061988 27731828 28011987 28021990 28021992 28041987 29011985 29051989 29071983
2w3e4r5t 2wsx3edc 2wsxcde3 2wsxzaq1 30031988 30041986 30051985 31011987 31415926 32165498 321654987 3216732167 326159487 333666999 33rjhjds 34523452
369258147 369852147 380zliki 3edc4rfv 3edcvfr4 3rjs1la7qe 3stooges 43046721 44332211 44445555 44magnum 45m2do5bs 48151623 4815162342 4904s677075
4r3e2w1q 4rfv3edc 4rfv5tgb 4runner 50cent 50spanks 541233432442 55bgates 5hsu75kpot 5tgb6yhn 5wr2i7h8 66613666 67camaro 68camaro 69213124 69camaro
73501505 74108520 74123698 741258963 74185296 741852963 74227422 748159263 7777777a 777888999 789123456 78945612 789456123 7894561230 78963214
789632145 789654123 7hrdnw23 7ugd5hip2j 890098890 89015173454 89600506779 8j4ye3uz 8phrowz622 8phrowz624 911turbo 918273645 9293709b13 963258741
96385274 963852741 987412365 987456321 987654321a 987654321q 99762000 a12345 a123456 a1234567 a12345678 a123456789 a123456a a1a2a3a4 a1a2a3a4a5 a1b2c3
a1b2c3d4 a1b2c3d4e5 a1s2d3 a1s2d3f4 a1s2d3f4g5 aa123456 aaa111 aaaa1111 aaaaaaa1 aaliyah aardvark abc12 abc123 abc1234 abc12345 abc123456 abcd123
abcd1234 abcdefg1 aberdeen abgrtyu abigail1 abnormal abracadabra abrakadabra absolut abulafia acapulco access access14 access99 accord account1
achilles acidburn action adelphia adgjmptw adidas admin admin123 admin18533362 adonis adrenali adrenalin adventur aerosmit aerosmith aezakmi afrodita
agent007 aggies agnieszka aikido airborne airbus airforce airforce1 airplane akatsuki alabama alabama1 alaska alastair albatros albion alcatraz
alejandr aleksander aleksandr aleksandra aleksey alessand alessandro alex1234 alexande alexander1 alexandr alexandre alexandru alexis alfa alfarome
alfaromeo algernon alhambra alibaba aliens aligator alkaline allblack alleycat alligator allison1 allmine allnight allsop allstar allstars allstate
alpha alpha1 alpha123 alphabet alphaman alpine alterego alucard amadeus amanda1 amanda18 amarillo amateur amateurs amazon amber1 ambrosia america
america1 amethyst amoremio amsterda amsterdam anaconda anakin anakonda anal analsex anarchy anastasi anastasiya anatoliy andreas1 andrei andrew1
andrew12 andrey andromed andromeda andyod22 anfield angel angel1 angel123 angel666 angeleye angelito angelofwar angels anhyeuem animal anime anna2614
annemari anteater antelope anthony1 anthony2 anthony7 antigone anton123 antonio1 antonius antoshka anubis aolsucks apache apollo apollo11 apollo13
apple apple1 apple123 applepie apples aqswdefr aquafina aqualung aquarius arabella aragorn arcangel archange archangel architec area51 argentin
argonaut arhangel arizona arizona1 arjay armageddon armagedon armani armstron arrowhea arschloch arsehole arsenal arsenal1 arsenalfc artemis artofwar
artur as123456 asd123 asd12345 asd123asd asdasd asdasd123 asdasdas asdf asdf123 asdf1234 asdfasdf asdffdsa asdfg asdfg123 asdfg12345 asdfgh asdfgh01
asdfghj asdfghjk asdfghjkl asdfjkl asdfjkl; asdfqwer asdfzxcv asdqwe123 asdzxc ashley1 ashley12 asmodeus aspire aspirine assassin assassins assclown
assfuck asshole asshole1 assholes asslover assman assmaste assmunch astalavista asterios asterix astonvil astonvilla astroboy astros atlanta atlanta1
atlantis atomic atreides auburn audia4 augustin aurelius aussie austin austin31 austin316 australi avalanch avalanche avalon avangard avatar avenger
awesome awesome1 azamat azerty azerty123 azertyui azertyuiop azsxdc azsxdcfv azsxdcfvgb babe babemagn babemagnet baberuth babes babushka babybear
babyblue babyboy babycake babycakes babydoll babyface babygirl babygirl1 babygurl babylon babylon5 babylove bacardi backbone backdoor backspac
badabing badass badboy baddog badger badgirl badkarma badlands badnaamhere baggins bagira bagpipes bajingan baldrick baller balloon balloons balls
ballsack baltimor bambam banana bananas banane banderas bandit bang bangkok banker banshee baphomet baracuda barakuda barbados barbara1 barbie
barcelon barcelona bareback barefeet barefoot baritone barkley barney barracud barracuda barselona barsik basebal1 baseball baseball1 basket basketba
basketbal bassfish bassman bastard bastard1 batman batman1 batman12 batman99 bayern bayliner baywatch bcfields beachbum beaches beagle beaner beanie
bear bearcats beast beastie beatles beatles1 beautifu beauty beaver beavis beckham beckham7 beefcake beer beethove beetle behemoth bella123 bellagio
bellevue belochka bendover benessere bengals bennett1 beretta bergkamp berlin bernard1 bernhard besiktas bestfriend bettyboo bettyboop bicycle bigass
bigballs bigbear bigbird bigblack bigblock bigboobs bigbooty bigboy bigbucks bigbutts bigcock bigdaddy bigdick bigdick1 bigdicks bigdog bigfoot
bigfoot1 biggdogg biggie biggles bigguy bigmac bigman bigmoney bignasty bigone bigpenis bigpimpi bigpoppa bigpussy bigred bigsexy bigstick bigtime
bigtits bigtruck bigwilly bikini billabon billabong billiard billy1 billybob billyboy bimmer bing bingo binladen biohazard bionicle birdie birdman
birthday1 birthday4 biscuit biscuit1 bisexual bismarck bismilla bismillah bitch bitch1 bitchass bitches biteme biteme69 bizkit blabla blablabl black1
black123 blackass blackbel blackbelt blackber blackberry blackbir blackbird blackboy blackcat blackcoc blackcock blackdog blackhaw blackhawk blackice
blackie blackie1 blackjac blackjack blacklab blackops blackout blackrose blacks blacksta blacksun blacky blade bladerunner blades blahblah blaster
blaster1 blastoff blazer blessed blessed1 blessing blingbling blink182 blizzard blonde blondes blondie blondie1 blondinka bloopers blowfish blowjob
blowjobs blowme blue blue123 blue1234 blue22 bluearmy blueball bluebear bluebell blueberr bluebird blueboy bluedevi bluedog blueeyes bluefish bluegill
bluejays blueline bluemoon bluenose bluenote bluerose blues bluesky bluesman bluestar bob123 bobafett bobby1 bobby123 bobcat bobdylan bobmarle
bobmarley bocephus boeing bogart bogdan bogey bohica bollocks bollox bomber bond007 bondage bondarenko bonefish bonehead boner bones bonethug bonghits
bonjour bonkers bonsai boob boobie boobies booboo boobs boogaloo booger boogie bookcase bookworm boomboom boomer bootie bootneck boots booty borabora
bordeaux boricua boris123 borussia bosco boscoe01 bossman bosstone boston bounce bowler bowling boxing br0d3r br549 bradley1 brando brandon1 brandy
brasil brasilia bravehea braveheart braves brazil brazzers breast breeze brentfor bretagne brian1 brian123 brianna1 brighton bristol britney britneys
bronco broncos broncos1 broodwar brooklyn brother1 browndog browneye brownie browns brucelee bruins bruno123 brutus bubba bubba1 bubba123 bubbadog
bubbas bubble bubblegum bubbles bubbles1 bucket buckeye buckeye1 buckeyes buckshot buckwhea budapest buddha buddy buddy1 buddy123 buddyboy buddydog
budlight budman budweise budweiser buffalo buffalo1 buffalos buffett buffy1 bugger bugsbunn bugsbunny builder bukowski bull bulldawg bulldog bulldog1
bulldog2 bulldogg bulldogs bullet bullfrog bullseye bullshit bullwink bumblebe bungalow bunghole bunny bunny1 buratino burger businessbabe buster
buster01 buster1 buster12 butch butter buttercu buttercup butterfl butterfly buttfuck butthead butthole buttman buttocks buttons buttplug buzzard
bynthytn byteme c3por2d2 cabbage cabernet cableguy cachorro cactus cadillac caesar caitlin1 calamity calico caliente californ caligula calimero
callisto callofduty camaro camaro69 camaross camaroz2 cambiami cambridg camel camelot camelot1 camels cameltoe cameron cameron1 canada canadien cancer
cancun candle candyass candyman cannabis cannibal cannonda canon cantona cantona7 capetown capital1 capitals capoeira capone capricor capricorn
capslock captain captain1 caramel cardinal care1839 carebear carefree carlitos carnival carolina carpedie carpediem carpente carpet carrera carrot
carthage cartman cartman1 cartoon cartoons casablan casablanca casanova caserta casey1 caseydog cashflow cashmone cashmoney casino casper cassandr
cassie cat123 catch22 catdaddy catdog catfight catfish catfish1 catherin catlover catman cats catwoman cavalier caveman cbr600 cbr600rr cbr900rr
ccbill cdtnjxrf cdtnkfyf celeron celica celine celtic celticfc celtics celtics1 centrino centurion cerberus cessna cezer121 cfitymrf chainsaw challeng
champ champagn champion champs changeme chaos characte charger chargers charisma charles1 charles2 charli charlie charlie1 charlie123 charlie2
charlie3 charlie9 charlies charlott charlton charly charmed chaser checkers checkmat cheerleaers cheers cheese cheese1 cheetah chelsea chelsea1
chelseafc chemistr cherokee cherries cherry cheshire chester chester1 chester2 chevelle chevrole chevrolet chevy chevy1 chevy454 chevyman chevys10
chevyz71 chewbacc chewbacca chewie cheyanne cheyenne chicago chicago1 chicago2 chichi chicken chicken1 chickens chickenwing101 chicks chico chiefs
chilidog chillout chipmunk chipper chipper1 chivas chocolat chocolate1 choochoo chopper chopper1 choppers chris1 chris123 chrisbln chrissy chrissy1
christ christia christin christma christop christophe christy1 chronic chrono chrysler chuang chubby chuckie chuckles chucky chunky churchil cicero
cigars cinder cinnamon citibank civilwar cjkysirj cjkywt cjrjkjdf clancy clapton clarinet classic classic1 classics claudia1 claymore clemson cleopatr
clevelan clinton1 clipper clippers clitlick clitoris close-up cloud9 clover cnfybckfd cnjvfnjkju cobra cobra1 cobra427 cocacola cock cocks cocksuck
cocksucker coconut codeblue coffee cohiba coke coldbeer coldplay collecti colleen1 college1 colombia colorado colors colossus colt45 coltrane comanche
comet comicbook comicbookdb commande commando commodor compaq compute computer computer1 concorde concrete condom condor connect connect1 connor
consumer contortionist control1 cookie cookies coolbean cooldude cooler coolgirl coolguy coolhand coolio coolman coolness cooter copenhag copper
corleone cornhole cornholi corona corrado corvet07 corvette cosmo cosmos costaric cosworth cougar counterstrike country1 coventry cowboy cowboys
cowboys1 cowboyup coyote cracker crazy1 crazybab crazyman creampie creamy creatine creative creepers crescent cricket cricket1 crimson crimson1
cristiano critter crjhgbjy crocodil cruise cruiser crunch crusader crysis crystal1 ctdfcnjgjkm cthulhu cthutq cthuttdyf cubbies cucumber cuddles
culinary cumeater cumming cumshot cunt cuntlick cunts cuntsoup cupcake cupcake1 curious custom cutiepie cutlass cutter cvbhyjdf cvzefh1gkc cxfcnkbdfz
cxfcnmt cyber cyberonline cybersex cyclone cyclones cyclops cygnusx1 cynthia1 cypress dad2ownu daddy1 daddy123 daedalus daewoo daffodil dagestan
dagger dagobert daisy1 daisydog daisymae dakota dalejr dallas dallas1 dallas22 damage11 dammit damnit dancer dang danger dangerou danie daniel1
daniel12 daniel123 daniela1 danielit daniil danila danni dannyboy danzig daredevi daredevil darkange darkangel darkjedi darkknight darklord darkmoon
darkness darkside darkstar darkwing darthvad darthvader dashadasha davecole david1 david123 davidoff davids dawg daydream daytona dbrnjh dbrnjhbz
deadhead deadman deadpool deadspin death1 death123 death666 deathnote deathrow deborah1 deejay deepblue deepthro deepthroat deerhunt deeznuts deeznutz
defender defiant defiant1 deftones delete delorean delpiero delta delta1 demon666 denali denis123 deniska depeche derparol derrick1 desert designer
desire deskjet desperad desperado destiny destiny1 destroye detectiv detroit detroit1 deutschland devil devil666 devildog devilman devilmaycry devils
dexter dfcbkbcf dfkthbz dfkthf dfktynby dfktynbyf dfvgbh dharma dhjnvytyjub diablo diamante diamond diamond1 diamonds dick dickface dickhead dicks
dickweed diehard diesel dietcoke digger digital digital1 dilbert dilbert1 dildo dilligaf dillweed dima dima1995 dima1996 dinamo ding dingdong dinosaur
diogenes dipstick direwolf dirtbike dirtydog discover disney diver divine dkflbckfd dkflbvbh dkflbvbhjdbx dkflbvbhjdyf doberman doctor dodge1 dodger
dodgeram dodgers dodgers1 dogg doggie doggy doggydog doggystyle doghouse dogman dogpound dogs dolemite dollar dollface dolphin dolphin1 dolphins
domainlock2005 domenico dominator dominic1 dominika dominion dominiqu domino donkey dontknow donuts doobie doodle doogie dookie doomsday doorknob
dortmund doughboy douglas1 downhill dracula drago dragon dragon01 dragon1 dragon11 dragon12 dragon123 dragon13 dragon22 dragon69 dragon76 dragon88
dragon99 dragonba dragonball dragonballz dragonfl dragonfly dragons dragons1 dragoon dragrace dragster dreamcas dreamcast dreamer dreamer1 dreamers
dreams driver drizzt drjynfrnt droopy dropdead dropkick drowssap drpepper drummer drummer1 dthjybrf dtkjcbgtl dtxyjcnm dublin ducati ducati99 duchess
duck duckhunt duckling ducksoup dumbass duracell durango duster dustydog dutchess dutchman dynamite dzxtckfd eagle eagle1 eagles earnhard earthlin
earthlink eastside eastwood eatme eatmenow eatmeraw eatpussy eatshit eclipse eclipse1 edinburg eduard edward1 edwardss eeyore eggplant eightbal
eightball einstein ejaculation ekaterina elbereth elcamino eldiablo eldorado electric electron element element1 elephant eleven11 elisabet elizabet
elizaveta elvira26 elvis1 elvis123 emachine emachines embalmer emerald emily1 eminem emmitt22 empire energize enforcer engage engineer england1 enigma
enter enter1 enter123 enternow enterpri enterprise envision epaulson epiphone erection ericsson erotic erotica escalade escorpio escort espresso
essendon eternal eternity ethernet euphoria europa evanescence evangeli evangelion evenflow everest evergree everlast everques everquest everton
everton1 evgeniya evildead evolutio excalibu excalibur excellen exigen exigent exodus exploite explorer express express1 extreme eyecandy f00tball
f15eagle fabie fabienne fabric facefuck facial faggot failsafe fairlane fairview fakepass falcon falcon16 falcons fallen fallout falstaff fandango
fang fantasia fantasti fantasy fantasy1 fantomas farscape farside fart fartripper fastball fastcars faster fatass fatboy fatcat fatluvr69 fatman
fatpussy favorite2 favorite6 favorite7 favorite8 fcbayern fearless feather feathers federica feelgood fellatio fellowes fender feng fernand ferrari
ferrari1 ferrari3 ferret fester fetish feyenoord fghtkm fgjrfkbgcbc fgtkmcby fhvfutljy ficken fidelity fiesta figaro fightclub fighter filter finalfan
finalfantasy finger fire fireball firebird fireblad fireblade firefigh firefighter firefly firefox firehawk fireman fireman1 firestar firestor
firestorm firetruc firewall firework fish fishbone fishcake fisherma fisherman fishes fishface fishhead fishing fishing1 fishtank fistfuck fitness
fivestar fkbyjxrf fkmnthyfnbdf fktrcfylh fktrcfylhf fktrcfylhjdbx fktrcfylhjdyf fktrctq fktyeirf flamengo flames flamingo flapjack flash flash1
flashman flathead flatron fletch flexible flhtyfkby flintsto flipflop flipmode flipper flipper1 flipside floppy florian florida florida1 flounder
flower flowers1 fluffy flvbybcnhfnjh flyboy flyers flyers88 fnkfynblf foobar footbal footbal1 football football1 footlove fordf150 fordf250 fordf350
fordtruc foreplay foreskin forest forever forever1 forfun forgetit forklift formula formula1 forsaken fortuna fossil foxhound foxtrot foxylady
francesc francis1 francisc frank1 frank123 frankfur frankie1 franky freaks freaky freckles fred1234 fredderf freddy frederik free4all freebird freedom
freedom1 freedom2 freedom7 freefall freelove freepass freeporn freestyl freetime freeuser freewill freiheit frenchie friday friday13 friends1
friendster fright frisco frisky frodo frog frogger froggy front242 frontera frontier frosty fruitbat fubar fuck fuck_inside fucked fuckedup fucker
fuckers fuckface fuckfest fuckhead fuckher fucking fuckinside fuckit fuckme fuckme69 fuckmehard fuckoff fuckoff1 fuckshit fuckslut fuckthat fuckthis
fucku fucku2 fuckyeah fuckyou fuckyou1 fuckyou123 fuckyou2 fugazi fujifilm fullback fullmoon funhouse funnyman funstuff funtime funtimes fusion
fussball futbol futurama futyn007 fuzzball fyfcnfcbz fyfnjkbq fylhtq fylhtqrf fynjybyf fyutkbyf fyutkjxtr gabrie gabriel1 gabriell galactic galadriel
galatasaray galaxy galeries galina gallaries galore gambit gamecock gamecube gameover gandalf gandalf1 gangbang gangbanged gangsta gangster ganjaman
ganjubas gannibal ganymede garden garfield gargoyle garrett1 gateway gateway1 gateway2 gateways gator gatorade gators gbgbcmrf gbhfvblf gbpltw
gearhead gegcbr geheim geibcnbr gemini gemstone general1 genesis genesis1 geneviev genius george1 george12 georgia1 geraldin germany1 geronimo
gesperrt getalife getmoney getsdown getsome gfgfvfvf gfhfljrc gfhjkm gfhjkm12 gfhjkm123 gfhjkmgfhjkm gfhjkzytn gfhkfvtyn gfhnbpfy ghbdtn ghbdtn12
ghbdtn123 ghbdtnbr ghbdtnbrb ghbdtndctv ghbdtnghbdtn ghbdtnrfrltkf ghblehjr ghblehrb ghbrjkbcn ghbrjkmyj ghbywtccf ghetto ghhh47hj7649 ghjcnbnenrf
ghjcnj ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr ghjdthrf ghjnjnbg ghjnjrjk ghjuhfvvf ghjvtntq ghost ghostman ghostrider ghtktcnm gianluca giants gibsonsg
gigabyte ginger ginger1 ginger12 ginscoot giorgi girfriend girls giveitup gizmo gizmo1 gizmodo gizmodo1 gjkbyf gladiato gladiator glendale glennwei
glenwood gmoney gn56gn56 goalie gobigred goblin goblue godbless goddess godfathe godfather godislove godofwar godsmack godspeed godzilla gofish
goforit gogators goku golden goldeney goldeneye goldfing goldfinger goldfish goldmine goldrush goldstar goldwing golf golfball golfclub golfer golfing
golfing1 goliath gollum gonefish gonzo goober good123654 goodboy goodfell goodfood goodgirl goodison goodlife goodluck goodnews goodstuf goodtime
goodtimes goodyear goofball goofy google goose gooseman gopher gordon24 gorilla gorillaz gotcha gothic gotigers gotohell gotyoass govols grandpri
grandprix granny grapeape grapes grasshop graywolf great1 greatone greatsex greedisgood green1 green123 greenbay greenbud greenday greenman greens
greentea greenwoo gregory1 gremlin gremlins grendel gretzky greyhoun greywolf griffey grimlock gringo grizzly groove groovy groucho groupd2013 grumpy
gsxr1000 gsxr750 gtkmvtym gtnhjdbx guardian guderian guesswho guillaum guillerm guiness guinness guitar guitarra gulliver gundam gunnar gunner gunners
gunsling gunsmoke gustav gy3yt2rgls gymnastic hacked hacker hairball hairy hal9000 halflife halflife2 halfmoon halfpint hallo hallo123 hallowee
hambone hamburg hamlet hammer hammerhe hammers hammers1 hamster handball handcuff handyman hannah hannibal hannover hansolo hansolo1 happines happy1
happy123 happyday happydog happyman hardball hardcock hardcore harddick hardhead hardon hardrock hardwood hardwork harley harley01 harley1 harry1
harry123 harrypotter hatteras hattrick havefun hawaii hawaii50 hawaiian hawkeye hawkeye1 hawkeyes hawkwind hawthorn hayabusa hd764nw5d7e1vb1 headless
headshot hearts heather1 heather2 heaven hedgehog heineken heinlein hellbent hellfire hello hello1 hello123 hellohel hellokit hellokitty helloo
hellothe helloyou hellsing hellyeah helmet helpme hemicuda henderso hendrix hendrix1 hentai herbie hercules herewego hermes hermione hernande hershey
hershey1 hesoyam hetfield hibernia hidden highbury highheel highland highlander highlife hilfiger hillbill hillside hiphop hithere hitler hitman
hitman47 hjvfirf hjvfyjdf hobbes hobbit hockey hockey1 hogwarts hokies holeinon holiday holiday1 holly1 hollydog hollywoo holyshit homebase homebrew
homemade homepage homer1 homer123 homers homerun honda honda1 hondacbr hondacivic hondacrx honey1 honeybee honeybun honeydew hongkong honolulu hooker
hooligan hoopstar hoopster hoosier hoosiers hooter hooters hooters1 horizon horndog hornet horney horny horny1 hornyboy hornyguy hornyman horse
horseman horsemen horses hot2trot hotbabes hotboy hotchick hotdog hotgirls hotpants hotpussy hotred hotrod hotsauce hotsex hotshot hotstuff hottie
hotwheel hounddog housewife housewifes houston1 hrvatska htubcnhfwbz hugecock hugetits hugoboss hulkster hummer hunter hunter01 hunter1 hunter12
hunting hurrican husker huskers huskers1 huskies hustler hyperion ib6ub9 ibanez ibill123 ibilljpf ibilltes icecream icehouse iceman idontkno idontknow
iforgot ignatius igor iguana ihateyou ijrjkflrf ilikepie ilikesex illini illmatic illumina illusion ilovegod iloveher ilovemyself ilovepor iloveporn
ilovepussy ilovesex iloveu iloveyo iloveyou iloveyou1 iloveyou2 ilya1234 ilya1992 immortal impala impalass imperium implants imtheman incubus indahous
india123 indiana indiana1 indians indians1 indigo inferno infiniti infinity inflames insane insert insertion insertions insomnia inspiron integra
integra1 interacial intercourse internat internet internet1 intrepid intruder inuyasha invictus ireland1 irina irish1 irishman ironhead ironhors
ironmaid ironmaiden ironman ironman1 isacs155 ishikawa iskander islander istanbul istheman italia italiano ivanov ivanova iverson iverson3 iwantsex
iwantu iwantyou izabella j3qq4h7h2v jabroni jackal jackass jackass1 jackoff jackson1 jackson2 jackson5 jacob1 jagger jaguar jailbird jakester jamaica
jamaica1 james007 james1 james123 jamesbon jamesbond jamie1 jammer january1 japanees jarhead jasmine jasmine1 jason1 jason123 jasper java jaybird
jayhawk jayhawks jazzman jbond007 jedi jediknig jediknight jedimast jeep jeepster jefferso jeffrey1 jellybea jellybean jemoeder jennifer1 jenny1
jericho jerkoff jeronimo jessic jessica1 jessica2 jester jesucrist jesus1 jesus123 jesus777 jesuschrist jethro jewels jiggaman jimbo jimbob jimmy1
jimmy123 jledfyxbr johannes john1234 john316 johnboy johncena johndeer johndeere johngalt johnmish johnson1 joker joker1 jokers jonathan1 jordan
jordan1 jordan23 joseluis josephin joshua1 joshua12 joystick jrcfyf juancarlo juggalo juice jumper junebug jungle junior junkmail junkyard jupiter
jupiter1 jupiter2 jurassic just4fun justdoit justice justice1 justin1 justin12 justinbieber justme juventus kahuna kakaroto kakashka kaktus kamasutra
kamehame kamikadze kamikaze kangaroo kansas karamelka karate karina karolina kashmir kasparov kasper katana katarina katerina katharin katie1 katrin
katrina1 kawasaki kazanova kazantip kcchiefs kcj9wx5n keeper kelly1 kelly123 kenneth1 kennwort kenshin kenwood kenworth kevin1 kevin123 keyboard
keystone keywest kfcnjxrf kickass kicker kickflip kicksass kikimora killbill killemall killer killer1 killer12 killer123 killme killzone kingfish
kingkong kingpin kingrich kingsize kingston kinky kipper kirill kirill123 kisses kissme kissmyas kissmyass kitkat kitten kitty kitty1 kitty123
kittycat kittykat kjrjvjnbd klaster kleopatra klingon klondike klootzak knickerless knickers knicks knights knockers knopka knowledg knuckles
kochamcie kochanie kodiak kolobok komputer konfetka konstantin kool kordell1 korn koroleva koshka kosmos kostya kotenok kovalenko krasnodar krasotka
krishna kristen1 kristin1 krokodil ktyjxrf kukuruza kukushka kume kungfu kurosaki kusanagi l58jkdjp! labrador labtec lacrimosa lacrosse ladybird
ladybug ladybug1 ladygaga laetitia laguna lagwagon lakers lakers24 lakeside lakewood lalakers lalaland lambchop lamborghini lancaste lancelot lancer
landrove landscap lansing lapdance lapochka laptop laracrof laracroft larisa larry123 laser laserjet lasttime lasvegas latino lavalamp lbfyjxrf
leather leavemealone lebowski lebron23 ledzep leedsutd left4dead legacy legend legion legoland legolas leiceste lemmings lemonade lennon lenochka
leonid leonidas leopard lesbian lesbians lespaul lestat letitrid letmein letmein1 letmein2 letmein22 letmeinn letmesee letsdoit letsfuck letsgo
letsplay lexingky lexingto lexmark lfitymrf libertad liberty liberty1 lick licker lickit lickme licorice lifehack lifeisgood lighthou lightnin
lightning lights lilwayne limewire limpbizkit lincoln1 lindsay1 lindsey1 lineage2 lion lionhear lionheart lionking liquid littlebi littlema livelife
liverpoo liverpool liverpool1 livewire lizard lizaveta ljxtymrf lobster lockdown lockerroom loco logan1 logitech loglatin lokomotiv lol123 lol12345
lolipop lollipop lollol lollypop london london12 lonesome lonestar lonewolf longbeac longdick longdong longhair longhorn longhorns longjohn longlegs
longshot looker looser loredana losangel losangeles loser losers lostsoul lotus123 love love1 love123 love1234 love69 lovefeet lovehate loveit
lovelife lovely loveme loveme89 lovepussy lover lover1 loverboy loverman lovers lovesex lovesexy loveyou loveyou1 loveyou2 lowrider lucas123 lucifer
lucky lucky1 lucky123 lucky13 lucky7 lucky777 luckyboy luckydog luckyman luckyone ludacris lunchbox luscious luv2epus lvbnhbq macaroni macdaddy
macgyver machine machoman macintos macintosh mackenzi macross madagaskar madala11 maddie maddison maddog madison madison1 madman madmax madness
madonna madonna1 maestro magellan maggie maggot magic magic1 magic123 magician magick magicman magnavox magnum magnus magpie mahalkita maiden
mailcreated5240 mailman majestic makarova makaveli makeitso makemone makemoney maksim maksimka malaka malcolm1 malibu malina malishka mallard mallorca
mallrats mamacita mamapapa mammamia mamochka manager1 manchest manchester mandarin mandingo mandolin mandrake manhatta maniac mannheim manson
manunited manutd mapet123456 maradona marajade marathon marauder marbella marcello marcius2 margarit margosha maria1 maria123 marigold marijuan
marijuana marillio marina marine mariners marines marines1 marino marino13 mariposa marishka marius marketin marlboro marley marseill marseille
martin1 martini martini1 maryjane masamune maserati mash4077 massive maste master master01 master1 master11 master12 master123 masterbaiting
masterbate masterbating masterkey mastermi mastermind masturbation matador matchbox matrix matthew1 matthew2 matthew7 matthias mattingl mature
maurizio maurolarastefy maverick maverick1 mavericks maxell maxim maxima maximilian maximus maximus1 maxpayne maxpower maxwell maxwell1 maxx mayday
mayhem mazafaka mazda323 mazda626 mazdarx7 mazinger meandyou meatball meathead meatloaf mechanic medicina megadeth megaman megapass megatron melanie1
melbourn melissa1 mellon mellow memorex memphis memyself menace meowmeow mephisto mercedes mercury mercury1 meridian merlin mersedes metal666
metalgear metalica metallic metallica metallica1 metalman metropol mexico miami michael1 michael2 michael3 michael7 michael8 michael9 michele1
michelle1 michigan mickey mickeymouse microlab micron microphone microsof microsoft midget midnight midway mighty mike1234 mikey milamber milana
milano milashka milena milenium milhouse milkyway millenium millerli million1 millwall minecraft minidisc minime minimoni minnesot minotaur mirage
miranda1 miroslav mischief misfit misfit99 mishka misiaczek mississi mister mistress mittens mnbvcxz mnbvcxz1 mobbdeep mobydick modelsne mojo mojojojo
molly1 molly123 mollydog moloko molson momoney momsanaladventure monaco monalisa monday mondeo money money1 money123 moneybag moneyman moneys mongoose
monique1 monitor monke monkey monkey1 monkey11 monkey12 monkey123 monkey69 monkeybo monkeyboy monkeyma monkeyman monkeys monolith monopoly monster
monster1 montana montana1 montecar montecarlo monterey montgom240 montreal montrose moocow mookie moomoo moonbeam moonligh moonlight moonshin
moonshine moonstar moose moose1 morkovka morozova morpheus morrigan morrisse morrowind mortgage morticia mortimer moscow mostwanted motdepasse mother
motherfu motherlode motocros motocross motorcyc motorola mounta1n mountain mouse mouse1 mousepad mozart mrbrownxx muaythai mudvayne muenchen muffdive
muffin mulberry mulder multiplelo multisyn multisync munchkin muppet muscle mushroom music1 music123 musica musicman mustang mustang0 mustang1
mustang2 mustang3 mustang5 mustang6 mustang7 mustang8 mustang9 mustangg mustangs mustard mybaby myfriend mylife mylove mymother mynameis mypass
mypasswo mypassword mysecret myspace1 mysterio mystic myxworld nadezhda naked nancy123 napass napster naruto nascar nascar24 nastenka nasty nastya
natali natalie1 natascha natasha natasha1 natashka natedogg nathanie naughty naughty1 nautilus navigato navigator navyseal nbuhtyjr ncc1701 ncc1701a
ncc1701d ncc1701e ncc74656 ne1469 nebraska needforspeed nemesis nemesis1 nemrac58 neptune netscape network1 nevada nevermin nevermind nevermor
nevermore newbie newcastl newlife newlife1 neworder newpass newpass1 newpass6 newport newport1 newproject2004 newstart newstyle newworld newyork
newyork1 nfnmzyf nicetits nicholas1 nickel nicola nicole1 nietzsch nigger nighthaw nightmar nightowl nightwin nightwish nike nikita nikita123 nikitina
nikola nikolaus nikolay nimrod nineball nineinch niners ninja nintendo nipper nipple nipples nirvana nirvana1 nissan nitram njdevils nocturne nofear
nokia nokia123 nokia3250 nokia3310 nokia5130 nokia5230 nokia5300 nokia5530 nokia5800 nokia6233 nokia6300 nokian70 nokian73 nolimit nolimits noname123
nonmembe nonrev67 noodle noodles nookie nopass nopassword normandy northsta nosferat nosferatu nostromo notebook nothing1 notredam notredame nounours
novifarm novikova nthvbyfnjh ntktdbpjh nudist nugget number1 numbnuts nuttertools nwo4life nygiants nyjets nyknicks nylons nymets nyyankee oakland
oasis obiwan oblivion obsidian oc247ngucz oceans11 octavian october1 october2 odysseus ohyeah oicu812 oilers oksana oldman oldschool oleg oliver
olivetti olivier omega omega1 omegared omsairam onelove onepiece online onlyme open1234 opendoor opensesame openup operator optimist optimus optiplex
oracle orange orange1 orange12 oranges orchid orgasm oriflame orioles orion orlando1 oscar1 oscar123 osiris ou812 ou8122 outkast outlaw outsider
overkill overlord oxford p0015123 p0o9i8u7 p455w0rd p4ssw0rd p@ssw0rd pa55w0rd pa55word pacifica packard packard1 packer packers packers1 packers4
pacman padres painkiller paintbal paintball pakistan paladin paladin1 pallmall palmetto palmtree panama panasoni panasonic panchito pancho panda
pandora pandora1 panorama pantera pantera1 panther panther1 panthers panties panties1 pantyhos pantyhose panzer papabear papamama papercut paperino
papichul papillon paradigm paradise paradox paramedi paramore parlament parola parolparol parrot parsifal partizan pasadena pascal pass pass123
pass1234 passat passcode passfind passion passion1 passions passmast passme passport passthie passw0rd passwerd passwor passwor1 password password0
password01 password1 password11 password12 password123 password1234 password2 password3 password4 password69 password9 password99 passwords passwort
patches patches1 pathfind pathfinder patricio patrick1 patrick2 patrick9 patriot patriot1 patriots patrizia patterso pavement pavilion payton34
peaceout peach peaches peaches1 peaches2 peanut peanuts pearljam pebbles peekaboo peewee pegasus pegasus1 pencil pendrago penetrating penetration
penguin penguin1 penguins penis pennstat pennstate penny1 pennywis penthous pentium pentium4 pepper pepper1 pepper12 pepsi pepsi1 pepsi123 pepsicola
peregrin perfect1 pertinant pervasive pervert pescator peter1 peter123 peterbil peterbilt peternorth peterose peterpan petrovich peugeot phaedrus
phantasm phantom phantom1 pharmacy pheasant phialpha philippe philips phillies phillip1 philly phish phoenix phoenix1 phoenix2 photos phpbb pi314159
pianoman piazza31 picard picasso piccolo pickle pickles pics pictuers piercing piglet pikachu pillow pimp pimpdadd pimpdaddy pimpin pimpster pineappl
pineapple pinetree pinewood ping pingpong pinhead pink pinkfloy pinkfloyd pinnacle pioneer pioneer1 pipeline pippen pippen33 piramida piramide pirate
pirates pisces pistol pitbull pitchers pittbull pizza pizzahut pizzaman pizzapie planet plastic plastics platinum platypus playball playboy playboy1
playboy2 playboys player player69 playmate playstat playstation playtime pleaseme plumber plymouth pobeda poison poiuyt poiuytrewq pokemon pokemon1
pokemon123 polarbea polaris polaroid police police22 polina polniypizdec0211 polo polska pompey poncho pontiac pontiac1 pony poochie poodle pooh
poohbear pookie pool6123 poontang poop pooper poophead poopie poopoo pooter popcorn popcorn1 popeye poppy porkchop porn porn4life pornking porno
pornographic pornos pornpass pornstar porsche porsche1 porsche9 porsche911 portland portugal poseidon possum postal postov1000 potato powder power1
power123 powerade powerboo powermac powerman ppspankp prashant preacher precious predator prelude prelude1 presario presiden presto prettygirl
primetim primrose primus prince princes princesa princess princess1 princessa princeto pringles printer priscill prissy private private1 privet
priyanka prodigy prophet prospero proverbs proxy psychnau psychnaut1 psycho pudding pufunga7782 pumpkin pumpkin1 pumpkins punisher punkin punkrock
puppies puppy puppydog pupsik puravida purdue purple pussie pussies pussy pussy1 pussy123 pussy4me pussy69 pussycat pussyeat pussyeater pussylicker
pussylov pussylover pussyman pussys putter pyramid pyramid1 pyramids python q12345 q123456 q1234567 q123456789 q1234567890 q1q2q3q4 q1q2q3q4q5 q1w2e3
q1w2e3r4 q1w2e3r4t q1w2e3r4t5 q1w2e3r4t5y6 q2w3e4r5 q8zo8wzq qawsed qawsedrf qawsedrftg qaz123 qaz12345 qaz123wsx qazqaz qazwsx qazwsx12 qazwsx123
qazwsxed qazwsxedc qazwsxedc1 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxsw qazxsw12 qazxsw123 qazxsw21 qazxswed qazxswedc qazxswedcvfr qpwoeiruty
qq123456 qqq111 qqqq1111 quant4307s quantum quartz quattro queens qw123456 qwaszx qwaszx12 qwaszx123 qwe123 qwe123asd qwe123qwe qweasd qweasd123
qweasdzx qweasdzxc qweasdzxc123 qwedsazxc qweqwe qweqwe123 qwer123 qwer1234 qwer4321 qwerasdf qwerasdfzxcv qwerfdsa qwert qwert1 qwert123 qwert12345
qwertasdfg qwerty qwerty00 qwerty1 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty13 qwerty22 qwerty77 qwerty777 qwerty78
qwerty99 qwertyasdfgh qwertyu qwertyui qwertyuio qwertyuiop qwertz qwertzui r2d2c3p0 r2d2c3po r4e3w2q1 rabbit rabota racecar racer racerx rachel1
racing radiance radiohea radiohead ragnarok raider raiders raiders1 rainbow rainbow1 rainbow6 rainbows raindrop rainman rainyday raistlin rambler
rambo rammstei rammstein ramses ramstein ranchero random ranger ranger1 rangers rangers1 raptor rapunzel rascal rasdzv3 rasengan rasputin rasta
rastaman raven raven1 ravens raymond1 razdvatri razorbac razz rb26dett rbhbkk rctybz rdfhnbhf reader realdeal realmadrid reaper rebbyt34 rebecca1
rebel rebels reckless red123 red12345 redalert redbaron redbeard redbirds redbull reddevil reddog reddragon reddwarf redfish redhead redhead1 redheads
redhot redlight redman redneck redneck1 redrum redshift redskins redsox redsox04 redstorm redtruck redwing redwing1 redwings redwood reebok reefer
reloaded remingto renault renegade repytwjd repytwjdf rerehepf rereirf rerfhfxf rerfhtre rescue retard revival47 revoluti revolver rfgbnjirf rfhbyf
rfhfvtkmrf rfhfylfi rfhjkbyf rfhlbyfk rfhnjirf rfnthbyf rfntymrf rfpfynbg rfrfirf rfrnec rfvfcenhf rhapsody rhbcnbyf rhfcfdbwf rhfcfdxbr rhfcjnrf
rhjrjlbk rhtdtlrj ricardo1 riccardo richard1 richard2 rickster ricochet riffraff rightnow ripken ripper ripple riverrat riversid rjhjktdf rjirfrgbde
rjntyjr rjyatnrf rjycnfynby rktjgfnhf roadkill roadking roadrunn roadrunner roadster robert1 robert12 roberto1 robinhoo robinhood robotech robotics
rocheste rocker rocket rocketma rocketman rockets rockford rockhard rocknrol rocknroll rockon rockroll rocks rockstar rocky1 rocky123 rockydog rodman
roller rolltide romanova romashka rommel ronaldinho ronaldo ronaldo1 ronaldo7 ronaldo9 roodypoo rookie rooster rooster1 roosters rootbeer rootedit
rosebud rosebud1 rosewood rotten rotterda route66 rover rovers royals rsalinas rt6ytere rtyuehe rubber rulez rulezzz runescape runner rush2112
rushmore ruslan russell1 russia russian7 rustam rusty1 rustydog saab9000 sabbath sabine sabres sabrina1 sadie1 safari sailboat sailfish sailing sailor
sailormoon saints sakura salamand salamander salamandra salasana saleen salmon saltydog salvator samadams samantha samantha1 samiam sammy1 sammy123
sammyboy sammydog sampson1 samson samsung samsung1 samurai samurai1 sandiego sandman sandman1 sandrine sandro sandy1 sandy123 sandydog sanity72
santacru saopaulo sapper sapphire sarah1 sarah123 sarajevo sarasota saratoga sascha sasha1 sasha123 sasha_007 sassy sasuke satan satan666 satellit
satriani saturn saun sauron sausage sausages save13tx saxophon sayang scania scanner scarface scarlet schastie scheisse schlampe schnuffi scimitar
scirocco scooby scooby12 scoobydo scoobydoo scooter scooter1 scooter2 scooters scorpio scorpio1 scorpion scorpions scotch scotland scott1 scott123
scotty scout scrabble scrapper scrappy scream screamer screwyou scribble scruffy scruffy1 scuba scully seahawks seahorse sealteam seamus searay
searcher seattle seattle1 sebastia sebastie sebastien secret secret1 security seductive seeker segblue2 seinfeld select seminole semperfi senators
sensatio sentinel sephirot sephiroth septembe sepultura seraphim serega serenity sergbest sergei sergey sersolution server service1 sesame seven7
seven777 sevenof9 sex123 sex4me sexsex sexsexse sexslave sexual sexx sexxxx sexy sexy1 sexy69 sexybabe sexybaby sexybitch sexygirl sexylady sexymama
sexyman sfgiants shado shadow shadow01 shadow1 shadow11 shadow12 shadow123 shadow13 shadow69 shaggy shai shalom shaman shamrock shaney14 shania
shannara shannon1 shaolin shark sharks sharky shasta shaved shazam sheepdog shelby shemale sherlock shevchenko shiloh shinigami shitface shitfuck
shithead shitty shogun shooter shooter1 shorty shotgun shotgun1 shotokan shou showboat showme showtime shredder shun sidekick sideshow sidewind
siemens siemens1 sierra sigmachi silver silver1 silver12 silverad silverado silverfo simba simon1 simple simpson1 simpsons sinatra sinbad singapor
sinister sinner sirius sithlord sixers sixtynin sixtynine sk84life sk8ordie skateboa skateboard skater skeeter skeeter1 skeletor skidoo skiing
skinhead skinny skipper skipper1 skippy skittles skorpion skydive skydiver skyline skyline1 skypilot skywalke skywalker slacker slacking slamdunk
slapnuts slappy slapshot slave slayer slayer66 slayer666 sleepy slick slider slimed123 slimshad slimshady slinky slipknot slipknot1 slippery slowhand
slut sluts slutty smackdow smackdown smallville smartass smarties smashing smeghead smegma smelly smiles smiley smirnoff smirnova smitty smoke
smoke420 smokedog smoker smokes smokey smokin smooth smoothie smudge smuggles smut snake snake1 snakeman snakes snapon snapper snapple snapshot snatch
sneakers snickers sniper snoogans snoop snoopdog snoopdogg snoopy snowball snowbird snowboar snowboard snowflak snowflake snowman snowman1 snuggles
sobaka sobriety soccer soccer1 soccer10 soccer11 soccer12 soccer13 soccer14 soccer15 socrates softball softtail software sojdlg123aljg sokolova
soldier soldier1 soleil solidsnake solitude solnce solnishko sommer sonechka songbird sonic sonics sonnyboy sony sonyericsson sonyfuck sonyvaio
sooners sooners1 sophie sopranos sorcerer soso123aljg soulmate southpar southpark southpaw southsid southside spaceman spank spanking spankme spanky
sparhawk sparkle sparkles sparky sparta spartacu spartak spartan spartan1 spartan117 spartans spawn speaker special1 specialk spectrum speedy spencer1
spider spiderma spiderman spiderman1 spidey spike spike1 spirit spitfire splash splatter splinter spongebo spongebob spooky spoonman sportste spring
sprint sprinter sprite sprocket spunky spurs sputnik spyder squash squerting squirrel squirt srinivas stairway stalker stalker1 stallion stallone
stamford stampede stanislav stanley1 star star69 starbuck starbucks starcraf starcraft stardust starfire starfish stargate stargaze starligh starlight
starlite starman starship start123 startrek starwars starwars1 static stealth stealth1 steeler steeler1 steelers steelers1 steelhea stefano steph
stephani stephen1 stereo sterlin steve1 steve123 stewart1 stickman sticks sticky stigmata stiletto stimpy sting stinger stinger1 stingray stinky
stocking stocks stonecol stonecold stoned stones stonewal stoney stoppedby storm stormy strange1 stranger strannik stratfor strawber strawberry
streaming strider strike striker stripper stroller stud studly stumpy stunner stupid subaru sublime sublime1 submarin subway success success1 suck
suckcock suckdick sucker suckit suckme suckmydick sucks sugar suikoden sultan summer summer01 summer1 summer12 summer69 summer99 summerti summertime
summit sundance sunday sunderla sundevil sunflowe sunflower sunlight sunnyday sunrise sunrise1 sunset sunshin sunshine sunshine1 super super1 super123
superbee superbow superboy superdup superfly superman superman1 supernov supernova supersonic supersta superstar surf surfer surfing surveyor survivor
suzuki svetik svetlana svetlanka swallow swallows sweet1 sweetass sweethea sweetnes sweetness sweetpea sweets sweety swimmer swimming swinger swingers
swinging sword swordfis swordfish swords sycamore sydney sylvania sylveste syncmaster syracuse sysadmin system32 t34vfrc1991 tacobell tacoma taekwond
taekwondo tagheuer tailgate takamine takehana talisman tamerlan tampabay tanechka tangerin tango tanker tarantul tardis target tarheel tarheels tarzan
tashkent tattoo tatyana taurus taylor1 taylor12 tazdevil tazman tazmania tdutybq teacher teacher1 teamwork technics techno tecumseh teddybea teddybear
teen teens tekken telecast telefon telephon televizor temp temp1234 tempest temporar temppass temptress tenerife tennesse tennis tequiero tequila
tequila1 terminat terminator terrapin terriers terror test test1 test123 test1234 tester testibil testing testing1 testpass texas1 thailand thanatos
thankyou thebeast theboss thecat theclash thedog thedoors theend theflash theforce thegame thegreat thejoker thekid theking thelast1 theman thematri
thematrix theone theraven therock therock1 thesaint thesims thetachi thething thetruth theworld thinkpad thirdeye thirteen thisisit thissuck thomas01
thomas1 thomas12 thongs thor thorsten threesom thuglife thumbnils thumper thumper1 thunder thunder1 thunderb thunderbird thunders thx1138 tiberian
tiberius tickle tickling ticklish ticktock tiffany1 tiger tiger1 tiger123 tigercat tigerlil tigerman tigers tigerwoo tigger tigger01 tigger1 tigger12
tightass tights timber timelord timothy1 timoxa94 tinker tinkerbe tinkerbell tinman tintin tiramisu titanic titanic1 titanium titans titleist titlover
tits titties titty tkbpfdtnf tokiohotel tolkien tomahawk tomato tomcat tommy1 tommyboy tomservo tonyhawk toolshed tooltime toonarmy tooshort toosweet
tootsie topcat topdog topgun topher topolino topper topsecre topsecret toriamos tornado toronto toronto1 tortoise toshiba toshiba1 tottenha tottenham
touchdow toughguy toulouse toyota tracker tractor trader trader12 trafford trailers trance transam transam1 transexual transfor translator trapper
trashman travel traveler travelle treasure trebor treefrog trfnthbyf triangle tricky trident trigger trigger1 trinitro trinitron trinity trinity1
triplets tristan1 triton triumph trixie trojan trojans trojans1 trombone trooper trooper1 troopers trouble trouble1 trousers truck trucker trucker1
truckers trucking trucks trueblue truelove truffles trumpet trumpet1 trunks trustn01 trustno1 trustnoone tryagain tsunami tuesday tunafish tundra
turbo turbo1 turkey turkey50 turtle tweety twilight twinkle twisted twister tyler1 typhoon ufhvjybz ufkbyf uhbujhbq ukflbjkec ultima ultimate ultraman
umbrella uncencored underdog undertak undertaker undertow unicorn unicorn1 universa universi unreal ursitesux usa123 usarmy username usmarine usmc
usmc0311 usnavy usuckballz1 utahjazz utopia vacation vader vagabond vagina valdemar valdepen valentin valentina valera valerie1 valeriya valhalla
valkyrie valleywa vampire vampire1 vancouve vanessa1 vanguard vanhalen vanilla vaseline vasilisa vatoloco vauxhall vaz21099 vector vectra vegas123
vegeta velvet vendetta venezuel verbatim vergeten veritas vermont vermont1 veronika vertigo verygood vette vfczyz vfhbyf vfhbyjxrf vfhecz vfhnsirf
vfhufhbnf vfhvtkfl vfitymrf vfksirf vflfufcrfh vfnbkmlf vfntvfnbrf vfpfafrf vfrcbv vfrcbvec vfrcbvrf vfvekz vfvfgfgf vfvfvskfhfve vfvjxrf vfylfhby
vh5150 viagra vicecity victory victory1 viewsoni viewsonic viking vikings vikings1 viktor viktoria viktoriya vincent1 violator violetta viper viper1
viper123 vipergts vipers virgin virginie vision vitalik vittorio vivitron vjhrjdrf vjqgfhjkm vkontakte vlad1996 vladik vladimir vladislav vladvlad
vodafone volkodav volkswag volkswagen volley volleyba voltaire volvo voodoo vortex voyager voyager1 voyeur vqsablpzla vsjasnel12 vthctltc vulcan
w1w2w3w4 wachtwoord waffenss wallace1 walleye walmart walnut walrus wanderer wanker wapapapa wapbbs warcraft warcraft1 warcraft3 wareagle warehous
wargames warhamme warhammer warlock warlord warrior warrior1 warriors warthog wasdwasd washingt wasser wassup watcher water123 waterboy waterfal
waterloo watermel watermelon waterpolo waterski wdtnjxtr weare138 weasel webhompas webmaste webmaster websol76 websolutions wednesda weed weezer
welcome welcome1 welcome123 welcome2 welder wellhung wellingt werewolf weronika westcoas westcoast westham westham1 westlife westport westside
westwood wetpussy wg8e3wjf whatever whatever1 whatisit whatsup whatthefuck wheels whiplash whiskers whiskey whiskey1 whisky whisper whistler whiteboy
whiteout whitesox whitey whitney1 whocares whoknows whoopass whore whosyourdaddy whynot wibble wicked wildbill wildcard wildcat wildcat1 wildcats
wildfire wildman wildrose wildwood william1 william2 willow winchest windmill windows windows1 windsor windstar windsurf wingchun wingzero winner
winston winston1 winston2 winter winter12 winter99 wisconsi wisdom wishbone wizard wolf359 wolfgang wolfie wolfman wolfpack wolverin wolverine wolves
wombat wonderboy wonderfu wonkette woodland woodstoc woodstock woodwork woody woody1 woofwoof woohoo wookie wordpass worldcup wp2003wp wrangler
wrestlin wrinkle1 wrinkles wutang x72jhhu3z xanadu xavier xbox360 xboxlive xcountry xfiles xsw21qaz xthtgfirf xtreme yamaha yamahar1 yamahar6 yankee
yankees yankees1 yankees2 yardbird yaroslav ybrbnf ybrjkfq yeahbaby year2005 yellow yesterda yfcntymrf yfnfif yfnfitymrf yingyang yjdsqgfhjkm yjdsqujl
yogibear yomama yorkshir yorktown yosemite youandme yourmama yourmom yousuck ytngfhjkz ytrewq ytrhjvfyn ytyfdbcnm yzerman z1x2c3 z1x2c3v4 z1x2c3v4b5
zachary1 zanzibar zaphod zaq123 zaq12345 zaq12wsx zaq1xsw2 zaq1xsw2cde3 zaqwsx zaqwsxcde zaqxsw zaqxswcde zaxscdvf zcxfcnkbdf zenith zeppelin zerocool
zeus zidane ziggy zigzag zildjian zipper zippy zolushka zombie zorro zvezda zxasqw12 zxc123 zxcasd zxcasdqwe zxcasdqwe123 zxcv1234 zxcvasdf zxcvb123
zxcvb12345 zxcvbn zxcvbnm zxcvbnm1 zxcvbnm123 zxcvvcxz zz8807zpl
`;
