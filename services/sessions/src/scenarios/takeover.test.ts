import { randomBytes } from 'node:crypto'
import type { Host } from '@prosa/kernel/host'
import { until } from '@prosa/kernel/testing/until'
import type { IncomingMessage } from '@prosa/sandbox/phone/phone-events'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type OtherProcess, otherProcess } from '../testing/other-process.ts'
import { openShop, type Shop } from '../testing/shop.ts'

const holders = async ({ ports }: Shop): Promise<string[]> => {
  const { rows } = await ports.pool.query<{ holder: string }>(
    'select holder from connection_lease where expires_at > clock_timestamp()',
  )
  return rows.map(({ holder }) => holder)
}

describe('two processes', () => {
  test('share the connections, and each follows commands that reached the other', async () => {
    const shop = await openShop()
    onTestFinished(shop.close)
    await shop.start()
    await shop.start()
    const added: string[] = []
    // Chance, but not always the same process.
    while (new Set(await holders(shop)).size < 2 && added.length < 20) {
      const id = await shop.add(`Loja ${added.length}`)
      await shop.picture(id)
      added.push(id)
    }
    expect(await holders(shop)).toHaveLength(added.length)
    expect(new Set(await holders(shop)).size).toBe(2)

    for (const id of added) {
      const phone = shop.phone.number
      expect((await shop.call('POST', `/${id}/pairing-code`, { phone })).status).toBe(202)
      await until(() => shop.ports.secrets.get('pairing-code', id))
      expect((await shop.call('DELETE', `/${id}`)).status).toBe(200)
    }
    await until(async () => (await holders(shop)).length === 0)
    for (const id of added) expect(await shop.ports.secrets.get('qr', id)).toBeUndefined()
  })
})

describe('a line', () => {
  const secret = randomBytes(32)
  const lease = 1500
  let shop: Shop
  let own: Host
  let other: OtherProcess
  let id: string
  let received: IncomingMessage[]

  beforeAll(async () => {
    shop = await openShop({}, { lease }, secret)
    received = []
    shop.ana.on('message', (message) => received.push(message))
    own = await shop.start()
    id = (await shop.link()).connectionId
    other = await otherProcess(shop, secret, lease)
    await movesTo('the other process', () => own.stop())
    own = await shop.start()
  }, 120_000)
  afterAll(async () => {
    await other.kill()
    await shop.close()
  })

  const movesTo = async (_where: string, cause: () => unknown) => {
    const [before] = await holders(shop)
    const online = new Promise((resolve) => shop.server.once('online', resolve))
    await cause()
    await until(async () => {
      const [now] = await holders(shop)
      return now && now !== before
    })
    await online
  }

  const arrived = async () => {
    const texts: string[] = []
    for (const event of await shop.lineEvents(id))
      if (event.type === 'MessageArrived' && event.data.content.kind === 'text') texts.push(event.data.content.text)
    return texts
  }

  const bothWays = async (words: string, meanwhile: () => unknown = () => undefined) => {
    const texts = [1, 2, 3].map((number) => `${words} ${number}`)
    const sent: string[] = []
    for (const text of texts) {
      await shop.ana.sendText(shop.phone.number, `Ana: ${text}`)
      sent.push((await shop.queue(id, `Loja: ${text}`)).messageId)
      if (sent.length === 2) await meanwhile()
    }
    for (const messageId of sent) await until(async () => (await shop.fate(id, messageId)).includes('delivered'))
    for (const messageId of sent) expect(await shop.fate(id, messageId)).toEqual(['dispatched', 'delivered'])
    await until(async () => (await arrived()).filter((text) => text.includes(words)).length >= texts.length)
    expect((await arrived()).filter((text) => text.includes(words)).sort()).toEqual(texts.map((text) => `Ana: ${text}`))
    expect(
      received
        .map(({ text }) => text)
        .filter((text) => text?.includes(words))
        .sort(),
    ).toEqual(texts.map((text) => `Loja: ${text}`))
  }

  test('is not taken from the process that has it', async () => {
    const [before] = await holders(shop)
    await bothWays('no outro processo')
    expect(await holders(shop)).toEqual([before])
  })

  test('goes on elsewhere when its process stands still, and that one changes nothing when it comes back', async () => {
    await movesTo('this process', () => other.freeze())
    await bothWays('enquanto parou')
    const [holder] = await holders(shop)
    const credentials = async () => {
      const { rows } = await shop.ports.pool.query(
        `select (select md5(string_agg(sealed::text, '' order by type, id_fingerprint)) from whatsapp_key) as keys,
                (select md5(string_agg(sealed::text, '')) from whatsapp_credentials) as creds,
                (select count(*) from outbox where state = 'waiting') as waiting`,
      )
      return rows
    }
    // The receipt leaves after the keys are stored.
    await until(() => shop.phone.companions().every(({ inbox }) => inbox.size === 0))
    const before = await credentials()
    const events = (await shop.connectionLog(id)).length
    other.thaw()
    await until(() => other.log().includes('lease lost'))
    expect(await credentials()).toEqual(before)
    await bothWays('depois que voltou')
    expect((await shop.connectionLog(id)).length).toBe(events)
    expect(await shop.connectionEvents(id)).not.toContain('ConnectionReplaced')
    expect(await holders(shop)).toEqual([holder])
  })

  test('goes on elsewhere when its process is killed in the middle of it', async () => {
    await movesTo('the other process', () => own.stop())
    own = await shop.start()
    await bothWays('no pior momento', () => other.kill())
    expect(await shop.connectionEvents(id)).not.toContain('ConnectionReplaced')
  })
})
