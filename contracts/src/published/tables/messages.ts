import type { EventType } from '../../events/all-events.ts'
import { count, idField, oneOf, personalText, plainText, time } from '../field.ts'
import { contentFields } from '../message-fields.ts'
import { column, publishedTable, type RowOf } from './published-table.ts'

const writings = ['MessageReceived', 'MessageSentElsewhere', 'MessageQueued'] as const satisfies EventType[]
const contents = [...writings, 'MessageEdited', 'ChatErased'] as const satisfies EventType[]
const ticks = ['MessageSent', 'MessageDelivered', 'MessageRead', 'MessageFailed'] as const satisfies EventType[]
const merges = ['ContactAbsorbed', 'ContactRestored'] as const satisfies EventType[]

const authors = ['contact', 'attendant', 'flow', 'out_of_hours', 'phone', 'program'] as const

export const messagesTable = publishedTable(
  'messages',
  'Uma linha por mensagem, recebida ou enviada, com o que aconteceu a ela; sem o texto, se a chave não o pede.',
  ['chatId', 'id'],
  {
    id: column(writings, idField('message', 'A mensagem; única no chat.')),
    tenant: column(writings, idField('account', 'A empresa.')),
    chatId: column(writings, idField('contact', 'O contato em cujo chat está; não muda.')),
    contactId: column([...writings, ...merges], idField('contact', 'O contato; depois de uma junção, o que ficou.')),
    connectionId: column(writings, idField('connection', 'A conexão por onde passa; de outra tentativa, a última.')),
    author: column(
      writings,
      oneOf(
        authors,
        'Quem escreveu; `phone`: alguém da empresa, pelo celular, fora do Prosa; `program`: com uma chave.',
      ),
    ),
    attendantId: column(['MessageQueued'], idField('account', 'O atendente que a escreveu.').nullable()),
    flowId: column(['MessageQueued'], idField('flow', 'O fluxo que a escreveu.').nullable()),
    flowVersion: column(['MessageQueued'], count('A versão do fluxo.', 'versão').nullable()),
    runId: column(['MessageQueued'], idField('run', 'A execução do fluxo.').nullable()),
    kind: column(contents, contentFields.kind),
    characters: column(contents, contentFields.characters.unwrap().nullable()),
    fileBytes: column(contents, contentFields.fileBytes.unwrap().nullable()),
    seconds: column(contents, contentFields.seconds.unwrap().nullable()),
    isVoice: column(contents, contentFields.isVoice.unwrap().nullable()),
    isReply: column(contents, contentFields.isReply),
    sentAt: column(writings, time('Hora do WhatsApp; do que sai por aqui, quando foi escrita.')),
    recordedAt: column(writings, time('Quando o Prosa a registrou.')),
    status: column(
      [...writings, ...ticks],
      oneOf(
        ['received', 'queued', 'sent', 'delivered', 'read', 'failed'],
        'Até onde chegou; `received`: é do contato.',
      ),
    ),
    acceptedAt: column(['MessageSent'], time('Quando o WhatsApp a aceitou: um traço.').nullable()),
    deliveredAt: column(['MessageDelivered'], time('Quando chegou ao aparelho: dois traços.').nullable()),
    readAt: column(['MessageRead'], time('Quando foi lida: dois traços azuis.').nullable()),
    failedAt: column(
      ['MessageFailed'],
      time('Quando falhou; nulo: não falhou, ou saiu em outra tentativa.').nullable(),
    ),
    failureCode: column(
      ['MessageFailed'],
      plainText('Por que falhou. Código do WhatsApp ou do Prosa.', '403').nullable(),
    ),
    retries: column(['MessageQueued'], count('Outras tentativas depois de uma falha.', 'tentativas', 0)),
    editedAt: column(['MessageEdited'], time('A última edição.').nullable()),
    deletedAt: column(['MessageDeleted'], time('Quando foi apagada para todos.').nullable()),
    updatedAt: column([...contents, ...ticks, ...merges, 'MessageDeleted'], time('Quando a linha mudou.')),
    text: column(
      contents,
      personalText('Texto ou legenda, como está agora.', 'Vocês abrem domingo?').nullable().optional(),
    ),
  },
)

export type PublishedMessage = RowOf<typeof messagesTable>
