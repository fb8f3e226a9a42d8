import type { chatEvents } from '../events/contacts.ts'
import { count, idField, oneOf, personalText, time, yesNo } from './field.ts'
import {
  attendantId,
  connectionId,
  contentFields,
  failureCode,
  messageId,
  publishedContent,
  sentAt,
} from './message-fields.ts'
import { type Publications, published } from './publication.ts'

const contactId = idField('contact', 'O contato com quem é a conversa.')
const ofMessage = { contactId, messageId }
const author = oneOf(['contact', 'user'], 'De que lado: do contato, ou da empresa.')
const emoji = personalText('A reação; nula: foi tirada.', '👍').nullable().optional()
const isRemoved = yesNo('A reação foi tirada.')
const removed = ({ emoji }: { emoji: string | null }) => ({ isRemoved: emoji === null })
const flowFields = {
  flowId: idField('flow', 'O fluxo que escreveu.').optional(),
  flowVersion: count('A versão do fluxo.', 'versão').optional(),
  runId: idField('run', 'A execução do fluxo.').optional(),
}

export const publishedChat: Publications<typeof chatEvents> = {
  MessageReceived: published<'MessageReceived'>()(
    'message-received',
    'O contato escreveu.',
    {
      ...ofMessage,
      connectionId,
      sentAt,
      receivedAt: time('Quando chegou; só se o relógio do remetente estava adiantado.').optional(),
      ...contentFields,
    },
    { of: ({ content }) => publishedContent(content) },
  ),
  MessageSentElsewhere: published<'MessageSentElsewhere'>()(
    'message-sent-from-phone',
    'A empresa escreveu pelo celular, fora do Prosa.',
    { ...ofMessage, connectionId, sentAt, ...contentFields },
    { of: ({ content }) => publishedContent(content) },
  ),
  MessageQueued: published<'MessageQueued'>()(
    'message-queued',
    'Um atendente, um fluxo, um programa ou a resposta automática escreveu: a mensagem vai sair.',
    {
      ...ofMessage,
      connectionId,
      attendantId,
      author: oneOf(['attendant', 'flow', 'out_of_hours', 'program'], 'Quem escreveu; `program`: com uma chave.'),
      isRetry: yesNo('Outra tentativa de uma mensagem que falhou.'),
      isRefused: yesNo('O plano ou a conexão não deixa enviar: `message-failed` segue.'),
      ...flowFields,
      ...contentFields,
    },
    {
      of: ({ content, automatic, flow, isRetry = false, isRefused = false }) => ({
        author: automatic ?? 'attendant',
        isRetry,
        isRefused,
        flowId: flow?.flowId,
        flowVersion: flow?.version,
        runId: flow?.runId,
        ...publishedContent(content),
      }),
    },
  ),
  MessageSent: published<'MessageSent'>()('message-sent', 'O WhatsApp aceitou a mensagem: um traço.', ofMessage),
  MessageDelivered: published<'MessageDelivered'>()(
    'message-delivered',
    'O aparelho do contato a recebeu: dois traços.',
    ofMessage,
  ),
  MessageRead: published<'MessageRead'>()('message-read', 'O contato a leu: dois traços azuis.', ofMessage),
  MessageFailed: published<'MessageFailed'>()('message-failed', 'A mensagem não vai chegar.', {
    ...ofMessage,
    code: failureCode('Por quê.'),
  }),
  MessageEdited: published<'MessageEdited'>()(
    'message-edited',
    'O autor editou a mensagem.',
    { ...ofMessage, editedAt: time('Quando.'), ...contentFields },
    { of: ({ content }) => publishedContent(content) },
  ),
  MessageDeleted: published<'MessageDeleted'>()('message-deleted', 'O autor apagou a mensagem para todos.', {
    ...ofMessage,
    by: author,
    deletedAt: time('Quando.'),
  }),
  EditQueued: published<'EditQueued'>()('edit-queued', 'Um atendente editou a mensagem: a edição vai sair.', {
    ...ofMessage,
    connectionId,
    attendantId,
    editedAt: time('Quando.'),
  }),
  DeletionQueued: published<'DeletionQueued'>()(
    'deletion-queued',
    'Um atendente apagou a mensagem para todos: o pedido vai sair.',
    { ...ofMessage, connectionId, attendantId, deletedAt: time('Quando.') },
  ),
  CorrectionFailed: published<'CorrectionFailed'>()('correction-failed', 'A edição ou exclusão não vai chegar.', {
    ...ofMessage,
    code: failureCode('Por quê.'),
  }),
  MessageReacted: published<'MessageReacted'>()(
    'message-reacted',
    'Alguém reagiu à mensagem.',
    { ...ofMessage, by: author, isRemoved, reactedAt: time('Quando.'), emoji },
    { of: removed },
  ),
  ReactionQueued: published<'ReactionQueued'>()(
    'reaction-queued',
    'Um atendente reagiu: a reação vai sair.',
    { ...ofMessage, connectionId, attendantId, isRemoved, emoji },
    { of: removed },
  ),
  ReactionFailed: published<'ReactionFailed'>()('reaction-failed', 'A reação não vai chegar.', {
    ...ofMessage,
    code: failureCode('Por quê.'),
  }),
  ChatSeen: published<'ChatSeen'>()('chat-seen', 'Um atendente abriu a conversa: tudo até aqui foi visto.', {
    contactId,
    attendantId,
  }),
  ChatErased: published<'ChatErased'>()(
    'chat-erased',
    'O contato foi apagado: não há mais mensagens. Apague as que guardou.',
    { contactId },
  ),
}
