import type { SurveyWords } from './survey-words.ts';

export const ES: SurveyWords = {
  scores: {
    '3': `excelente, perfecto, perfecta, perfectamente, fantástico, maravilloso, increíble, genial, estupendo,
      espectacular, impecable, inmejorable, encanta, encantó, encantado, amo, adoro, buenísimo, superó mis
      expectativas, de diez, una maravilla, delicioso, riquísimo, me flipa, de maravilla, me ha salvado,
      me salvó, un acierto`,
    '2': `bueno, buena, buen, buenos, buenas, bien, muy bien, amable, amables, amabilidad, simpático, atento,
      atenta, servicial, profesional, competente, satisfecho, satisfecha, contento, contenta, feliz,
      recomiendo, recomendable, recomendaría, fácil, fácilmente, sencillo, intuitivo, claro, rápido,
      rápida, rapidez, eficiente, eficaz, práctico, cómodo, cómoda, limpio, limpia, fiable, confiable,
      útil, bonito, precioso, rico, rica, fresco, seguro de sí, gracias, agradecido, gusta, gustan, gustó,
      gustado, disfruté, agradable, acogedor, tranquilo, puntual, asequible, económico, buen precio, buena
      relación calidad precio, vale la pena, no está mal, nada mal, mejor que, volveré, repetiré, sin
      problemas, ágil, ayudaron, me ayudó, hermoso, lindo, lo mejor, el mejor, la mejor, mejores,
      interesante, interesantes, me apoya, nos apoya, me escucha, nos escuchan, escucha, apoya, paciente,
      paciencia, con calma, divertido, motivador, motivado, espacioso, amplio, respetuoso, respeto,
      valorado, aprendí mucho, aprendido mucho, razonable, razonables, bien organizado, bien explicado,
      flexible, transparente, justo, resistente, comprensivo, ha superado lo que esperaba, sana, ameno,
      cercano`,
    '1': `barato, barata, mejorado, resuelto, resolvieron, solucionaron, moderno, antes de lo previsto, antes de tiempo, accesible, variado`,
    '0': `pasado, normal, regular, como, claro que, quiero, quisiera, necesito, solo, mayor, alto, apoyo, trabajo,
      uso, uso de, seguro, compartir, pago, pagar, gratis, parte, cierto, grande, recomendó, interés,
      mediano, ninguna, sin comentarios, estar, batería, ni bien ni mal, negro, nada, fresca, libre,
      importante, fuerte, ayuda, igual, depende, colegio, anuncio, publicidad, año`,
    '-1': `limitado, básico, anticuado, frío, cola, colas, ruido, falta, faltan, escaso, problema, problemas,
      en vez de, dura poco, solamente si, incidencia, duda`,
    '-2': `malo, mala, mal, malos, malas, caro, cara, caros, caras, lento, lenta, lentitud, tarde, tarda,
      tardan, tardó, tardaron, retraso, retrasos, demora, demoran, roto, rota, dañado, dañada, defectuoso,
      confuso, confusa, complicado, complicada, complejo, difícil, difíciles, incómodo, falla, fallo,
      fallos, fallas, cuelga, se cae, se cierra, se bloquea, error, errores, queja, quejas, quejarme,
      grosero, maleducado, antipático, borde, incompetente, sucio, sucia, ruidoso, decepción,
      decepcionado, decepcionada, decepcionante, frustrante, molesto, aburrido, equivocado, perdido,
      pobre, esperar, espero desde, esperando, esperé, espera, engañoso, desorganizado, poco claro, poco
      clara, insuficiente, pésima atención, deja mucho que desear, no vale la pena, insatisfecho,
      descontento, desagradable, lamentablemente, tuve que, abusivo, deficiente, atascado, peor, injusto,
      injusta, ignorado, ignorada, ignoran, huele, huele mal, apesta, estrés, estresante, agotador,
      agotado, mal pagado, burocrático, burocracia, inseguro, peligroso, discriminación, acoso, monótono,
      saturado, cancelado, cancelaron, cancelan, insistente, agresivo, arrogante, prepotente, descuidado,
      soso, quemado, crudo, gotea, doloroso, duele, no terminan nunca, interminable, interminables,
      repetitivo, sin sentido, apresurado, caos, caótico, cobran de más, cobraron de más, frágil, rayado,
      no entiendo, muy bajo, muy baja, me sentí ignorado, falta de respeto`,
    '-3': `terrible, horrible, pésimo, pésima, fatal, odio, desastre, inaceptable, inútil, estafa, timo, robo,
      una pérdida de tiempo, pérdida de tiempo, pérdida de dinero, basura, ridículo, pesadilla, asqueroso,
      lo peor, carísimo, carísima, nunca más, vergüenza, una vergüenza, malísimo, lentísimo`,
  },
  negators: `no, nunca, jamás, nadie, ningún, ninguna, ninguno, sin, ni, tampoco, nada, apenas`,
  intensifiers:
    'muy, realmente, super, súper, totalmente, completamente, absolutamente, extremadamente, tan, bastante, siempre, constantemente, todo, más, mucho, increíblemente',
  diminishers: `un poco, algo, ligeramente, a veces, poco a poco, relativamente, más o menos, casi`,
  contrastWords: 'pero, aunque, sin embargo, excepto, salvo',
  excess: 'demasiado, demasiada, demasiados, demasiadas, excesivamente',
  measures:
    'largo, pequeño, grande, alto, bajo, lejos, muchos, mucho, tiempo, corto, temprano, caliente, viejo, pesado, gente, espera, publicidad, pasos, justo, estrecho, oscuro, fuerte, dulce, salado',
  expected:
    'funciona, funcionan, funcionó, funcionaba, contesta, contestan, contestó, contestaron, responde, responden, respondió, respondieron, carga, abre, arranca, llega, llegó, ayuda, ayudan, ayudaron, soluciona, solucionan, solucionaron, resuelven, entiende, escuchan, compraría, volvería, volveré, explica, vale, sirve, cumple, merece, compensa, conecta, puedo, puede, deja, permite, encontré, encuentro, sé cómo, coinciden, atiende, atienden',
  wishes: `podría, podrían, debería, deberían, tendría que, tendrían que, ojalá, hace falta`,
  better:
    'mejor, mejorar, mejores, más rápido, más barato, más fácil, más claro, rápido, barato, fácil, sencillo, claro',
};
