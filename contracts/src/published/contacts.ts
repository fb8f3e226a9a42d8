import type {
  contactEvents,
  contactFieldEvents,
  contactKeyEvents,
  labelEvents,
  openingHoursEvents,
  quickReplyEvents,
} from '../events/contacts.ts'
import { answerTypes } from '../values/answers/answer-type.ts'
import { labelColours } from '../values/label-colour.ts'
import { count, idField, listOf, oneOf, personalText, plainText, time, yesNo } from './field.ts'
import { attendantId, connectionId } from './message-fields.ts'
import { leftOut, type Publications, published } from './publication.ts'

const contactId = idField('contact', 'O contato: uma pessoa, como uma empresa a conhece.')
const otherContact = (description: string) => idField('contact', description)
const labelId = idField('label', 'A etiqueta.')
const fieldId = idField('field', 'O campo.')
const fieldType = oneOf(answerTypes, 'O que o campo guarda.')
const fieldName = personalText('Nome do campo.', 'Data de nascimento').optional()
const noteId = idField('note', 'A nota.')
const phone = personalText('Número com país e área, só dígitos.', '5511912345678').nullable().optional()
const contactName = personalText('Nome do contato.', 'Ana Lima').nullable().optional()

export const publishedContacts: Publications<typeof contactEvents> = {
  ContactAdded: published<'ContactAdded'>()(
    'contact-added',
    'Uma pessoa escreveu pela primeira vez, ou um atendente adicionou o número: a conversa espera (`phone`: o lado da empresa escreveu antes, e ela começa resolvida).',
    {
      contactId,
      origin: oneOf(['message', 'attendant', 'phone'], 'Como começou.'),
      phone,
      name: contactName,
    },
  ),
  ContactIdentified: published<'ContactIdentified'>()(
    'contact-identified',
    'O WhatsApp informou outro endereço da mesma pessoa.',
    { contactId, phone },
  ),
  ContactNamed: published<'ContactNamed'>()('contact-named', 'O nome da pessoa no WhatsApp mudou.', {
    contactId,
    name: contactName,
  }),
  ContactRenamed: published<'ContactRenamed'>()('contact-renamed', 'Um atendente deu outro nome ao contato.', {
    contactId,
    name: contactName,
  }),
  ContactNoteWritten: published<'ContactNoteWritten'>()('contact-note-written', 'Um atendente escreveu uma nota.', {
    contactId,
    noteId,
    attendantId,
    text: personalText('A nota.', 'Prefere falar à tarde.').optional(),
  }),
  ContactNoteRemoved: published<'ContactNoteRemoved'>()('contact-note-removed', 'Um atendente apagou uma nota.', {
    contactId,
    noteId,
  }),
  ContactLabelled: published<'ContactLabelled'>()('contact-labelled', 'O contato recebeu uma etiqueta.', {
    contactId,
    labelId,
  }),
  ContactFieldSet: published<'ContactFieldSet'>()(
    'contact-field-set',
    'Um campo próprio do contato foi preenchido por um atendente ou um fluxo, ou esvaziado (nulo).',
    { contactId, fieldId, fieldType, value: personalText('O valor.', '1985-03-15').nullable().optional() },
    { of: ({ type }) => ({ fieldType: type }) },
  ),
  ContactUnlabelled: published<'ContactUnlabelled'>()(
    'contact-unlabelled',
    'Uma etiqueta foi tirada do contato (uma etiqueta apagada não registra nada aqui).',
    { contactId, labelId },
  ),
  ConversationAccepted: published<'ConversationAccepted'>()(
    'conversation-accepted',
    'Um atendente tirou a conversa da espera.',
    { contactId, attendantId },
  ),
  ConversationResolved: published<'ConversationResolved'>()(
    'conversation-resolved',
    'O atendente finalizou a conversa, ou um fluxo.',
    { contactId, attendantId, flowId: idField('flow', 'O fluxo que finalizou; ausente: uma pessoa.').optional() },
  ),
  ConversationReopened: published<'ConversationReopened'>()(
    'conversation-reopened',
    'O contato de uma conversa resolvida escreveu: ela espera de novo.',
    { contactId },
  ),
  ConversationResumed: published<'ConversationResumed'>()(
    'conversation-resumed',
    'Um atendente reabriu a conversa e a atende.',
    { contactId, attendantId },
  ),
  LineChosen: published<'LineChosen'>()(
    'reply-connection-chosen',
    'Um atendente escolheu por qual conexão responder, até o contato escrever a outra.',
    { contactId, connectionId, attendantId, chosenAt: time('Quando escolheu.') },
  ),
  RobotSuspected: published<'RobotSuspected'>()(
    'robot-suspected',
    'Fluxos passaram de um limite com este contato: param, e a conversa espera por uma pessoa.',
    {
      contactId,
      reason: oneOf(['starts', 'messages'], 'O limite: inícios de fluxos ou mensagens.'),
      count: count('Quantos foram.', 'inícios ou mensagens', 20),
      withinSeconds: count('Em quanto tempo.', 'segundos', 600),
    },
  ),
  RobotSuspicionCleared: published<'RobotSuspicionCleared'>()(
    'robot-suspicion-cleared',
    'A suspeita acabou; sem atendente: os fluxos voltaram por outra razão.',
    { contactId, attendantId: attendantId.nullable() },
  ),
  ContactMerged: published<'ContactMerged'>()(
    'contact-merged',
    'Dois contatos são uma pessoa: este continua por ambos.',
    { contactId, absorbedId: otherContact('O que some neste.') },
    { of: ({ absorbed }) => ({ absorbedId: absorbed }) },
  ),
  ContactAbsorbed: published<'ContactAbsorbed'>()(
    'contact-absorbed',
    'O contato é a mesma pessoa que outro, que continua por ambos.',
    { contactId, intoId: otherContact('O que continua.') },
    { of: ({ into }) => ({ intoId: into }) },
  ),
  ContactSeparated: published<'ContactSeparated'>()(
    'contact-separated',
    'Um atendente desfez uma união.',
    { contactId, restoredId: otherContact('O que volta a ser outra pessoa.') },
    { of: ({ restored }) => ({ restoredId: restored }) },
  ),
  ContactRestored: published<'ContactRestored'>()(
    'contact-restored',
    'Uma união foi desfeita: este contato volta a existir.',
    { contactId, fromId: otherContact('De qual se separou.') },
    { of: ({ from }) => ({ fromId: from }) },
  ),
  ContactNumberPassedOn: published<'ContactNumberPassedOn'>()(
    'contact-number-passed-on',
    'O número passou a outro contato, talvez a outra pessoa.',
    { contactId, toId: otherContact('Quem tem o número agora.') },
    { of: ({ to }) => ({ toId: to }) },
  ),
  ContactNumberTakenOver: published<'ContactNumberTakenOver'>()(
    'contact-number-taken-over',
    'O contato recebeu o número de outro.',
    { contactId, fromId: otherContact('Quem tinha o número.') },
    { of: ({ from }) => ({ fromId: from }) },
  ),
  ContactErased: published<'ContactErased'>()(
    'contact-erased',
    'Os dados da pessoa foram apagados. Apague o que guardou deste contato.',
    { contactId },
  ),
}

