import { readdirSync, readFileSync } from 'node:fs'
import type { AnyEvent, EventType } from '@prosa/contracts/events/all-events'
import * as automation from '@prosa/contracts/events/automation'
import * as billing from '@prosa/contracts/events/billing'
import * as contacts from '@prosa/contracts/events/contacts'
import * as identity from '@prosa/contracts/events/identity'
import * as operations from '@prosa/contracts/events/operations'
import * as sessions from '@prosa/contracts/events/sessions'
import { webhookEvents } from '@prosa/contracts/events/webhooks'
import { parseStream } from '@prosa/contracts/streams'
import { at, idOf, type TestLog } from '@prosa/kernel/consumers/testing/test-log'
import type { Position } from '@prosa/kernel/event-store/port'

export const [ana, rui, bia] = [idOf('ana'), idOf('administrator'), idOf('bia')]
export const [thiago, hidden, erased, hers] = ['thiago', 'hidden', 'erased', 'contact of bia'].map(idOf) as [
  string,
  string,
  string,
  string,
]
const connectionId = idOf('line')
export const [photo, lost] = [idOf('photo'), idOf('lost')]
export const menu = idOf('menu')
export const portrait = idOf('portrait')
/** Must not appear in any copy. */
export const secrets = ['CHAVE-DO-ARQUIVO', 'TOKEN-DE-COMPRA', 'CHAVE-DO-COMPRADOR', 'cHJvdG9jb2xv', idOf('password')]

