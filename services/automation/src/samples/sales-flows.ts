import { asks, day, decides, drawing, handsOver, hour, rests, says, startsByWords } from './drawing.ts'

const quote = drawing(
  [
    startsByWords('Alguém pede um orçamento', 'orçamento', 'quanto custa', 'cotação'),
    says('claro', [0, 1], 'Orçamento', 'Claro, {nome}! Faço duas perguntas, e o orçamento sai mais rápido.'),
    asks('produto', [0, 2], 'O que você procura?', 'produto', 6 * hour),
    asks('quantas', [0, 3], 'Quantas unidades de “{produto}”? Pode ser só o número.', 'quantidade', 6 * hour),
    decides('atacado', [0, 4], 'Se são mais de 10 unidades', {
      kind: 'number',
      variable: 'quantidade',
      comparison: 'above',
      value: 10,
    }),
    handsOver(
      'desconto',
      [0, 5],
      'Acima de 10 unidades, [seu desconto]. Uma pessoa de vendas já manda o valor de {produto}.',
    ),
    handsOver('varejo', [1, 5], 'Obrigado! Já preparamos o valor de {quantidade} × {produto}.'),
    says('depois', [1, 3], 'Sem resposta', 'Quando quiser o orçamento, é só escrever “orçamento” de novo.'),
  ],
  [
    ['inicio', 'claro'],
    ['claro', 'produto'],
    ['produto', 'quantas', 'answer'],
    ['produto', 'depois', 'timeout'],
    ['quantas', 'atacado', 'answer'],
    ['quantas', 'depois', 'timeout'],
    ['atacado', 'desconto', 'true'],
    ['atacado', 'varejo', 'false'],
  ],
)

const catalogue = drawing(
  [
    startsByWords('Alguém pede o catálogo', 'catálogo', 'produtos', 'cardápio'),
    says('link', [0, 1], 'Catálogo', 'Aqui está o nosso catálogo, {nome}: [link do seu catálogo]'),
    rests('olhar', [0, 2], 600, 'Dez minutos para olhar com calma'),
    asks('gostou', [0, 3], 'Encontrou algo de que gostou? Escreva o nome, ou “não”.', 'escolha', day),
    decides('nao', [0, 4], 'Se não encontrou', { kind: 'no', variable: 'escolha' }),
    says('novidades', [0, 5], 'Novidades', 'Tudo bem! Volte quando quiser.'),
    handsOver('vendas', [1, 5], 'Boa escolha! Vou conferir se “{escolha}” está disponível.'),
    says('lembrete', [1, 4], 'Lembrete', 'O catálogo continua no mesmo link. Qualquer dúvida, é só chamar.'),
  ],
  [
    ['inicio', 'link'],
    ['link', 'olhar'],
    ['olhar', 'gostou'],
    ['gostou', 'nao', 'answer'],
    ['gostou', 'lembrete', 'timeout'],
    ['nao', 'novidades', 'true'],
    ['nao', 'vendas', 'false'],
  ],
)

const followUp = drawing(
  [
    startsByWords('Alguém quer pensar antes de comprar', 'vou pensar', 'depois eu vejo', 'mais tarde'),
    says('calma', [0, 1], 'Sem pressa', 'Claro, {nome}, pense com calma. Deixo a proposta guardada.'),
    rests('amanha', [0, 2], day, 'Volta a falar no dia seguinte'),
    asks('pensou', [0, 3], 'Oi, {nome}! Conseguiu pensar na proposta? Posso separar para você?', 'decisao', 2 * day),
    decides('quer', [0, 4], 'Se quer', { kind: 'yes', variable: 'decisao' }),
    handsOver('fechar', [0, 5], 'Ótimo! Vou chamar quem fecha o pedido com você.'),
    asks('motivo', [1, 5], 'Entendi. O que pesou mais: o preço, o prazo ou outra coisa?', 'motivo', 2 * day),
    decides('preco', [1, 6], 'Se foi o preço', { kind: 'contains', variable: 'motivo', value: 'preço' }),
    handsOver('condicao', [1, 7], 'Vou ver se há uma condição melhor para você.'),
    says('obrigado', [2, 7], 'Obrigado', 'Obrigado por contar! Quando fizer sentido, estamos aqui.'),
  ],
  [
    ['inicio', 'calma'],
    ['calma', 'amanha'],
    ['amanha', 'pensou'],
    ['pensou', 'quer', 'answer'],
    ['quer', 'fechar', 'true'],
    ['quer', 'motivo', 'false'],
    ['motivo', 'preco', 'answer'],
    ['preco', 'condicao', 'true'],
    ['preco', 'obrigado', 'false'],
  ],
  { silenceHours: 72 },
)

const paymentReminder = drawing(
  [
    startsByWords('Alguém pede a chave Pix ou o boleto', 'pix', 'boleto', 'segunda via'),
    says('chave', [0, 1], 'Como pagar', 'Nossa chave Pix é [sua chave Pix], em nome de {empresa}.'),
    rests('prazo', [0, 2], 2 * day, 'Dois dias para pagar'),
    asks('pagou', [0, 3], 'Oi, {nome}! Conseguiu fazer o pagamento?', 'pagou', 2 * day),
    decides('sim', [0, 4], 'Se pagou', { kind: 'yes', variable: 'pagou' }),
    handsOver('conferir', [0, 5], 'Obrigado! Mande o comprovante, e alguém confere e confirma.'),
    handsOver('acerto', [1, 5], 'Sem problema. Vou chamar alguém para combinar uma nova data com você.'),
    says(
      'lembrete',
      [1, 4],
      'Lembrete',
      'Só para lembrar: o pagamento ainda está em aberto. Se já pagou, desconsidere.',
    ),
  ],
  [
    ['inicio', 'chave'],
    ['chave', 'prazo'],
    ['prazo', 'pagou'],
    ['pagou', 'sim', 'answer'],
    ['pagou', 'lembrete', 'timeout'],
    ['sim', 'conferir', 'true'],
    ['sim', 'acerto', 'false'],
  ],
  { silenceHours: 72 },
)

const appointment = drawing(
  [
    startsByWords('Alguém quer marcar um horário', 'agendar', 'marcar', 'reservar'),
    asks('dia', [0, 1], 'Vamos marcar, {nome}! Que dia fica melhor para você?', 'dia', 6 * hour),
    asks('periodo', [0, 2], 'E o período: manhã ou tarde?', 'periodo', 6 * hour),
    decides('aberto', [0, 3], 'Se estamos abertos', { kind: 'open' }),
    handsOver('confirmar', [0, 4], 'Vou conferir a agenda de {dia}, {periodo}, e já confirmo.'),
    says('amanha', [1, 4], 'Confirmação', 'Anotei: {dia}, {periodo}. Confirmamos assim que abrirmos.'),
  ],
  [
    ['inicio', 'dia'],
    ['dia', 'periodo', 'answer'],
    ['periodo', 'aberto', 'answer'],
    ['aberto', 'confirmar', 'true'],
    ['aberto', 'amanha', 'false'],
  ],
)

export const salesFlows = [
  { name: 'Pedido de orçamento', document: quote },
  { name: 'Envio do catálogo', document: catalogue },
  { name: 'Retomada no dia seguinte', document: followUp },
  { name: 'Lembrete de pagamento', document: paymentReminder },
  { name: 'Agendamento', document: appointment },
] as const
