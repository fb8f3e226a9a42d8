import type { LineCommand } from '@prosa/sessions/domain/line'
import { happens, oneOf, wholeBetween } from '../platform/random.ts'
import { randomUUID } from '../platform/random-ids.ts'
import { theWorld } from '../platform/world.ts'
import { lineOf } from '../whatsapp-network.ts'
import { type FlowName, flowDocuments } from './flows.ts'
import { reportOrder } from './kiwify.ts'
import type { Customer, Shop, Town } from './town.ts'

export interface Step {
  name: string
  weight: number
  run: (town: Town) => Promise<void>
}

interface ShownContact {
  id: string
  serviceStatus: string
  merged: { id: string }[]
}

const shopOf = ({ random, shops }: Town): Shop | undefined => {
  const [first, ...others] = shops.filter(({ isErased }) => !isErased)
  return first && oneOf(random, [first, ...others])
}

type CalledBy = 'number' | 'name' | 'both'

/** WhatsApp uses one of two addresses and rarely both; both together merge two contacts. */
const addressed = ({ phone, lid }: Customer, by: CalledBy) => {
  const [number, name] = [`${phone}@s.whatsapp.net`, `${lid}@lid`]
  return { chatJid: by === 'number' ? number : name, alternateJid: by === 'both' ? number : null }
}

const deliver = async (town: Town, shop: Shop, command: LineCommand, id: string) => {
  const receive = () =>
    town.cluster.persist((process) => lineOf(process.ports, shop.id, shop.connectionId).receive(command, id))
  const isRepeated = happens(town.random, 0.2)
  await Promise.all([receive(), ...(isRepeated ? [receive()] : [])])
  if (happens(town.random, 0.1)) await receive()
}

const slot = ({ cluster, random }: Town) => wholeBetween(random, 0, cluster.processes.length - 1)

const texts = ['oi', 'pergunta', 'espera', 'quero dois pães', 'sim'] as const

const customerOf = ({ random }: Town, { customers }: Shop): Customer | undefined => {
  const [first, ...others] = customers
  return first && oneOf(random, [first, ...others])
}

const write = async (town: Town, shop: Shop, customer: Customer, by: CalledBy, words: string): Promise<void> => {
  const { random } = town
  const text = `${words} ${town.word()}`
  const messageId = randomUUID().replaceAll('-', '').toUpperCase()
  const isLate = happens(random, 0.15)
  const sentAt = new Date(Date.parse(town.cluster.clock.now()) - (isLate ? wholeBetween(random, 1, 20) * 60_000 : 0))
  const { chatJid, alternateJid } = addressed(customer, by)
  if (happens(random, 0.15)) await theWorld().pause(wholeBetween(random, 1, 3000))
  town.written.push({ shop, customer, messageId, jids: [chatJid, ...(alternateJid ? [alternateJid] : [])], text })
  const data = {
    ...{ messageId, chatJid, alternateJid, fromMe: false, pushName: customer.name, raw: 'CgA=' },
    ...{ sentAt: sentAt.toISOString(), via: 'notify' as const, content: { kind: 'text' as const, text } },
  }
  await deliver(town, shop, { type: 'RecordArrival', data }, messageId)
}

const writes = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  const customer = shop && customerOf(town, shop)
  if (!shop || !customer) return
  await write(
    town,
    shop,
    customer,
    oneOf(town.random, ['number', 'number', 'name', 'name', 'both']),
    oneOf(town.random, texts),
  )
}

/** One person writes by all addresses in a row, so that merges meet other features. */
const insists = async (town: Town): Promise<void> => {
  const { random } = town
  const shop = shopOf(town)
  const customer = shop && customerOf(town, shop)
  if (!shop || !customer) return
  const ways: CalledBy[] = happens(random, 0.5)
    ? ['number', 'name', 'both', 'both']
    : ['name', 'number', 'both', 'name']
  for (const [index, by] of ways.entries()) {
    // Messages of the day get no reply of the following night.
    if (index === 1 && happens(random, 0.4)) town.cluster.moveClockTo(22)
    await write(town, shop, customer, by, oneOf(random, ['oi', ...texts]))
    if (happens(random, 0.3)) town.cluster.moveClock(oneOf(random, [1, 3, 11]))
    if (happens(random, 0.15)) void town.cluster.crash(slot(town)).catch((error) => theWorld().failures.push(error))
    await theWorld().pause(wholeBetween(random, 1, 400))
  }
}

