import type { connectionEvents, lineEvents, mediaEvents } from '../events/sessions.ts'
import { count, idField, oneOf, personalText, plainText, time } from './field.ts'
import { leftOut, type Publications, published } from './publication.ts'

const connectionId = idField('connection', 'A conexão: um número de WhatsApp da empresa.')
const only = { connectionId }
const until = (description: string) => time(description)
const phone = personalText('Número com país e área, só dígitos.', '5511912345678').nullable().optional()
const code = count('Código do WhatsApp.', 'código', 408)

export const publishedConnections: Publications<typeof connectionEvents> = {
  ConnectionAdded: published<'ConnectionAdded'>()('connection-added', 'Uma conexão foi criada.', {
    connectionId,
    network: oneOf(['whatsapp', 'simulator'], '`simulator`: telefones simulados, para testes.').optional(),
    name: personalText('O nome da conexão.', 'Balcão').optional(),
  }),
  LinkingStarted: published<'LinkingStarted'>()('linking-started', 'O WhatsApp dá códigos QR por algum tempo.', {
    connectionId,
    until: until('Até quando.'),
  }),
  LinkingDelayed: published<'LinkingDelayed'>()(
    'linking-delayed',
    'A leitura do código espera, porque muitas começam ao mesmo tempo.',
    only,
  ),
  QrCodeIssued: published<'QrCodeIssued'>()(
    'qr-code-issued',
    'O WhatsApp deu um código QR (o código não é guardado).',
    { connectionId, expiresAt: until('Vale até.') },
  ),
  PairingCodeIssued: published<'PairingCodeIssued'>()(
    'pairing-code-issued',
    'O WhatsApp deu um código para digitar no celular (o código não é guardado).',
    { connectionId, expiresAt: until('Vale até.'), phone },
  ),
  LinkingExpired: published<'LinkingExpired'>()('linking-expired', 'Ninguém leu o código a tempo.', only),
  NumberLinked: published<'NumberLinked'>()(
    'number-linked',
    'Um celular leu o código: a conexão tem um número.',
    { connectionId, phone, name: personalText('O nome no WhatsApp.', 'Mercado Lua').nullable().optional() },
    { of: ({ pushName }) => ({ name: pushName }) },
  ),
  LineOpened: published<'LineOpened'>()('connection-online', 'A conexão está no ar.', only),
  LineDropped: published<'LineDropped'>()('connection-dropped', 'A conexão caiu por enquanto; o Prosa tenta de novo.', {
    connectionId,
    code,
  }),
  ConnectionReplaced: published<'ConnectionReplaced'>()(
    'connection-replaced',
    'Outro programa tomou a conexão; o Prosa não a retoma.',
    only,
  ),
  ConnectionRefused: published<'ConnectionRefused'>()(
    'connection-refused',
    'O WhatsApp recusa o número; uma pessoa precisa agir.',
    { connectionId, code },
  ),
  NumberUnlinked: published<'NumberUnlinked'>()('number-unlinked', 'O celular removeu este aparelho.', only),
  ConnectionDisconnected: published<'ConnectionDisconnected'>()(
    'connection-disconnected',
    'A empresa desconectou o número.',
    only,
  ),
  ConnectionRemoved: published<'ConnectionRemoved'>()('connection-removed', 'A empresa apagou a conexão.', only),
}

const beforeContact = (published: string) =>
  `what a line receives or sends before its contact is known; ${published} says the same of the conversation`

export const publishedLines: Publications<typeof lineEvents> = {
  MessageArrived: leftOut(beforeContact('message-received or message-sent-from-phone')),
  EditArrived: leftOut(beforeContact('message-edited')),
  DeletionArrived: leftOut(beforeContact('message-deleted')),
  ReactionArrived: leftOut(beforeContact('message-reacted')),
  MessageDispatched: leftOut(beforeContact('message-sent')),
  DeliveryReported: leftOut(beforeContact('message-delivered or message-read')),
  DispatchFailed: leftOut(beforeContact('message-failed')),
}

const mediaId = idField('media', 'O arquivo.')
const contactId = idField('contact', 'O contato com quem é a conversa.')

export const publishedMedia: Publications<typeof mediaEvents> = {
  MediaStored: published<'MediaStored'>()('file-stored', 'Um arquivo foi guardado.', {
    mediaId,
    contactId: contactId.nullable(),
    mediaType: plainText('Tipo do arquivo, conferido.', 'image/jpeg'),
    bytes: count('Tamanho.', 'bytes', 52_100),
  }),
  MediaUnavailable: published<'MediaUnavailable'>()('file-unavailable', 'Um arquivo não pôde ser buscado.', {
    mediaId,
    contactId,
    reason: oneOf(
      ['expired', 'too_large', 'wrong_type', 'foreign_host', 'damaged', 'out_of_reach', 'no_room'],
      'Por quê.',
    ),
  }),
  MediaAskedAgain: published<'MediaAskedAgain'>()('file-requested-again', 'Um arquivo será buscado outra vez.', {
    mediaId,
    contactId,
  }),
  MediaErased: published<'MediaErased'>()(
    'file-erased',
    'Um arquivo foi apagado: com seu contato ou sua conta, ou por não ter sido enviado em um dia.',
    { mediaId },
  ),
}
