import type { contactEvents } from '@prosa/contracts/events/contacts'
import { parseStream } from '@prosa/contracts/streams'
import { erasedText } from '@prosa/contracts/values/personal'
import { formatPhone } from '@prosa/contracts/values/phone'
import type { Stored } from '@prosa/kernel/event-store/codec'
import type { Names } from '../sentences/sentence.ts'
import { momentOf, quoted } from '../sentences/words.ts'
import { erasedRule } from './others.ts'
import { always, type Facts, type Rules } from './rule.ts'

interface Known {
  phone: string | null
  whatsappName: string | null
  givenName: string | null
}

const nobody: Known = { phone: null, whatsappName: null, givenName: null }

/** Of one contact alone, so that both names before a merge stay visible. */
const knownFrom = (events: readonly Stored[]): Known => {
  const known = { ...nobody }
  for (const event of events) {
    if (event.type === 'ContactAdded' || event.type === 'ContactIdentified') known.phone = event.data.phone
    if (event.type === 'ContactAdded' || event.type === 'ContactNamed') known.whatsappName = event.data.name
    if (event.type === 'ContactRenamed') known.givenName = event.data.name
  }
  return known
}

const nameOf = ({ phone, whatsappName, givenName }: Known): string => {
  const name = givenName ?? whatsappName ?? (phone === null ? null : formatPhone(phone))
  return name === null ? 'sem nome' : quoted(name)
}

const contactStream = (id: string) => `contact-${id}`
const ownId = ({ stream }: { stream: string }) => parseStream(stream).id

const who = 'quem atende pode separá-los em Detalhes, em “Contatos unidos”'

const mergedBy = (survivor: Known, absorbed: Known): string => {
  const phone = survivor.phone ?? absorbed.phone
  const isErased = [survivor, absorbed].some(({ whatsappName }) => whatsappName === erasedText)
  const shown = phone === null ? (isErased ? erasedText : 'sem telefone informado') : formatPhone(phone)
  return [
    `o WhatsApp informou que os dois são o mesmo número (${shown})`,
    `antes: ${nameOf(survivor)} e ${nameOf(absorbed)}`,
    'fica o mais antigo',
    who,
  ].join('; ')
}

const partners: readonly Stored['type'][] = ['ContactMerged', 'RobotSuspected']

/** Recorded in one append with the event. */
const besideOf = (
  { stream, metadata: { causationId, recordedAt } }: Stored,
  facts: Facts,
): Stored['type'] | undefined =>
  facts
    .earlier(stream)
    .filter(({ metadata }) => metadata.causationId === causationId && metadata.recordedAt === recordedAt)
    .map(({ type }) => type)
    .findLast((type) => partners.includes(type))

const reopenedBy = (event: Stored, facts: Facts, names: Names): string => {
  const beside = besideOf(event, facts)
  if (beside === 'ContactMerged') return 'o contato unido ainda aguardava'
  if (beside === 'RobotSuspected') return 'os fluxos pararam, e a conversa espera por uma pessoa'
  const { actor } = event.metadata
  const person = names.contact(ownId(event))
  if (actor.kind !== 'whatsapp') return 'um fluxo passou a conversa a uma pessoa'
  const message = facts.nextMessage
  const what = message
    ? `a mensagem de ${person} de ${momentOf(message.sentAt)}, recebida por ${quoted(names.connection(message.connectionId ?? actor.id))}`
    : `uma mensagem de ${person}, recebida por ${quoted(names.connection(actor.id))}`
  return `${what}; quem escreve depois de “Resolvido” volta a “Aguardando”`
}

const recent = { fromRecent: true } as const

const separated = always('depois de separados, os dois nunca mais são unidos sem que alguém peça')
const passedOn = always('o WhatsApp informou o número com outra conta: números passam de uma pessoa a outra')

const starts = {
  message: 'quem escreve pela primeira vez entra em “Aguardando”',
  attendant: 'um contato adicionado entra em “Aguardando”',
  phone: 'a conversa começou pelo celular da loja: ninguém aguarda, e ela entra em “Resolvido”',
}

export const contactRules = {
  ContactAdded: { words: ({ data }) => starts[data.origin] },
  ContactNamed: { words: always('é o nome que a pessoa usa no WhatsApp; o que a loja dá vale mais') },
  ContactRenamed: {
    words: ({ data }) =>
      data.name === null
        ? 'sem um nome dado pela loja, vale o do WhatsApp'
        : 'o nome que a loja dá vale mais que o do WhatsApp',
  },
  ContactIdentified: { words: always('o endereço vem do WhatsApp, com uma mensagem ou uma consulta') },
  ContactLabelled: {
    ...recent,
    words: (event, facts) =>
      besideOf(event, facts) === 'ContactMerged'
        ? 'o contato unido já a tinha'
        : 'uma etiqueta fica até que alguém a tire',
  },
  ContactFieldSet: {
    ...recent,
    words: (event, facts) =>
      besideOf(event, facts) === 'ContactMerged'
        ? 'o contato unido já o tinha, e este não'
        : 'um campo fica como foi preenchido por último',
  },
  ContactUnlabelled: { words: always('só quem atende, um fluxo ou um programa tira uma etiqueta') },
  ConversationAccepted: {
    ...recent,
    words: (event, facts) =>
      besideOf(event, facts) === 'ContactMerged'
        ? 'o contato unido estava em atendimento'
        : 'quem aceita uma conversa que aguarda passa a atendê-la',
  },
  ConversationResumed: { words: always('quem retoma uma conversa resolvida passa a atendê-la') },
  ConversationResolved: {
    words: ({ data: { flowId } }) =>
      flowId === undefined
        ? 'só uma conversa em atendimento é finalizada; ela volta a aguardar quando o contato escreve'
        : 'um fluxo finaliza só o que nenhuma pessoa atende; quem depois só agradece, no tempo que o fluxo dá, não a reabre',
  },
  ConversationReopened: { ...recent, words: reopenedBy },
  LineChosen: { words: always('a escolha vale até o contato escrever a outro número') },
  RobotSuspected: {
    words: always(
      'acima deste limite os fluxos param, até a conversa ser finalizada ou alguém dizer que não é um robô',
    ),
  },
  ContactMerged: {
    streams: ({ stream, data }) => [stream, contactStream(data.absorbed)],
    words: (event, facts) =>
      mergedBy(knownFrom(facts.earlier(event.stream)), knownFrom(facts.earlier(contactStream(event.data.absorbed)))),
  },
  ContactAbsorbed: {
    streams: ({ stream, data }) => [stream, contactStream(data.into)],
    words: (event, facts) =>
      mergedBy(knownFrom(facts.earlier(contactStream(event.data.into))), knownFrom(facts.earlier(event.stream))),
  },
  ContactSeparated: { words: separated },
  ContactNumberPassedOn: { words: passedOn },
  ContactNumberTakenOver: { words: passedOn },
  ContactRestored: { words: separated },
  RobotSuspicionCleared: { words: always('sem a suspeita, os fluxos podem começar de novo') },
  ContactErased: { words: erasedRule },
} satisfies Rules<keyof typeof contactEvents>