/** A flow answers while a process ends and the person is merged. */
const rushes = async (town: Town): Promise<void> => {
  const { random, cluster } = town
  const shop = shopOf(town)
  const customer = shop && customerOf(town, shop)
  if (!shop || !customer) return
  await write(town, shop, customer, 'number', 'oi')
  await theWorld().pause(wholeBetween(random, 300, 900))
  await write(town, shop, customer, 'name', 'pergunta')
  await theWorld().pause(wholeBetween(random, 20, 250))
  const fault = happens(random, 0.6) ? cluster.crash(slot(town)) : cluster.freeze(slot(town))
  await Promise.all([fault, write(town, shop, customer, 'both', 'sim')])
}

/** May overtake its message, and may come after the account was erased. */
const corrects = async (town: Town): Promise<void> => {
  const [first, ...others] = town.written
  if (!first) return
  const { shop, messageId, jids } = oneOf(town.random, [first, ...others])
  const [chatJid = '', alternateJid = null] = jids
  const id = randomUUID().replaceAll('-', '').toUpperCase()
  const at = town.cluster.clock.now()
  const about = { messageId, chatJid, alternateJid, fromMe: false }
  const word = town.word()
  shop.words.push(word)
  const command: LineCommand = happens(town.random, 0.7)
    ? {
        type: 'RecordEdit',
        data: { ...about, editId: id, editedAt: at, content: { kind: 'text', text: `corrigido ${word}` } },
      }
    : { type: 'RecordDeletion', data: { ...about, deletionId: id, deletedAt: at } }
  await deliver(town, shop, command, id)
}

const contactOf = async (town: Town, shop: Shop): Promise<ShownContact | undefined> => {
  const { status, body } = await shop.browser.ask<ShownContact[]>('GET', '/api/whatsapp/contacts')
  if (status !== 200) return undefined
  const [first, ...others] = body
  return first && oneOf(town.random, [first, ...others])
}

const attends = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  const contact = shop && (await contactOf(town, shop))
  if (!shop || !contact) return
  const { random } = town
  const path = `/api/whatsapp/contacts/${contact.id}`
  const what = random()
  if (what < 0.2) await shop.browser.ask('PATCH', `${path}/status`, { status: 'attending' })
  else if (what < 0.45) await shop.browser.ask('PATCH', `${path}/status`, { status: 'resolved' })
  else if (what < 0.5) await shop.browser.ask('POST', `${path}/reopen`)
  else if (what < 0.6) await shop.browser.ask('POST', `${path}/seen`)
  else if (what < 0.65) await shop.browser.ask('POST', `${path}/line`, { connectionId: shop.connectionId })
  else {
    const text = `resposta ${town.word()}`
    const messageId = `3EB0${randomUUID().replaceAll('-', '').slice(0, 18).toUpperCase()}`
    const body = { contactId: contact.id, connectionId: shop.connectionId, message: text, messageId }
    const { status } = await shop.browser.ask('POST', '/api/whatsapp/send-message', body)
    if (status === 202) town.accepted.push({ shop, messageId, text })
  }
}

const separates = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (!shop) return
  const { body, status } = await shop.browser.ask<ShownContact[]>('GET', '/api/whatsapp/contacts')
  const merged = status === 200 ? body.find((each) => each.merged.length > 0) : undefined
  const [other] = merged?.merged ?? []
  if (merged && other)
    await shop.browser.ask('POST', `/api/whatsapp/contacts/${merged.id}/separate`, { contactId: other.id })
}

const erasesContact = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  const contact = shop && (await contactOf(town, shop))
  if (shop && contact) await shop.browser.ask('DELETE', `/api/whatsapp/contacts/${contact.id}`)
}

const week = (from: string, to: string) => Array.from({ length: 7 }, () => [{ from, to }])

export const setHours = async (shop: Shop): Promise<void> => {
  const hours = { timeZone: 'America/Sao_Paulo', week: week('08:00', '18:00'), holidays: [] }
  await shop.browser.ask('PUT', '/api/opening-hours', hours)
  await shop.browser.ask('PATCH', '/api/opening-hours/reply', { isOn: true })
}

const setsHours = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (shop) await setHours(shop)
}

export const publish = async (shop: Shop, name: FlowName): Promise<void> => {
  const made = await shop.browser.ask<{ id: string }>('POST', '/api/flows', { name, document: flowDocuments[name] })
  if (made.status !== 201) return
  const { status, body } = await shop.browser.ask('POST', `/api/flows/${made.body.id}/publish`, { basedOn: 0 })
  if (status === 409) throw new Error(`${name} was refused: ${JSON.stringify(body)}`)
}

const publishes = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (shop) await publish(shop, oneOf(town.random, ['pergunta', 'espera', 'fora']))
}

