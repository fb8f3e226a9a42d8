import type { AnyEvent } from '@prosa/contracts/events/all-events'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testProjections } from '../testing/test-projections.ts'

const ana = idOf('ana')
const bia = idOf('bia')

describe('quick replies', () => {
  let prosa: Awaited<ReturnType<typeof testProjections>>
  beforeAll(async () => {
    prosa = await testProjections({ now: () => at(9000) })
  })
  afterAll(() => prosa.stop())

  const added = (name: string, shortcut: string, content: string): AnyEvent => ({
    type: 'QuickReplyAdded',
    data: { quickReplyId: idOf(name), shortcut, content, isActive: true },
  })
  let latest = ''
  const record = async (tenant: string, ...events: AnyEvent[]) => {
    for (const event of events) latest = await prosa.append(tenant, `quickReply-${tenant}`, event)
  }
  const listOf = async (user: string) => (await prosa.get('/api/quick-replies', user, latest)).body

  it('come by shortcut, whatever its case and accents, as they were changed last', async () => {
    await record(
      ana,
      added('one', 'Preço', 'R$ 10'),
      added('two', 'ágil', 'Já vai!'),
      added('three', 'olá', 'Olá'),
      added('four', 'tchau', 'Até logo'),
      {
        type: 'QuickReplyChanged',
        data: { quickReplyId: idOf('three'), shortcut: 'oi', content: 'Olá!', isActive: false },
      },
      { type: 'QuickReplyRemoved', data: { quickReplyId: idOf('four') } },
    )
    expect(await listOf(ana)).toEqual([
      { id: idOf('two'), shortcut: 'ágil', content: 'Já vai!', isActive: true },
      { id: idOf('three'), shortcut: 'oi', content: 'Olá!', isActive: false },
      { id: idOf('one'), shortcut: 'Preço', content: 'R$ 10', isActive: true },
    ])
  })

  it('are nobody else’s', async () => {
    await record(bia, added('five', 'oi', 'de Bia'))
    expect((await listOf(bia)).map(({ content }: { content: string }) => content)).toEqual(['de Bia'])
    expect((await prosa.get('/api/quick-replies')).status).toBe(401)
  })

  it('go with the account of their subscriber', async () => {
    const caio = idOf('caio')
    await record(caio, added('six', 'oi', 'de Caio'))
    expect(await listOf(caio)).toHaveLength(1)
    latest = await prosa.append(caio, `user-${caio}`, { type: 'UserErased', data: {} })
    expect(await listOf(caio)).toEqual([])
  })
})
