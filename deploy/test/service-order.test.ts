import { shortOrLong } from '@prosa/kernel/testing/long-form'
import type { Service } from '@prosa/product/ports'
import { expect, it } from 'vitest'
import { startProduct } from './product.ts'

/** Sorts by a hash of seed and name: reproducible. */
const shuffled = (seed: number) => (services: Service[]) => {
  const place = ({ name }: Service) =>
    [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, seed) % 997
  return services.toSorted((a, b) => place(a) - place(b))
}

const orders: Record<string, (services: Service[]) => Service[]> = {
  'the order backwards': (services) => services.toReversed(),
  'an order by chance': shuffled(1),
  ...(shortOrLong(0, 1) === 1 && { 'another order by chance': shuffled(7), 'a third order by chance': shuffled(19) }),
}

const seen = new Set<string>()

it.each(Object.keys(orders))(
  'starts on an empty database, receives and answers with the services in %s',
  async (order) => {
    const product = await startProduct({
      arrange(services) {
        const arranged = orders[order]?.(services) ?? []
        const names = arranged.map(({ name }) => name).join(' ')
        expect(seen.has(names)).toBe(false)
        seen.add(names)
        return arranged
      },
    })
    try {
      const marina = await product.visitor().register()
      const shop = product.whatsapp.addPhone('5511900000001', 'Padaria Sol')
      const ana = product.whatsapp.addPhone('5511988776655', 'Ana')
      const connection = await marina.link(shop)
      const socket = marina.socket()
      const pushed = new Promise<{ contactId: string }>((resolve) => socket.once('whatsapp:new_message', resolve))
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      await ana.sendText('5511900000001', 'Oi')
      const { contactId } = await pushed
      const received = ana.nextMessage(({ text }) => text === 'Olá, Ana')
      const { id } = await marina.send(connection.id, contactId, 'Olá, Ana')
      expect((await received).id).toBe(id)
      socket.close()
    } finally {
      await product.stop()
    }
  },
  60_000,
)
