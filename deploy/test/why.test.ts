import type { WhyAnswer } from '@prosa/contracts/http/history'
import { shortOrLong } from '@prosa/kernel/testing/long-form'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Product, startProduct } from './product.ts'
import { makeWhySituations, type WhySituation } from './why-situations.ts'

let product: Product
let made: Awaited<ReturnType<typeof makeWhySituations>>
beforeAll(async () => {
  product = await startProduct()
  made = await makeWhySituations(product, shortOrLong(1, 2))
}, 120_000)
afterAll(() => product?.stop())

const answerTo = ({ kind, id, field, part }: WhySituation) =>
  made.admin.ask<WhyAnswer>('GET', `/api/admin/history/${kind}/${id}/why/${field}${part ? `?part=${part}` : ''}`)

describe('every “Por quê?” of situations that the product itself made', () => {
  it('has an answer with actor, time, cause, rule, before and after', async () => {
    for (const situation of made.situations) {
      const answer = await until(async () => {
        const { status, body } = await answerTo(situation)
        return status === 200 && situation.after.test(body.after) && body
      })
      const { entry, causes, before, after } = answer
      const shown = { about: situation.about, actor: entry.actor.name, rule: entry.rule, after }
      expect(shown, situation.about).toEqual({
        about: situation.about,
        actor: expect.stringMatching(situation.actor),
        rule: expect.stringMatching(situation.rule),
        after: expect.stringMatching(situation.after),
      })
      expect(causes.map(({ text }) => text).join('; '), situation.about).toMatch(situation.cause)
      expect(Date.parse(entry.at), situation.about).toBeGreaterThan(Date.now() - 3_600_000)
      expect(before === null || before !== after, situation.about).toBe(true)
      // Administrators see no text of a conversation here.
      expect(JSON.stringify(answer), situation.about).not.toContain('segredo')
    }
    expect(made.situations.length).toBeGreaterThanOrEqual(shortOrLong(14, 28))
  }, 120_000)

  it('that a wrong password asks is counted for the account, without the password', async () => {
    const victim = await product.visitor().register()
    const { id } = await victim.get<{ id: string }>('/api/auth/user')
    const stranger = product.visitor()
    for (let times = 0; times < 3; times++)
      await stranger.ask('POST', '/api/auth/login', { email: victim.email, password: 'segredo errado' })
    const rows = await until(async () => {
      const { body } = await made.admin.ask<{ route: string; count: number; reason: string; address: string | null }[]>(
        'GET',
        `/api/admin/refused-requests?user=${id}`,
      )
      return Array.isArray(body) && body.length > 0 && body
    }, 20_000)
    expect(rows).toMatchObject([{ route: 'POST /api/auth/login', count: 3, reason: 'E-mail ou senha incorretos.' }])
    expect(JSON.stringify(rows)).not.toMatch(/segredo|127\.0\.0\.1/)
  }, 60_000)
})
