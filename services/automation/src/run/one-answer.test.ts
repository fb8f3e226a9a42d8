import { randomUUID } from 'node:crypto'
import { defaultTimeZone } from '@prosa/contracts/values/time/time-zone'
import { deriveId } from '@prosa/kernel/derive-id'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionId, conversationWith } from './testing/conversation-with.ts'
import { asks, begins, flowOf, nodeOf, rowOf, says, waits } from './testing/flow-of.ts'
import { type TestAutomation, testAutomation } from './testing/test-automation.ts'

const reply = { connectionId, sentAt: '2026-11-23T12:00:00.000Z' }
const [cake, other] = [deriveId('cake'), deriveId('other')]
const keyword = (word: string) =>
  nodeOf('start', 'trigger', { start: { kind: 'keyword', words: [word], match: 'contains' } })
const neverOpen = { timeZone: defaultTimeZone, week: Array.from({ length: 7 }, () => []), holidays: [] }
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

describe('the reply out of hours is asked for', () => {
  it('where no flow starts by the message, once however often it comes', () => {
    const ana = conversationWith({ [cake]: flowOf([keyword('bolo'), says('oi')], ['start > oi']) })
    expect(ana.writes('Alguém?', { messageId: 'A', reply })).toEqual([
      { type: 'OutOfHoursReplyRequested', data: { messageId: 'A', ...reply } },
    ])
    expect(ana.writes('Alguém?', { messageId: 'A', reply })).toEqual([])
  })

  it('not where a flow starts by it, answers it, keeps it or goes on', () => {
    const nodes = [keyword('bolo'), asks('sabor'), waits('rest', '30'), says('a'), waits('rest2', '3600'), says('b')]
    const ana = conversationWith({ [cake]: rowOf(nodes) })
    expect(typesOf(ana.writes('bolo', { reply }))).not.toContain('OutOfHoursReplyRequested')
    expect(typesOf(ana.writes('Nozes', { reply }))).not.toContain('OutOfHoursReplyRequested')
    expect(typesOf(ana.writes('Alô?', { reply }))).toEqual(['FlowInputKept'])
    ana.passes(31)
    for (let each = 0; each < 60; each++)
      expect(typesOf(ana.writes('Alô?', { reply }))).not.toContain('OutOfHoursReplyRequested')
  })

  it('not for thanks that a flow answers, and for what it leaves to a person', () => {
    const finish = nodeOf('end', 'finish', { message: 'Até!', thanks: 'Por nada!' })
    const settings = { again: 'after', againAfterHours: 24 } as const
    const ana = conversationWith({ [cake]: flowOf([keyword('bolo'), finish], ['start > end'], settings) })
    ana.writes('bolo', { reply })
    expect(typesOf(ana.writes('obrigada', { reply }))).toEqual(['FlowThanked', 'FlowMessageRequested'])
    expect(typesOf(ana.writes('e o preço?', { reply }))).toEqual(['FlowFinishUndone', 'OutOfHoursReplyRequested'])
  })

  it('where a flow is kept from starting: it waits for a person, or flows are paused', () => {
    const handover = nodeOf('person', 'handover', { message: 'Já chamo.' })
    const ana = conversationWith({ [cake]: flowOf([keyword('bolo'), handover], ['start > person']) })
    ana.writes('bolo', { reply })
    expect(typesOf(ana.writes('bolo', { reply }))).toEqual(['FlowStartWithheld', 'OutOfHoursReplyRequested'])
    const loop = conversationWith({ [other]: flowOf([begins, says('oi')], ['start > oi']) })
    while (!loop.state().paused) loop.writes('oi', { reply })
    expect(typesOf(loop.events.slice(-2))).toEqual(['FlowsPaused', 'OutOfHoursReplyRequested'])
    expect(typesOf(loop.writes('oi', { reply }))).toEqual(['OutOfHoursReplyRequested'])
  })
})

describe('in a shop that is closed', () => {
  let service: TestAutomation
  beforeAll(async () => {
    service = await testAutomation()
  })
  afterAll(() => service?.stop())

  const closedShop = async ({ isReplyOn = true } = {}) => {
    const shop = await service.shop()
    const hours = `openingHours-${shop.tenant}`
    await shop.record(hours, { type: 'OpeningHoursSet', data: neverOpen })
    if (isReplyOn) await shop.record(hours, { type: 'OutOfHoursReplyTurnedOn', data: {} })
    return shop
  }

  it('each message has one of both, over whichever number it comes, also without any flow', async () => {
    const shop = await closedShop()
    const ana = await shop.contact()
    await ana.writes('Oi')
    await until(async () => (await ana.events('OutOfHoursReplyRequested')).length === 1)
    const only = randomUUID()
    await shop.flow(flowOf([begins, says('oi', 'Olá do fluxo')], ['start > oi'], { connectionIds: [only] }))
    await ana.writes('Por aqui?', undefined, only)
    await until(async () => (await ana.sent()).length === 1)
    await ana.writes('E por aqui?')
    const asked = await until(async () => {
      const found = await ana.events('OutOfHoursReplyRequested')
      return found.length === 2 && found
    })
    expect(asked.map(({ data }) => data.connectionId)).toEqual([shop.connectionId, shop.connectionId])
    expect(await ana.sent()).toEqual(['Olá do fluxo'])
  })

  it('nothing is asked for of long ago, as the history of a new number is, nor while a person attends', async () => {
    const shop = await closedShop()
    const [late, attended, fresh] = [await shop.contact(), await shop.contact(), await shop.contact()]
    await shop.record(`contact-${attended.id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
    await late.writes('Oi', new Date(Date.now() - 11 * 60_000).toISOString())
    await attended.writes('Oi')
    await fresh.writes('Oi')
    await until(async () => (await fresh.events('OutOfHoursReplyRequested')).length === 1)
    await late.writes('Ainda aí?')
    await until(async () => (await late.events('OutOfHoursReplyRequested')).length === 1)
    expect(await attended.events('OutOfHoursReplyRequested')).toEqual([])
  })

  it('no reply is asked for while it is off, nor while the shop is open', async () => {
    const shop = await closedShop({ isReplyOn: false })
    const ana = await shop.contact()
    await shop.flow(flowOf([keyword('bolo'), says('oi')], ['start > oi']))
    await ana.writes('Oi')
    await ana.writes('bolo')
    await until(async () => (await ana.sent()).length === 1)
    expect(await ana.events('OutOfHoursReplyRequested')).toEqual([])
  })
})