const keyReason = 'says which contact has a phone number; its stream is named by a keyed hash of the number'

export const publishedContactKeys: Publications<typeof contactKeyEvents> = {
  ContactKeyClaimed: leftOut(keyReason),
  ContactKeyMoved: leftOut(keyReason),
  ContactKeyReleased: leftOut(keyReason),
}

const quickReplyId = idField('quickReply', 'A resposta rápida.')
const quickReplyFields = {
  quickReplyId,
  isActive: yesNo('Pode ser usada.'),
  shortcut: personalText('O atalho.', 'ola').optional(),
  text: personalText('O texto.', 'Olá! Como podemos ajudar?').optional(),
}

export const publishedQuickReplies: Publications<typeof quickReplyEvents> = {
  QuickReplyAdded: published<'QuickReplyAdded'>()(
    'quick-reply-added',
    'Uma resposta rápida foi criada.',
    quickReplyFields,
    { of: ({ content }) => ({ text: content }) },
  ),
  QuickReplyChanged: published<'QuickReplyChanged'>()(
    'quick-reply-changed',
    'Uma resposta rápida mudou.',
    quickReplyFields,
    { of: ({ content }) => ({ text: content }) },
  ),
  QuickReplyRemoved: published<'QuickReplyRemoved'>()('quick-reply-removed', 'Uma resposta rápida foi apagada.', {
    quickReplyId,
  }),
}

