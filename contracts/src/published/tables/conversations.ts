import type { EventType } from '../../events/all-events.ts'
import { count, idField, oneOf, personalText, plainText, time } from '../field.ts'
import { column, publishedTable, type RowOf } from './published-table.ts'

const openings = ['ContactAdded', 'ConversationReopened', 'ConversationResumed'] as const satisfies EventType[]
const received = ['MessageReceived'] as const satisfies EventType[]
const answers = ['MessageQueued', 'MessageSentElsewhere'] as const satisfies EventType[]
const merges = ['ContactMerged', 'ContactAbsorbed', 'ContactRestored'] as const satisfies EventType[]
const decisions = ['ConversationAccepted', 'ConversationResolved'] as const satisfies EventType[]
const seconds = (description: string) => count(description, 'segundos', 240).nullable()

const answerers = ['attendant', 'flow', 'out_of_hours', 'phone', 'program'] as const

export const conversationsTable = publishedTable(
  'conversations',
  'Uma linha por conversa: de quando alguém escreveu, ou um atendente a abriu, até ser resolvida.',
  ['id'],
  {
    id: column(openings, plainText('A conversa: o id do evento que a abriu.', '0b6f6c1e-6a0e-4f0e-9d57-1f6f0e0c4a11')),
    tenant: column(openings, idField('account', 'A empresa.')),
    contactId: column([...openings, ...merges], idField('contact', 'O contato; depois de uma junção, o que ficou.')),
    number: column(openings, count('Qual do contato é: 1 é a primeira.', 'conversas')),
    status: column(
      [...openings, ...decisions, ...merges, 'ContactErased'],
      oneOf(
        ['waiting', 'attending', 'resolved', 'merged', 'erased'],
        '`merged`: continua na conversa do contato com que foi juntado; `erased`: os dados da pessoa foram apagados.',
      ),
    ),
    openedAt: column([...openings, 'ContactMerged'], time('Quando começou.')),
    openedBy: column(openings, oneOf(['contact', 'attendant'], 'Quem a abriu.')),
    connectionId: column(
      [...received, ...answers],
      idField(
        'connection',
        'A conexão em que o contato escreveu por último; se não escreveu, a da resposta.',
      ).nullable(),
    ),
    firstMessageAt: column(
      [...received, 'ContactMerged'],
      time('A primeira mensagem do contato nela, pelo nosso relógio.').nullable(),
    ),
    firstAnswerAt: column(answers, time('A primeira resposta a ela, de quem for.').nullable()),
    firstAnswerBy: column(
      answers,
      oneOf(
        answerers,
        'Quem respondeu primeiro; `phone`: alguém da empresa, pelo celular; `program`: com uma chave.',
      ).nullable(),
    ),
    firstAnswerSeconds: column([...received, ...answers], seconds('Da primeira mensagem à primeira resposta.')),
    firstPersonAnswerAt: column(answers, time('A primeira resposta de uma pessoa.').nullable()),
    firstPersonAnswerSeconds: column(
      [...received, ...answers],
      seconds('Da primeira mensagem à resposta de uma pessoa.'),
    ),
    acceptedAt: column(
      ['ConversationAccepted', 'ConversationResumed'],
      time('Quando um atendente a assumiu pela primeira vez.').nullable(),
    ),
    waitSeconds: column(
      [...received, 'ConversationAccepted'],
      seconds('Da primeira mensagem até um atendente a assumir.'),
    ),
    attendantId: column(
      [...decisions, 'ConversationResumed'],
      idField('account', 'Quem a assumiu por último.').nullable(),
    ),
    resolvedAt: column(['ConversationResolved', 'ContactErased'], time('Quando acabou.').nullable()),
    durationSeconds: column([...openings, 'ConversationResolved', 'ContactErased'], seconds('Do começo ao fim.')),
    handledBy: column(
      answers,
      oneOf(['nobody', 'flow', 'person', 'both'], 'Quem respondeu nela; `flow`: só fluxos e respostas automáticas.'),
    ),
    received: column(received, count('Mensagens do contato.', 'mensagens')),
    sentByPerson: column(answers, count('Mensagens de atendentes, também pelo celular.', 'mensagens')),
    sentByRule: column(
      ['MessageQueued'],
      count('Mensagens de fluxos, de programas com chave e respostas automáticas.', 'mensagens'),
    ),
    reopenedAt: column(
      ['ConversationReopened', 'ConversationResumed'],
      time('Quando começou a conversa seguinte do contato; nulo: não houve.').nullable(),
    ),
    reopenedBy: column(
      ['ConversationReopened', 'ConversationResumed'],
      oneOf(['contact', 'attendant'], 'Quem abriu a seguinte.').nullable(),
    ),
    updatedAt: column(
      [...openings, ...received, ...answers, ...decisions, ...merges, 'ContactErased'],
      time('Quando a linha mudou.'),
    ),
    contactName: column(
      ['ContactAdded', 'ContactNamed', 'ContactRenamed'],
      personalText('Nome do contato, como está agora.', 'Ana Lima').nullable().optional(),
    ),
    contactPhone: column(
      ['ContactAdded', 'ContactIdentified'],
      personalText('Número com país e área, só dígitos.', '5511912345678').nullable().optional(),
    ),
  },
)

export type PublishedConversation = RowOf<typeof conversationsTable>