const movesClock = async ({ cluster, random }: Town): Promise<void> => {
  const what = random()
  if (what < 0.35) cluster.moveClockTo(22)
  else if (what < 0.5) cluster.moveClockTo(9)
  else cluster.moveClock(oneOf(random, [1, 5, 11, 31, 61]))
}

const movesAddress = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (!shop) return
  const email = oneOf(town.random, town.addresses as [string, ...string[]])
  const names = { firstName: 'Marina', lastName: 'Alves' }
  const { status } = await shop.browser.ask('PUT', '/api/auth/user', {
    ...names,
    email,
    currentPassword: shop.password,
  })
  if (status === 200) shop.email = email
}

const confirmsAddress = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (!shop) return
  const { status, body } = await shop.browser.ask<{ confirmationLink?: string }>('POST', '/api/auth/send-confirmation')
  if (status !== 200 || !body.confirmationLink) return
  const token = new URL(body.confirmationLink).searchParams.get('token')
  await shop.browser.ask('POST', '/api/auth/confirm-email', { token })
}

const buys = async (town: Town): Promise<void> => {
  const { random, sales } = town
  const [first, ...others] = sales
  if (first && happens(random, 0.35)) {
    const sale = oneOf(random, [first, ...others])
    sale.isRefunded = true
    return reportOrder(town, sale, 'order_refunded')
  }
  const before = first && happens(random, 0.3) ? oneOf(random, [first, ...others]) : undefined
  const orderId = `order-${sales.length}`
  const email = before?.email ?? oneOf(random, town.addresses as [string, ...string[]])
  const sale = { orderId, email, subscriptionId: before?.subscriptionId ?? `sub-${orderId}`, isRefunded: false }
  sales.push(sale)
  await reportOrder(town, sale, 'order_approved')
}

const signIn = async (shop: Shop) =>
  shop.browser.ask('POST', '/api/auth/login', { email: shop.email, password: shop.password })

const setsTemporaryPassword = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (!shop) return
  const password = `provisória ${town.word()}`
  const { status } = await town.admin.ask('POST', `/api/admin/users/${shop.id}/update-profile`, {
    password,
    reason: 'perdeu a senha',
  })
  if (status !== 200) return
  shop.password = password
  if (happens(town.random, 0.2)) return erases(town, shop)
  await signIn(shop)
  if (happens(town.random, 0.5)) return
  const newPassword = `própria ${town.word()}`
  const changed = await shop.browser.ask('PUT', '/api/auth/password', { currentPassword: password, newPassword })
  if (changed.status === 200) shop.password = newPassword
}

const erases = async (town: Town, shop: Shop): Promise<void> => {
  const { status } = await town.admin.ask('DELETE', `/api/admin/users/${shop.id}`, { reason: 'pediu por escrito' })
  if (status === 200) shop.isErased = true
}

const erasesAccount = async (town: Town): Promise<void> => {
  const shop = shopOf(town)
  if (shop) await erases(town, shop)
}

const faults: readonly Step[] = [
  { name: 'crash', weight: 5, run: (town) => town.cluster.crash(slot(town)) },
  { name: 'restart', weight: 1, run: (town) => town.cluster.restart(slot(town)) },
  { name: 'freeze', weight: 2, run: (town) => town.cluster.freeze(slot(town)) },
  { name: 'listeners lost', weight: 2, run: (town) => town.cluster.loseListeners() },
  {
    name: 'database away',
    weight: 2,
    async run({ random }) {
      const { faults, nowMs } = theWorld()
      faults.awayUntilMs = nowMs + wholeBetween(random, 50, 6000)
    },
  },
  {
    name: 'database slow',
    weight: 2,
    async run({ random }) {
      const { faults, nowMs } = theWorld()
      faults.slowUntilMs = nowMs + wholeBetween(random, 50, 3000)
    },
  },
]

export const steps: readonly Step[] = [
  { name: 'writes', weight: 30, run: writes },
  { name: 'insists', weight: 9, run: insists },
  { name: 'rushes', weight: 5, run: rushes },
  { name: 'corrects', weight: 6, run: corrects },
  { name: 'attends', weight: 14, run: attends },
  { name: 'separates', weight: 3, run: separates },
  { name: 'erases contact', weight: 1.5, run: erasesContact },
  { name: 'sets hours', weight: 2, run: setsHours },
  { name: 'publishes', weight: 3, run: publishes },
  { name: 'moves clock', weight: 9, run: movesClock },
  { name: 'moves address', weight: 4, run: movesAddress },
  { name: 'confirms address', weight: 5, run: confirmsAddress },
  { name: 'buys', weight: 6, run: buys },
  { name: 'sets temporary password', weight: 2, run: setsTemporaryPassword },
  { name: 'erases account', weight: 1.2, run: erasesAccount },
  ...faults,
]