export const publishedOpeningHours: Publications<typeof openingHoursEvents> = {
  OpeningHoursSet: published<'OpeningHoursSet'>()(
    'opening-hours-set',
    'O horário de atendimento foi definido, inteiro.',
    {
      timeZone: plainText('Fuso, nome da IANA.', 'America/Sao_Paulo'),
      openMinutes: listOf(
        count('Minutos abertos no dia.', 'minutos'),
        'Minutos abertos por dia da semana, desde domingo.',
        [0, 540, 540, 540, 540, 540, 240],
      ),
      holidays: count('Dias com horário próprio.', 'dias', 12),
    },
    { of: ({ week, holidays }) => ({ openMinutes: week.map(minutesOf), holidays: holidays.length }) },
  ),
  OutOfHoursReplyWritten: published<'OutOfHoursReplyWritten'>()(
    'out-of-hours-reply-written',
    'A resposta de fora do horário foi escrita.',
    { text: personalText('A resposta.', 'Agora estamos fechados.').optional() },
  ),
  OutOfHoursReplyTurnedOn: published<'OutOfHoursReplyTurnedOn'>()(
    'out-of-hours-reply-turned-on',
    'A resposta de fora do horário foi ligada.',
  ),
  OutOfHoursReplyTurnedOff: published<'OutOfHoursReplyTurnedOff'>()(
    'out-of-hours-reply-turned-off',
    'A resposta de fora do horário foi desligada.',
  ),
}

const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function minutesOf(intervals: readonly { from: string; to: string }[]): number {
  return intervals.reduce((sum, { from, to }) => sum + minutes(to) - minutes(from), 0)
}

const labelName = personalText('Nome da etiqueta.', 'Orçamento').optional()
const colour = oneOf(labelColours, 'A cor.')

export const publishedLabels: Publications<typeof labelEvents> = {
  LabelCreated: published<'LabelCreated'>()('label-created', 'Uma etiqueta foi criada.', {
    labelId,
    colour,
    name: labelName,
  }),
  LabelRenamed: published<'LabelRenamed'>()('label-renamed', 'Uma etiqueta mudou de nome.', {
    labelId,
    name: labelName,
  }),
  LabelRecoloured: published<'LabelRecoloured'>()('label-recoloured', 'Uma etiqueta mudou de cor.', {
    labelId,
    colour,
  }),
  LabelDeleted: published<'LabelDeleted'>()('label-deleted', 'Uma etiqueta foi apagada, e sai de todos os contatos.', {
    labelId,
  }),
}

export const publishedContactFields: Publications<typeof contactFieldEvents> = {
  ContactFieldCreated: published<'ContactFieldCreated'>()(
    'contact-field-created',
    'Um campo próprio dos contatos foi criado.',
    {
      fieldId,
      fieldType,
      name: fieldName,
      variable: personalText('Como textos o chamam.', 'data_de_nascimento').optional(),
    },
    { of: ({ type }) => ({ fieldType: type }) },
  ),
  ContactFieldRenamed: published<'ContactFieldRenamed'>()('contact-field-renamed', 'Um campo mudou de nome.', {
    fieldId,
    name: fieldName,
  }),
  ContactFieldDeleted: published<'ContactFieldDeleted'>()(
    'contact-field-deleted',
    'Um campo foi apagado, e sai de todos os contatos.',
    { fieldId },
  ),
}
