import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { erasedText } from '@prosa/contracts/values/personal'
import { shownContent } from '../chat-messages/shown-content.ts'

/** For other people's data. */
const somebodyElse = '[dado de outra pessoa]'

/** Fields of events that are in no copy, and why. A test asks for all others. */
export const withheldFields = {
  credentialId: 'names the password',
  resetId: 'names the link to a new password',
  requestId: 'names the link to a new address',
  token: 'claims a purchase',
  secretId: 'names the secret of a webhook',
  encrypted: 'a secret of a request',
  keyId: 'names the key of such a secret',
  buyerKey: 'a keyed hash of the buyer',
  'content.file.source': 'opens a file in the network of WhatsApp',
} as const

/** Excluded, with reasons for LEIA-ME.txt. */
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

/** The buyer may be another person. */
const withoutOthers = (data: Data, addresses: ReadonlySet<string>): Data => {
  if (data.buyerEmail === erasedText || isOwn(data.buyerEmail, addresses)) return data
  const hidden = buyerFields.map((field) => [field, data[field] === null ? null : somebodyElse])
  return { ...data, ...Object.fromEntries(hidden) }
}

/** As a whole JSON string; false for invalid or too deep JSON. */
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

/** If it names the account's address. */
const bodyOf = (body: string, addresses: ReadonlySet<string>): string => {
  if (body === erasedText) return body
  const text = Buffer.from(body, 'base64').toString()
  return names(text, addresses) ? text : somebodyElse
}

/** Without secrets and other people's data. `addresses`: the account's. */
export const shownData = ({ type, data }: AnyEvent, addresses: ReadonlySet<string>): Data => {
  const shown: Data = Object.fromEntries(
    Object.entries(data).filter(([field]) => !Object.hasOwn(withheldFields, field)),
  )
  // That of a quick reply is a text.
  if ('content' in data && typeof data.content === 'object') shown.content = shownContent(data.content)
  if (type === 'DeliveryReceived') return { ...shown, body: bodyOf(data.body, addresses) }
  return type === 'OrderReported' ? withoutOthers(shown, addresses) : shown
}
