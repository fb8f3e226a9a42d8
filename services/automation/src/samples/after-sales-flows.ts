import { asks, day, decides, drawing, handsOver, rests, says, startsByWords } from './drawing.ts'

const survey = drawing(
  [
    startsByWords('Alguém quer avaliar o atendimento', 'avaliar', 'avaliação', 'pesquisa'),
    asks('nota', [0, 1], 'De 0 a 10, quanto você indicaria a {empresa} a um amigo?', 'nota', day),
    decides('feliz', [0, 2], 'Se deu 9 ou 10', { kind: 'number', variable: 'nota', comparison: 'above', value: 8 }),
    says('obrigado', [0, 3], 'Obrigado', 'Que alegria, {nome}! Se puder, conte também aos seus amigos. 💙'),
    decides('triste', [1, 3], 'Se deu menos de 7', { kind: 'number', variable: 'nota', comparison: 'below', value: 7 }),
    asks('faltou', [1, 4], 'Sentimos muito. O que faltou para ser melhor?', 'faltou', day),
    handsOver('resolver', [1, 5], 'Obrigado por contar. Uma pessoa vai ler e falar com você.'),
    asks('melhorar', [2, 4], 'Obrigado! O que faria você dar um 10?', 'melhorar', day),
    says('anotado', [2, 5], 'Anotado', 'Anotado, {nome}. É assim que melhoramos. Até logo!'),
  ],
  [
    ['inicio', 'nota'],
    ['nota', 'feliz', 'answer'],
    ['feliz', 'obrigado', 'true'],
    ['feliz', 'triste', 'false'],
    ['triste', 'faltou', 'true'],
    ['triste', 'melhorar', 'false'],
    ['faltou', 'resolver', 'answer'],
    ['faltou', 'resolver', 'timeout'],
    ['melhorar', 'anotado', 'answer'],
  ],
  { again: 'after', againAfterHours: 720 },
)

const thanks = drawing(
  [
    startsByWords('Alguém avisa que o pedido chegou', 'chegou', 'recebi', 'entregue'),
    says('que_bom', [0, 1], 'Obrigado', 'Que bom que chegou, {nome}! Obrigado por comprar na {empresa}.'),
    rests('uso', [0, 2], 7 * day, 'Uma semana para usar'),
    asks('certo', [0, 3], 'Oi, {nome}! Está tudo certo com o que você comprou?', 'tudo_certo', 3 * day),
    decides('sim', [0, 4], 'Se está tudo certo', { kind: 'yes', variable: 'tudo_certo' }),
    says('presente', [0, 5], 'Presente', 'Ficamos felizes! Na próxima compra, use [seu cupom] e ganhe [seu desconto].'),
    handsOver('troca', [1, 5], 'Vamos resolver! Conte o que houve, e uma pessoa cuida da troca com você.'),
  ],
  [
    ['inicio', 'que_bom'],
    ['que_bom', 'uso'],
    ['uso', 'certo'],
    ['certo', 'sim', 'answer'],
    ['sim', 'presente', 'true'],
    ['sim', 'troca', 'false'],
  ],
  { again: 'after', againAfterHours: 240, silenceHours: 96 },
)

export const afterSalesFlows = [
  { name: 'Pesquisa de satisfação', document: survey },
  { name: 'Agradecimento pela compra', document: thanks },
] as const
