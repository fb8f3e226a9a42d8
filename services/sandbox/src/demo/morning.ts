export interface Line {
  /** `phone`: answered on the phone before Prosa was open; `prosa`: an attendant answers now. */
  by: 'person' | 'phone' | 'prosa'
  /** Minutes before now; lines of `prosa` are always now. */
  ago?: number
  text?: string
  /** Number of an example picture; `text` is its caption. */
  picture?: number
  voice?: true
  quotes?: true
  reaction?: string
}

export interface Visit {
  name: string
  /** Last digits: `5511 9xxxx-xxxx`. */
  number: string
  ends: 'waiting' | 'attending' | 'resolved'
  lines: Line[]
}

const person = (ago: number, text: string): Line => ({ by: 'person', ago, text })
const phone = (ago: number, text: string): Line => ({ by: 'phone', ago, text })
const prosa = (text: string): Line => ({ by: 'prosa', text })

export const QUICK_REPLIES = [
  { shortcut: 'horario', content: 'Abrimos de terça a sábado, das 6h30 às 20h, e domingo das 7h às 13h.' },
  { shortcut: 'pix', content: 'Nossa chave Pix é o CNPJ 12.345.678/0001-95. É só mandar o comprovante por aqui.' },
  { shortcut: 'entrega', content: 'Entregamos num raio de 3 km. A taxa é de R$ 6,00 e leva uns 40 minutos.' },
  { shortcut: 'encomenda', content: 'Encomendas de bolo e salgado pedem 24 horas de antecedência e 50% de sinal.' },
  { shortcut: 'obrigado', content: 'Nós é que agradecemos! Qualquer coisa, é só chamar.' },
]

export const MORNING: Visit[] = [
  {
    name: 'Dona Lourdes',
    number: '987650101',
    ends: 'resolved',
    lines: [
      person(248, 'Bom dia! O pão francês já saiu?'),
      phone(245, 'Bom dia, dona Lourdes! Sai a próxima fornada às 7h'),
      person(244, 'Guarda 10 pra mim que o Nelson passa aí'),
      prosa('Guardados! Estão no balcão com o nome da senhora.'),
      { by: 'person', reaction: '❤️' },
    ],
  },
  {
    name: 'Rafael Nunes',
    number: '976541202',
    ends: 'resolved',
    lines: [
      person(231, 'Oi, vocês aceitam vale-alimentação?'),
      prosa('Aceitamos sim: Alelo, Sodexo e VR.'),
      { by: 'person', reaction: '👍' },
    ],
  },
  {
    name: 'Carla (Escola Girassol)',
    number: '965432303',
    ends: 'attending',
    lines: [
      person(212, 'Bom dia! Preciso de 60 mini sanduíches pra sexta, reunião de pais'),
      person(211, 'Metade presunto e queijo, metade só queijo'),
      phone(205, 'Bom dia, Carla! Dá sim. Entrega ou retirada?'),
      person(203, 'Entrega, às 18h. Rua das Palmeiras, 210'),
      prosa('Fechado para sexta às 18h. Fica R$ 174,00 com a entrega. Posso confirmar?'),
      person(0, 'Pode! Faço o Pix hoje à tarde'),
    ],
  },
  {
    name: 'Tiago Moreira',
    number: '954323404',
    ends: 'waiting',
    lines: [person(96, 'Bom dia'), person(95, 'Quanto tá o quilo do queijo minas?'), person(71, '?')],
  },
  {
    name: 'Juliana Prado',
    number: '943214505',
    ends: 'attending',
    lines: [
      person(188, 'Oi! Queria encomendar um bolo de aniversário pra sábado 🎂'),
      phone(182, 'Oi, Ju! Claro. Pra quantas pessoas?'),
      person(180, 'Umas 20. Algo assim:'),
      { by: 'person', ago: 179, picture: 2, text: 'só que com o nome da Alice' },
      prosa('Que lindo! Massa branca ou de chocolate?'),
      { by: 'person', ago: 0, text: 'Branca, com recheio de morango', quotes: true },
    ],
  },
  {
    name: 'Seu Antônio',
    number: '932105606',
    ends: 'waiting',
    lines: [{ by: 'person', ago: 44, voice: true }, person(43, 'Escuta aí minha filha, sou ruim de digitar')],
  },
  {
    name: 'Marcos Entregas',
    number: '921096707',
    ends: 'resolved',
    lines: [
      person(170, 'Tô aqui na frente, pode trazer os pedidos'),
      phone(169, 'Já vai!'),
      person(150, 'Entregue na Rua Harmonia ✅'),
      prosa('Valeu, Marcos!'),
    ],
  },
  {
    name: 'Beatriz Sampaio',
    number: '910987808',
    ends: 'waiting',
    lines: [
      person(31, 'Oi, boa tarde ou bom dia ainda? rs'),
      person(31, 'Vocês têm pão sem glúten?'),
      person(30, 'É pro meu filho, ele é celíaco'),
    ],
  },
  {
    name: 'Condomínio Jatobá',
    number: '998877909',
    ends: 'attending',
    lines: [
      person(143, 'Bom dia, aqui é a Sônia da portaria. O café da assembleia está de pé?'),
      prosa('Bom dia, Sônia! De pé: quinta às 19h, para 35 pessoas. O café vai em garrafas térmicas.'),
    ],
  },
  {
    name: 'Pedro Henrique',
    number: '997766010',
    ends: 'resolved',
    lines: [
      person(160, 'Esqueci meu guarda-chuva aí ontem, é preto com cabo de madeira'),
      prosa('Está guardado no caixa, Pedro. Pode buscar quando quiser.'),
      { by: 'person', reaction: '🙏' },
    ],
  },
  {
    name: 'Vanessa Lima',
    number: '996655111',
    ends: 'waiting',
    lines: [
      person(22, 'Gente, o bolo de cenoura de ontem estava MARAVILHOSO'),
      { by: 'person', ago: 21, picture: 1, text: 'sobrou só isso 😂' },
      person(20, 'Tem hoje também?'),
    ],
  },
  {
    name: 'Fornecedor Trigo Bom',
    number: '995544212',
    ends: 'resolved',
    lines: [
      person(221, 'Bom dia! A entrega da farinha fica para amanhã às 9h, tudo bem?'),
      phone(218, 'Tudo bem, mas sem falta, por favor'),
      person(217, 'Combinado'),
      prosa('Obrigada por avisar!'),
    ],
  },
  {
    name: 'Helena Duarte',
    number: '994433313',
    ends: 'attending',
    lines: [
      person(58, 'Oi! Meu pedido chegou com um sonho a menos 😕'),
      { by: 'person', ago: 57, picture: 0, text: 'veio assim' },
      prosa('Puxa, Helena, desculpa! Mando o sonho com a próxima entrega, ainda hoje, por nossa conta.'),
      person(0, 'Imagina, obrigada! Vocês são ótimos'),
    ],
  },
  {
    name: 'Gustavo',
    number: '993322414',
    ends: 'waiting',
    lines: [person(12, 'Fazem entrega no Jardim Europa?'), person(11, 'CEP 01449')],
  },
  {
    name: 'Tia Neide',
    number: '992211515',
    ends: 'waiting',
    lines: [{ by: 'person', ago: 7, picture: 3, text: 'Bom dia! Que Deus abençoe o pão de cada dia 🙏🌻' }],
  },
  {
    name: 'Camila Rocha',
    number: '991100616',
    ends: 'waiting',
    lines: [person(3, 'Oi! Ainda dá tempo de pedir almoço?'), person(2, 'Somos 3, pode ser o prato do dia')],
  },
]
