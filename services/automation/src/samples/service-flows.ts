import { asks, decides, drawing, handsOver, hour, says, starts, startsByWords } from './drawing.ts'

const welcome = drawing(
  [
    starts('Alguém escreve pela primeira vez', { kind: 'first_contact' }),
    says('ola', [0, 1], 'Boas-vindas', 'Olá, {nome}! Que bom ter você aqui na {empresa}. 😊'),
    asks(
      'menu',
      [0, 2],
      'Sobre o que você quer falar?\n\n1 – Comprar\n2 – Um pedido que já fiz\n3 – Outro assunto\n\nResponda com o número.',
      'assunto',
      2 * hour,
    ),
    decides('comprar', [0, 3], 'Se respondeu 1', {
      kind: 'number',
      variable: 'assunto',
      comparison: 'equal',
      value: 1,
    }),
    handsOver('vendas', [0, 4], 'Ótimo! Conte o que você procura, e uma pessoa de vendas continua daqui.'),
    decides('pedido', [1, 4], 'Se respondeu 2', { kind: 'number', variable: 'assunto', comparison: 'equal', value: 2 }),
    asks(
      'numero',
      [1, 5],
      'Qual é o número do pedido? Se não souber, escreva o nome de quem comprou.',
      'pedido',
      2 * hour,
    ),
    handsOver('suporte', [1, 6], 'Obrigado! Vou procurar “{pedido}”, e alguém responde em seguida.'),
    handsOver('outro', [2, 5], 'Certo! Escreva com suas palavras, que uma pessoa lê e responde.'),
    says('depois', [1, 3], 'Sem resposta', 'Quando puder, escreva sobre o que quer falar. Estamos por aqui.'),
  ],
  [
    ['inicio', 'ola'],
    ['ola', 'menu'],
    ['menu', 'comprar', 'answer'],
    ['menu', 'depois', 'timeout'],
    ['comprar', 'vendas', 'true'],
    ['comprar', 'pedido', 'false'],
    ['pedido', 'numero', 'true'],
    ['pedido', 'outro', 'false'],
    ['numero', 'suporte', 'answer'],
    ['numero', 'suporte', 'timeout'],
  ],
  { again: 'never' },
)

const outOfHours = drawing(
  [
    starts('Alguém escreve fora do horário', { kind: 'out_of_hours' }),
    says(
      'fechado',
      [0, 1],
      'Fora do horário',
      'Olá, {nome}! Agora a {empresa} está fechada. Sua mensagem ficou guardada, e respondemos assim que abrirmos.',
    ),
    asks('recado', [0, 2], 'Se quiser adiantar, escreva aqui o que você precisa:', 'recado', 12 * hour),
    decides('abriu', [0, 3], 'Se já abrimos', { kind: 'open' }),
    handsOver('pessoa', [0, 4], 'Obrigado! Já abrimos: alguém responde em seguida.'),
    says('guardado', [1, 4], 'Recado guardado', 'Anotado! É o primeiro assunto de quando abrirmos. Até logo!'),
  ],
  [
    ['inicio', 'fechado'],
    ['fechado', 'recado'],
    ['recado', 'abriu', 'answer'],
    ['abriu', 'pessoa', 'true'],
    ['abriu', 'guardado', 'false'],
  ],
  { again: 'after', againAfterHours: 12 },
)

const frequentQuestions = drawing(
  [
    startsByWords(
      'Alguém pergunta pelo endereço, pela entrega ou pelo horário',
      'endereço',
      'onde fica',
      'entrega',
      'horário',
    ),
    decides('endereco', [0, 1], 'Se pergunta onde fica', {
      kind: 'contains',
      variable: 'resposta',
      values: ['endereço', 'onde fica'],
    }),
    says('rua', [0, 2], 'Endereço', 'Ficamos em [seu endereço].'),
    decides('entrega', [1, 2], 'Se pergunta pela entrega', {
      kind: 'contains',
      variable: 'resposta',
      value: 'entrega',
    }),
    says('prazo', [1, 3], 'Entrega', 'Entregamos em [seus prazos de entrega].'),
    says('horas', [2, 3], 'Horário', 'Atendemos [seus horários].'),
    asks('ajudou', [1, 4], 'Era isso que você queria saber?', 'ajudou', hour),
    decides('sim', [1, 5], 'Se era isso', { kind: 'yes', variable: 'ajudou' }),
    says('tchau', [1, 6], 'Até logo', 'Que bom! Se precisar de mais alguma coisa, é só escrever.'),
    handsOver('pessoa', [2, 6], 'Sem problema: vou chamar alguém para explicar melhor.'),
  ],
  [
    ['inicio', 'endereco'],
    ['endereco', 'rua', 'true'],
    ['endereco', 'entrega', 'false'],
    ['entrega', 'prazo', 'true'],
    ['entrega', 'horas', 'false'],
    ['rua', 'ajudou'],
    ['prazo', 'ajudou'],
    ['horas', 'ajudou'],
    ['ajudou', 'sim', 'answer'],
    ['sim', 'tchau', 'true'],
    ['sim', 'pessoa', 'false'],
  ],
)

export const serviceFlows = [
  { name: 'Boas-vindas com menu', document: welcome },
  { name: 'Fora do horário', document: outOfHours },
  { name: 'Perguntas frequentes', document: frequentQuestions },
] as const
