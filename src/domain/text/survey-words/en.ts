import type { SurveyWords } from './survey-words.ts';

export const EN: SurveyWords = {
  scores: {
    '3': `excellent, perfect, perfectly, flawless, fantastic, wonderful, amazing, awesome, superb,
      outstanding, brilliant, delighted, impressed, impressive, love, loved, adore, exceeded, above and
      beyond, second to none, can't fault, could not be better, couldn't be better, hard to beat, five
      stars, 10/10, delicious, seamless, couldn't be happier, could not be happier, top notch, life saver,
      lifesaver`,
    '2': `great, good, nice, friendly, kind, polite, courteous, helpful, attentive, welcoming, professional,
      knowledgeable, competent, satisfied, satisfying, happy, pleased, glad, recommend, easy, easily,
      simple, intuitive, user friendly, straightforward, clear, fast, quick, quickly, prompt, promptly,
      speedy, efficient, convenient, handy, practical, comfortable, comfy, clean, tidy, spotless,
      reliable, dependable, affordable, inexpensive, good value, value for money, useful, beautiful,
      lovely, tasty, fresh, cosy, cozy, safe, smooth, smoothly, thank, thanks, enjoy, enjoyed, enjoyable,
      pleasant, responsive, well organized, well organised, trustworthy, stress free, hassle free, worth
      it, worth every penny, as expected, on time, not bad, not too bad, no brainer, like it, like the,
      like how, like that, really like, liked, best, interesting, engaging, supportive, supports me,
      supports us, listens, took their time, took the time, takes the time, patient, patiently, caring,
      motivating, fun, spacious, punctual, calm, respectful, respected, trusted, valued, appreciated,
      learned a lot, learnt a lot, reasonable, reasonably priced, understanding, well structured, well
      explained, well made, accurate, flexible, responsible, sturdy, transparent, rewarding, inspiring`,
    '1': `better, faster, easier, simpler, clearer, quicker, friendlier, nicer, cleaner, cheap, cheaper, improved, solved, resolved, fixed, modern, quiet, fair, ahead of time, earlier than expected, it works, just works, works well, works great, works fine, well`,
    '0': `back, like, okay, ok, fine, no comment, average, help, support, please, want, need, needs, work, works,
      use, used, share, matter, matters, care, free time, number, block, party, fire, pay, paid, demand,
      demands, top, cut, cool down, chance, join, reach, vision, united, growing, god, increase,
      increased, expand, big, top up, hard drive, charge, charges, charged, stop, play, kind of, sort of,
      pretty, less, feedback, opinion, clients, agree, disagree, opportunity, game, security, credit,
      natural, true, certain, important, bored, adequate, sufficient, neutral, cover, legal, alone,
      battery, strong, low, high, favorite, interest, interests, huge, recommended by, heard, ability,
      depends, school, use it for, last year, same`,
    '-1': `basic, limited, dated, outdated, cold, queue, queues, noise, takes ages, take ages, small print,
      hidden fees, upsell, missing, lacks, lack, lacking, instead of, only if, problem, problems, issue,
      issues`,
    '-2': `bad, badly, expensive, costly, pricey, overpriced, slow, slowly, sluggish, laggy, lag, lags, late,
      delay, delays, delayed, broken, breaks, broke, damaged, defective, faulty, confusing, confused,
      confusion, complicated, complex, difficult, hard, unclear, unintuitive, cumbersome, clunky, crash,
      crashes, crashed, crashing, freeze, freezes, froze, hang, hangs, glitch, glitches, glitchy, buggy,
      bug, bugs, error, errors, fail, fails, failed, complain, complaint, complaints, fault, rude,
      impolite, unfriendly, unhelpful, incompetent, unprofessional, dirty, noisy, loud, uncomfortable,
      disappointed, disappointing, disappointment, frustrating, frustrated, annoying, annoyed, irritating,
      boring, unreliable, wrong, lost, poor, poorly, waiting, waited, wait, outage, inconvenient, crowded,
      messy, stale, rotten, cramped, inaccurate, misleading, unfair, spam, spammy, intrusive, dull,
      insufficient, inconsistent, tedious, time consuming, no longer works, stopped working, not what i
      expected, had to, not worth, not great, leaves much to be desired, dissatisfied, unsatisfied,
      unhappy, underwhelming, mediocre, sadly, unfortunately, ignored, smell, smells, smelly, stink,
      stinks, stress, stressful, exhausting, exhausted, underpaid, bureaucratic, unsafe, dangerous,
      discrimination, bullying, monotonous, overloaded, understaffed, cancelled, canceled, pushy,
      aggressive, arrogant, careless, negligent, tasteless, burnt, overcooked, undercooked, bland, leak,
      leaks, leaking, leaky, torn, painful, hurts, drag on, drags on, dragged on, goes on forever, take
      forever, takes forever, took forever, ages to, no way to, drain, drains, vague, repetitive,
      pointless, neglected, disrespectful, rushed, chaotic, hidden, charged twice, overcharged, flimsy,
      scratched, wobbly`,
    '-3': `terrible, horrible, awful, worst, hate, hated, disaster, unacceptable, useless, scam, rip off,
      ripoff, waste, waste of time, waste of money, garbage, rubbish, trash, ridiculous, pathetic,
      nightmare, disgusting, appalling, atrocious, unusable, never again, joke, abysmal, dreadful`,
  },
  negators: `not, no, never, none, nobody, no one, nothing, neither, nor, without, hardly, barely, cannot, cant,
      dont, doesnt, didnt, isnt, wasnt, wont, couldnt, wouldnt, can't, don't, doesn't, didn't, isn't,
      aren't, wasn't, weren't, won't, couldn't, wouldn't, shouldn't, haven't, hasn't, hadn't, ain't, zero,
      free of, free from, lack of, far from`,
  intensifiers:
    'very, really, extremely, so, super, absolutely, totally, completely, incredibly, highly, quite, truly, always, constantly, far, way, much, every, all the time, everything',
  diminishers:
    'slightly, somewhat, a bit, a little, a little bit, sometimes, fairly, rather, kinda, occasionally, relatively, mostly',
  contrastWords: 'but, however, although, though, yet, except, unfortunately',
  excess: 'too, overly, excessively',
  measures: `long, small, big, large, high, low, far, many, much, few, little, short, early, hot, old, heavy,
      tight, bright, dark, soft, strict, often, thin, thick, sweet, salty, full, narrow, frequent`,
  expected: `work, works, working, worked, function, functions, answer, answers, answered, answering, reply,
      replied, respond, responds, responded, response, load, loads, open, opens, start, starts, arrive,
      arrived, arrives, help, helped, care, cares, solve, understand, listen, buy, return, come back,
      explain, match, use it again, connect, connects, log in, sync, fit, worth, value, enough, find,
      recognize, cared, choice, parking, refund, deliver, delivered`,
  wishes:
    'could be, should be, would be, could have been, should have been, needs to be, need to be, must be, might be, wish, ought to be, if only, would like, could, should, needs',
  better:
    'better, faster, cheaper, easier, simpler, clearer, quicker, friendlier, nicer, cleaner, improve, improvement, improved, larger, more',
};
