import { parseStream } from '@prosa/contracts/streams'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { erasedText } from '@prosa/contracts/values/personal'
import type { Stored } from '@prosa/kernel/event-store/codec'
import { shownContent } from '../chat-messages/shown-content.ts'

/** What stands where an order or a delivery names somebody else than the account. */
const somebodyElse = '[dado de outra pessoa]'

/**
 * Fields that name a secret, are one, or are only of use inside: the id of a password, of a link to set one or to confirm an
 * address, the token of a purchase link, the keyed hash of a buyer's address.
 */
export const withheldFields: readonly string[] = ['credentialId', 'resetId', 'requestId', 'token', 'buyerKey']

/** Streams that are in no copy, and why. LEIA-ME.txt names them. */
export const withheldCategories = {
  line: 'o que o WhatsApp entregou, antes de virar conversa: o conteúdo está nas conversas; o resto são as chaves com que o WhatsApp tranca cada arquivo',
  contactKey: 'códigos internos que ligam um telefone a um contato; o telefone está no contato',
  parkedWork: 'falhas internas do Prosa, sem dados de pessoas',
  readModelRebuild: 'reconstruções internas do Prosa, sem dados de pessoas',
  plan: 'os planos à venda, que são iguais para todos',
  refusedDeliveries: 'quantos avisos da Kiwify foram recusados, que não são de nenhuma conta',
} as const

type Data = Record<string, unknown>

const buyerFields = ['buyerName', 'buyerEmail', 'buyerDocument'] as const

const isOwn = (email: unknown, addresses: ReadonlySet<string>): boolean =>
  typeof email === 'string' && addresses.has(email.trim().toLowerCase())

/** A purchase may be another person's present, or claimed by an administrator: what it says of the buyer is shown to themselves only. */
const withoutOthers = (data: Data, addresses: ReadonlySet<string>): Data => {
  if (data.buyerEmail === erasedText || isOwn(data.buyerEmail, addresses)) return data
  const hidden = buyerFields.map((field) => [field, data[field] === null ? null : somebodyElse])
  return { ...data, ...Object.fromEntries(hidden) }
}

/** Whether an address stands in a report of Kiwify's as a whole text; not in one that is no JSON, or too deep to be looked through. */
const names = (text: string, addresses: ReadonlySet<string>): boolean => {
  let found = false
  try {
    JSON.parse(text, (_, value) => {
      found ||= isOwn(value, addresses)
      return value
    })
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false
    throw error
  }
  return found
}

/** The text of a report of Kiwify's, where it names an address of the account. */
const bodyOf = (body: string, addresses: ReadonlySet<string>): string => {
  if (body === erasedText) return body
  const text = Buffer.from(body, 'base64').toString()
  return names(text, addresses) ? text : somebodyElse
}

/** The data of an event for whom it is about: without secrets, and without other people. `addresses` are the account's own. */
export const shownData = ({ stream, type, data }: Stored, addresses: ReadonlySet<string>): Data => {
  const shown: Data = Object.fromEntries(Object.entries(data).filter(([field]) => !withheldFields.includes(field)))
  if (parseStream(stream).category === 'chat' && 'content' in data)
    shown.content = shownContent(data.content as MessageContent)
  if (type === 'DeliveryReceived') return { ...shown, body: bodyOf(data.body, addresses) }
  return type === 'OrderReported' ? withoutOthers(shown, addresses) : shown
}