/** A test fails for a missing event type. */
export const kinds: [schemas: object, stream: (type: string) => string][] = [
  [identity.userEvents, () => `user-${ana}`],
  [identity.emailClaimEvents, () => 'emailClaim-hash'],
  [identity.passwordResetEvents, () => `passwordReset-${ana}`],
  [identity.companyEvents, () => `company-${ana}`],
  [identity.supportRequestEvents, () => `supportRequest-${idOf('request')}`],
  [billing.subscriptionEvents, () => `subscription-${ana}`],
  [contacts.contactEvents, (type) => `contact-${idOf(type)}`],
  [contacts.chatEvents, (type) => `chat-${idOf(type)}`],
  [automation.flowFolderEvents, (type) => `flowFolder-${idOf(type)}`],
  [automation.flowEvents, (type) => `flow-${idOf(type)}`],
  [automation.defaultFlowEvents, () => `defaultFlow-${ana}`],
  [automation.flowOrderEvents, () => `flowOrder-${ana}`],
  [automation.flowSecretEvents, () => `flowSecret-${ana}`],
  [automation.flowRunEvents, (type) => `flowRun-${idOf(type)}`],
  [contacts.contactKeyEvents, () => `contactKey-${ana}:hash`],
  [contacts.quickReplyEvents, () => `quickReply-${ana}`],
  [contacts.labelEvents, () => `label-${ana}`],
  [contacts.contactFieldEvents, () => `contactField-${ana}`],
  [contacts.openingHoursEvents, () => `openingHours-${ana}`],
  [sessions.connectionEvents, (type) => `connection-${idOf(type)}`],
  [sessions.lineEvents, () => `line-${connectionId}`],
  [operations.tenantReadingEvents, (type) => `tenantReading-${rui}:${type === 'TenantsRead' ? 'contacts' : ana}`],
  [operations.dataExportEvents, (type) => `dataExport-${ana}:${idOf(type)}`],
  [operations.apiKeyEvents, () => `apiKey-${ana}:${idOf('key')}`],
  [webhookEvents, () => `webhook-${ana}`],
  [operations.streamExportEvents, () => `streamExport-${ana}:${idOf('key')}:2026-11-27`],
]
/** Tested separately. */
const apart: readonly string[] = [
  'UserErased',
  'UserRegistered',
  'ContactMerged',
  'ContactAbsorbed',
  'ContactSeparated',
]
const folder = new URL('../../../../contracts/src/events/golden/', import.meta.url)
export const golden = readdirSync(folder).map(
  (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { type: EventType; data: object },
)

/** Every event type for Ana, an administrator and another tenant; returns the last position. */
export const storeEverything = async (log: Pick<TestLog, 'append'>): Promise<Position> => {
  let position = '' as Position
  const append = async (tenant: string | null, stream: string, event: AnyEvent) => {
    position = await log.append(tenant, stream, event)
  }
  await storeAccounts(append)
  await storeConversation(append)
  await storePurchases(append)
  return position
}

type Append = (tenant: string | null, stream: string, event: AnyEvent) => Promise<void>

const register = (append: Append, id: string, firstName: string, email: string) =>
  append(id, `user-${id}`, {
    type: 'UserRegistered',
    data: { firstName, lastName: 'Souza', email, credentialId: idOf('password') },
  })
const addContact = (append: Append, tenant: string, id: string, name: string, phone: string) =>
  append(tenant, `contact-${id}`, { type: 'ContactAdded', data: { name, phone, lid: null, origin: 'message' } })
const receive = (append: Append, tenant: string, id: string, messageId: string, text: string) =>
  append(tenant, `chat-${id}`, {
    type: 'MessageReceived',
    data: { messageId, connectionId, content: { kind: 'text', text }, sentAt: at(60) },
  })
const report = (orderId: string, buyerEmail: string): AnyEvent => ({
  type: 'OrderReported',
  data: {
    deliveryId: `delivery-${orderId}`,
    kind: 'order_approved',
    orderRef: orderId.toUpperCase(),
    subscriptionId: null,
    productId: null,
    productName: 'Plano Pro',
    amountCents: 9700,
    paymentMethod: 'pix',
    occurredAt: at(5),
    accessUntil: null,
    accessDays: 30,
    token: 'TOKEN-DE-COMPRA',
    buyerKey: 'CHAVE-DO-COMPRADOR',
    buyerName: `Quem comprou ${orderId}`,
    buyerEmail,
    buyerDocument: `CPF de ${orderId}`,
  },
})
const purchase = async (append: Append, orderId: string, buyerEmail: string) => {
  const body = Buffer.from(JSON.stringify({ Customer: { email: buyerEmail, mobile: `celular ${orderId}` } }))
  await append(null, `webhookDelivery-delivery-${orderId}`, {
    type: 'DeliveryReceived',
    data: { endpoint: 'approved', body: body.toString('base64'), bytes: body.length, expiresAt: at(99_999) },
  })
  await append(null, `order-${orderId}`, report(orderId, buyerEmail))
  await append(null, `webhookDelivery-delivery-${orderId}`, {
    type: 'DeliveryApplied',
    data: { kind: 'order_approved', orderId },
  })
  await append(null, `order-${orderId}`, { type: 'OrderAssigned', data: { userId: ana, by: 'administrator' } })
}

const appendGolden = async (append: Append) => {
  for (const { type, data } of golden) {
    const streamOf = kinds.find(([schemas]) => Object.hasOwn(schemas, type))?.[1]
    if (!streamOf || apart.includes(type)) continue
    const stream = streamOf(type)
    const { category, id } = parseStream(stream)
    if (category === 'contact' || category === 'chat' || category === 'flowRun')
      await addContact(append, ana, id, `De ${type}`, '5511900000000')
    const own = 'userId' in data ? { ...data, userId: ana } : data
    await append(category === 'emailClaim' ? null : ana, stream, { type, data: own } as AnyEvent)
  }
}

const storeAccounts = async (append: Append) => {
  await register(append, rui, 'Rui', 'rui@prosa.com.br')
  await append(rui, `user-${rui}`, { type: 'RoleGranted', data: { role: 'admin' } })
  await register(append, ana, 'Ana', 'ana@padaria.com.br')
  await appendGolden(append)
  await append(ana, `user-${ana}`, { type: 'ProfilePhotoChanged', data: { photoId: portrait, formerPhotoId: null } })
  await register(append, bia, 'Bia', 'bia@floricultura.com.br')
  await addContact(append, bia, hers, 'Segredo de Bia', '5511977776666')
  await receive(append, bia, hers, 'm1', 'segredo da floricultura')
}

const storeConversation = async (append: Append) => {
  await addContact(append, ana, thiago, 'Thiago', '5511988776655')
  await addContact(append, ana, hidden, 'Thiago antigo', '551188776655')
  await append(ana, `contact-${thiago}`, {
    type: 'ContactNoteWritten',
    data: { noteId: idOf('note'), text: 'Paga no fim do mês', attendantId: ana },
  })
  await receive(append, ana, hidden, 'm0', 'primeira mensagem')
  await receive(append, ana, thiago, 'm1', 'bom dia')
  await append(ana, `chat-${thiago}`, {
    type: 'MessageEdited',
    data: { messageId: 'm1', content: { kind: 'text', text: 'boa tarde' }, editedAt: at(70) },
  })
  for (const [messageId, id] of [
    ['m2', photo],
    ['m3', lost],
  ] as const) {
    const source = { mediaKey: 'CHAVE-DO-ARQUIVO', directPath: '/v/x', url: null, fileSha256: null }
    await append(ana, `chat-${thiago}`, {
      type: 'MessageReceived',
      data: {
        messageId,
        connectionId,
        content: { kind: 'image', caption: 'o bolo', file: { id, mediaType: 'image/jpeg', bytes: 4, source } },
        sentAt: at(80),
      },
    })
    await append(ana, `media-${id}`, {
      type: 'MediaStored',
      data: { contactId: thiago, mediaType: 'image/jpeg', bytes: 4, sha256: 'f'.repeat(64) },
    })
  }
  await append(ana, `media-${menu}`, {
    type: 'MediaStored',
    data: { contactId: null, mediaType: 'image/png', bytes: 7, sha256: 'f'.repeat(64) },
  })
  const file = { id: menu, mediaType: 'image/png', bytes: 7, source: null }
  await append(ana, `chat-${thiago}`, {
    type: 'MessageQueued',
    data: {
      ...{ messageId: 'm4', connectionId, toJid: '1@lid', attendantId: ana, automatic: 'flow' },
      content: { kind: 'image', caption: 'o cardápio', file },
    },
  })
  await append(ana, `contact-${hidden}`, { type: 'ContactAbsorbed', data: { into: thiago } })
  await append(ana, `contact-${thiago}`, { type: 'ContactMerged', data: { absorbed: hidden } })
}

const storePurchases = async (append: Append) => {
  await addContact(append, ana, erased, '[apagado]', '5511900000009')
  await append(ana, `contact-${erased}`, { type: 'ContactErased', data: {} })
  await purchase(append, 'abc', 'Ana@Padaria.com.br')
  // Its address ends like Ana's.
  await purchase(append, 'presente', 'mariana@padaria.com.br')
  await append(ana, `line-${connectionId}`, {
    type: 'MessageArrived',
    data: {
      messageId: 'm1',
      chatJid: '1@lid',
      alternateJid: null,
      fromMe: false,
      pushName: null,
      sentAt: at(60),
      via: 'notify',
      content: { kind: 'text', text: 'bom dia' },
      raw: 'cHJvdG9jb2xv',
    },
  })
}
