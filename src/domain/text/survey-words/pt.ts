import type { SurveyWords } from './survey-words.ts';

export const PT: SurveyWords = {
  scores: {
    '3': `excelente, perfeito, perfeita, perfeitamente, fantástico, maravilhoso, maravilhosa, incrível, ótimo,
      ótima, óptimo, sensacional, espetacular, impecável, amo, amei, adoro, adorei, encantado, superou as
      expectativas, superou minhas expectativas, nota dez, nota 10, delicioso, show de bola, maravilha, me
      salvou, um acerto`,
    '2': `bom, boa, bons, boas, bem, muito bem, amável, gentil, gentis, simpático, simpática, educado,
      atencioso, atenciosa, prestativo, prestativa, profissional, competente, satisfeito, satisfeita,
      contente, feliz, recomendo, recomendaria, fácil, facilidade, simples, intuitivo, claro, rápido,
      rápida, rapidez, ágil, eficiente, eficaz, prático, prática, confortável, limpo, limpa, confiável,
      útil, bonito, bonita, lindo, linda, gostoso, fresco, agradável, aconchegante, tranquilo, obrigado,
      obrigada, gosto, gostei, gostamos, gosta, agradeço, pontual, acessível, em conta, custo benefício,
      bom preço, vale a pena, nada mal, sem problemas, voltarei, melhor que, o melhor, a melhor, ajudaram,
      elogio, parabéns, interessante, interessantes, me apoia, apoia, me ouve, ouve, escuta, paciente,
      paciência, com calma, divertido, motivador, motivado, espaçoso, amplo, respeitoso, respeito,
      valorizado, aprendi muito, razoável, razoáveis, bem organizado, bem explicado, compreensivo,
      flexível, transparente, justo, justa, resistente, acolhedor, acolhedora, enriquecedor`,
    '1': `barato, barata, melhorou, resolvido, resolveram, solucionaram, moderno, antes do prazo, variado, nada a reclamar`,
    '0': `mais ou menos, regular, normal, como, quero, gostaria, preciso, só, ajuda, apoio, trabalho, uso,
      pagamento, pagar, grátis, grande, alto, seguro, certo, parte, recomendou, importante, forte, livre,
      nada, sem opinião, médio, bateria, coisas, dizer, poderiam aceitar, interesse, preto, jogo, igual,
      depende, escola, ano, propaganda`,
    '-1': `limitado, básico, ultrapassado, frio, fila, filas, barulho, falta, faltam, faltou, problema,
      problemas, em vez de, dura pouco, dúvida, fraco, fraca`,
    '-2': `ruim, ruins, mau, má, mal, caro, cara, caros, caras, lento, lenta, lentidão, tarde, demora,
      demorado, demorada, demorou, demoram, atraso, atrasos, atrasado, atrasou, quebrado, quebrada,
      danificado, defeito, defeituoso, confuso, confusa, complicado, complicada, complexo, difícil,
      difíceis, trava, travando, travou, falha, falhas, falhou, bug, erro, erros, cai, caiu, fora do ar,
      reclamação, reclamações, reclamar, grosseiro, grosso, mal educado, antipático, incompetente,
      despreparado, sujo, suja, barulhento, desconfortável, decepção, decepcionado, decepcionada,
      decepcionante, frustrante, frustrado, irritante, chato, errado, perdido, esperar, esperando,
      esperei, espera, enganoso, desorganizado, pouco claro, insuficiente, insatisfeito, insatisfeita,
      infelizmente, tive que, deixa a desejar, péssimo atendimento, abusivo, pior, precário, injusto,
      injusta, ignorado, ignorada, cheira mal, mau cheiro, fede, estresse, stress, estressante, cansativo,
      exausto, mal pago, burocrático, burocracia, inseguro, perigoso, discriminação, assédio, monótono,
      sobrecarregado, cancelado, cancelaram, insistente, agressivo, arrogante, descuidado, sem gosto,
      queimado, cru, vazamento, vaza, doloroso, dói, não acabam nunca, não acaba nunca, interminável,
      dificuldade, dificuldades, repetitivo, sem sentido, caos, caótico, cobraram a mais, cobram a mais,
      cobrança indevida, frágil, riscado, muito baixo, muito baixa, chega atrasado, desrespeito, bagunça`,
    '-3': `péssimo, péssima, terrível, horrível, odeio, odiei, desastre, inaceitável, inútil, golpe, roubo,
      perda de tempo, perda de dinheiro, lixo, ridículo, pesadelo, nojento, vergonha, caríssimo, nunca
      mais, absurdo, o pior, a pior, um lixo`,
  },
  negators: `não, nao, nunca, jamais, ninguém, nenhum, nenhuma, sem, nem, nada`,
  intensifiers:
    'muito, muita, realmente, super, totalmente, completamente, absolutamente, extremamente, tão, bastante, sempre, constantemente, tudo, demais, bem, toda hora, mega',
  diminishers: `um pouco, meio, às vezes, ligeiramente, relativamente, quase, um tanto`,
  contrastWords: `mas, porém, embora, contudo, no entanto, exceto, só que, apesar`,
  excess: 'demais, demasiado, excessivamente, muito',
  measures:
    'tempo, longe, alto, altos, pequeno, longo, cheio, pouco, apertado, salgado, escuro, pesado, velho, burocrático, espera',
  expected:
    'funciona, funcionam, funcionou, funcionava, responde, respondem, respondeu, responderam, resposta, carrega, abre, inicia, chega, chegou, ajuda, ajudam, ajudou, resolve, resolvem, resolveu, entende, compraria, comprarei, voltaria, voltarei, explica, vale, serve, cumpre, compensa, conecta, consigo, consegui, consegue, atende, atendem, atendeu, encontrei, corresponde',
  wishes: `poderia, poderiam, podia, deveria, deveriam, devia, tomara, falta`,
  better: `melhor, melhorar, melhores, mais rápido, mais barato, mais fácil, rápido, barato, fácil, claro`,
};
