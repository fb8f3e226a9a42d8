import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import type { Visitor } from './visitor.ts'

let product: Product
let marina: Visitor

beforeAll(async () => {
  product = await startProduct()
  marina = await product.visitor().register()
})
afterAll(() => product.stop())

const scrape = async () => (await fetch(`${product.url}/metrics`)).text()
const value = (text: string, series: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('the metrics of the whole product', () => {
  it('show lines, sockets, projections and commits as they are, and nothing of anybody', async () => {
    const numbers = ['5511900000001', '5511988776655'] as const
    const shop = product.whatsapp.addPhone(numbers[0], 'Padaria Sol')
    const ana = product.whatsapp.addPhone(numbers[1], 'Ana')
    const connection = await marina.link(shop)
    const socket = marina.socket()
    await ana.sendText(numbers[0], 'segredo da Ana')
    const contact = await until(async () => (await marina.contacts('waiting'))[0])
    await marina.messages(contact.id)
    await until(() => socket.connected)

    await until(async () => {
      const text = await scrape()
      return (
        value(text, 'prosa_whatsapp_lines{state="open"}') === 1 &&
        value(text, 'prosa_sockets_open') === 1 &&
        value(text, 'prosa_projection_state{projection="contact-list",state="following"}') === 1 &&
        value(text, 'prosa_projection_lag_seconds{projection="contact-list"}') === 0
      )
    })
    const text = await scrape()
    const committed = value(text, 'prosa_event_store_committed_appends_total')
    expect(committed).toBeGreaterThanOrEqual(value(text, 'prosa_event_store_commits_total') ?? Number.NaN)
    expect(value(text, 'prosa_event_store_committed_events_total')).toBeGreaterThan(5)
    const { id: userId } = await marina.get<{ id: string }>('/api/auth/user')
    for (const personal of [...numbers, 'Padaria', 'segredo', marina.email, userId, contact.id, connection.id])
      expect([personal, text.includes(personal)]).toEqual([personal, false])
    // A value may contain any four digits, but no whole phone number.
    expect(text).not.toMatch(/(?<![\d.])5511\d{8,9}(?![\d.])/)
    expect(text.replaceAll(/^(?!#)(.*) \S+$/gm, '$1')).not.toContain('5511')
    socket.close()
  })

  it('are all described in the operating page, which describes no others', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
    const described = [...page.matchAll(/^\| `(prosa_\w+)/gm)].map(([, name]) => name)
    const shown = [...(await scrape()).matchAll(/^# TYPE (prosa_\w+)/gm)].map(([, name]) => name)
    const isOptional = (name = '') => /^prosa_(timers|stream)_/.test(name)
    const expected = described.filter((name) => shown.includes(name ?? '') || !isOptional(name))
    expect(expected.sort()).toEqual(shown.sort())
  })
})
