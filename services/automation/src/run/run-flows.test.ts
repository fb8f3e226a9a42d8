import { randomUUID } from 'node:crypto'
import type { FlowReplayPart, FlowTestResult } from '@prosa/contracts/http/flow-runs'
import { idempotencyKeyHeader } from '@prosa/contracts/http/problem'
import { until } from '@prosa/kernel/testing/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRunContact } from './queries.ts'
import { asks, begins, flowOf, nodeOf, rowOf, says } from './testing/flow-of.ts'
import { type TestAutomation, testAutomation } from './testing/test-automation.ts'

let service: TestAutomation
beforeAll(async () => {
  service = await testAutomation({ flowMessagesPerContact: 1000 })
})
afterAll(() => service?.stop())

const asking = rowOf([begins, asks('sabor', 'Que sabor?'), says('ok', '{nome}, {sabor}!')])

describe('a message', () => {
  it('starts a flow, answers its question, and the delay ends by its timer', async () => {
    const shop = await service.shop()
    const rests = nodeOf('rest', 'delay', { delay: '1' })
    await shop.flow(rowOf([begins, asks('sabor', 'Que sabor?'), rests, says('ok', '{nome}, {sabor}!')]))
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    await ana.writes('Nozes')
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.sent()).toEqual(['Que sabor?', 'Ana, Nozes!'])
    const steps = (await ana.events('FlowStepTaken')).map(({ data }) => ('nodeId' in data ? data.nodeId : ''))
    expect(steps).toEqual(['start', 'sabor', 'rest', 'ok'])
  })

  it('of long ago starts nothing, and neither does one to whom somebody attends or whose access has ended', async () => {
    const shop = await service.shop()
    await shop.flow(asking)
    const [late, attended, fresh] = [await shop.contact(), await shop.contact(), await shop.contact()]
    await shop.record(`contact-${attended.id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
    await late.writes('oi', new Date(Date.now() - 11 * 60_000).toISOString())
    await attended.writes('oi')
    await fresh.writes('oi')
    await until(async () => (await fresh.sent()).length === 1)
    await late.writes('oi de novo')
    await until(async () => (await late.sent()).length === 1)
    expect(await late.events('FlowRunStarted')).toMatchObject([{ data: { text: 'oi de novo' } }])
    expect(await attended.sent()).toEqual([])
    shop.endAccess()
    await attended.writes('oi')
    const unpaid = await shop.contact()
    await unpaid.writes('oi')
    await late.writes('Nozes')
    await until(async () => (await late.ends()).length === 1)
    expect(await unpaid.sent()).toEqual([])
  })

  it('finds its flow among a hundred that are on', async () => {
    const shop = await service.shop()
    const flow = (word: string) => {
      const start = nodeOf('start', 'trigger', { start: { kind: 'keyword', words: [word], match: 'equals' } })
      return rowOf([start, says('ok', word)])
    }
    const words = Array.from({ length: 100 }, (_, index) => `palavra ${index}`)
    await Promise.all(words.map((word) => shop.flow(flow(word))))
    const ana = await shop.contact()
    await ana.writes('Palavra 99')
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.sent()).toEqual(['palavra 99'])
  })

  it('starts by the words of the version that is on, and of a flow that is off by none', async () => {
    const shop = await service.shop()
    const flow = (word: string, answer: string) => {
      const start = nodeOf('start', 'trigger', { start: { kind: 'keyword', words: [word], match: 'contains' } })
      return rowOf([start, says('ok', answer)])
    }
    const [first, second] = [await shop.flow(flow('bolo', 'um')), await shop.flow(flow('torta', 'dois'))]
    const ana = await shop.contact()
    const answers = async (text: string, count: number) => {
      await ana.writes(text)
      await until(async () => (await ana.ends()).length === count)
      return (await ana.sent()).at(-1)
    }
    expect(await answers('um bolo', 1)).toBe('um')
    expect(await answers('bolo e torta', 2)).toBe('um')
    const document = flow('pão', 'três')
    await shop.record(`flow-${first}`, { type: 'FlowPublished', data: { version: 2, document } })
    expect(await answers('bolo e torta', 3)).toBe('dois')
    expect(await answers('PAO e torta', 4)).toBe('três')
    await shop.record(`flow-${second}`, { type: 'FlowTurnedOff', data: {} })
    await ana.writes('torta')
    expect(await answers('pão', 5)).toBe('três')
    expect((await ana.sent()).filter((text) => text === 'dois')).toHaveLength(1)
  })

  it('is taken in its order, though 50 of them come in a second', async () => {
    const shop = await service.shop()
    const circle = flowOf(
      [begins, asks('item', 'E?'), says('ok', '{item}')],
      ['start > item', 'item answer > ok', 'ok > item'],
    )
    await shop.flow(circle)
    const ana = await shop.contact()
    const texts = Array.from({ length: 50 }, (_, index) => `texto ${index}`)
    for (const text of texts) await ana.writes(text)
    await until(async () => (await ana.events('FlowAnswerReceived')).length === 49)
    expect((await ana.sent()).filter((text) => text !== 'E?')).toEqual(texts.slice(1))
  })
})

describe('a run', () => {
  it('ends when an attendant takes the conversation, and nothing is sent after that', async () => {
    const shop = await service.shop()
    await shop.flow(asking)
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    await shop.record(`contact-${ana.id}`, { type: 'ConversationAccepted', data: { attendantId: shop.tenant } })
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.ends()).toEqual(['accepted'])
  })

  it('ends with its flow, though 200 of them wait in it, and with its line', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(asking)
    const people = await Promise.all(Array.from({ length: 200 }, () => shop.contact()))
    await Promise.all(people.map((person) => person.writes('oi')))
    await until(async () => (await shop.events('FlowAnswerAwaited')).length === 200, 60_000)
    await shop.record(`flow-${flowId}`, { type: 'FlowDeleted', data: {} })
    await until(async () => (await shop.events('FlowRunEnded')).length === 200, 60_000)
    const ended = await shop.events('FlowRunEnded')
    expect(new Set(ended.map(({ data }) => 'reason' in data && data.reason))).toEqual(new Set(['flow_deleted']))

    const other = await service.shop()
    await other.flow(asking)
    const ana = await other.contact()
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    await other.record(`connection-${other.connectionId}`, { type: 'ConnectionRemoved', data: {} })
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.ends()).toEqual(['connection_removed'])
  }, 120_000)

  it('goes on where its conversation is on another number by the time that the one it began on is removed', async () => {
    const shop = await service.shop()
    await shop.flow(
      flowOf(
        [begins, asks('a', 'Sabor?'), asks('b', 'Quantos?'), says('ok', '{b} de {a}')],
        ['start > a', 'a answer > b', 'b answer > ok'],
      ),
    )
    const second = randomUUID()
    await shop.record(`connection-${second}`, { type: 'ConnectionAdded', data: { name: 'Filial' } })
    const [ana, bia] = [await shop.contact(), await shop.contact('Bia')]
    for (const person of [ana, bia]) {
      await person.writes('oi')
      await until(async () => (await person.sent()).length === 1)
    }
    await ana.writes('Nozes', undefined, second)
    await until(async () => (await ana.sent()).length === 2)
    await shop.record(`connection-${shop.connectionId}`, { type: 'ConnectionRemoved', data: {} })
    await until(async () => (await bia.ends()).length === 1)
    expect(await bia.ends()).toEqual(['connection_removed'])
    await ana.writes('Dois', undefined, second)
    await until(async () => (await ana.ends()).length === 1)
    expect([await ana.ends(), (await ana.sent()).at(-1)]).toEqual([['completed'], 'Dois de Nozes'])
  })

  it('goes on with the contact into whom another is merged', async () => {
    const shop = await service.shop()
    await shop.flow(asking)
    const [ana, survivor] = [await shop.contact(), await shop.contact('Ana de novo')]
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    await shop.record(`contact-${ana.id}`, { type: 'ContactAbsorbed', data: { into: survivor.id } })
    await until(async () => (await survivor.events('FlowRunTakenOver')).length === 1)
    await survivor.writes('Nozes')
    await until(async () => (await survivor.ends()).length === 1)
    expect(await survivor.sent()).toEqual(['Ana, Nozes!'])
  })

  it('waits with the contact into whom another is merged for the rest of its delay', async () => {
    const shop = await service.shop()
    await shop.flow(rowOf([begins, nodeOf('rest', 'delay', { delay: '2' }), says('ok', 'Pronto, {nome}!')]))
    const [ana, survivor] = [await shop.contact(), await shop.contact('Ana de novo')]
    await ana.writes('oi')
    await until(async () => (await ana.events('FlowDelayStarted')).length === 1)
    await shop.record(`contact-${ana.id}`, { type: 'ContactAbsorbed', data: { into: survivor.id } })
    await until(async () => (await survivor.ends()).length === 1)
    expect([await ana.sent(), await survivor.sent()]).toEqual([[], ['Pronto, Ana!']])
  })

  it('ends with an erasure, after which nothing starts', async () => {
    const shop = await service.shop()
    await shop.flow(asking)
    const ana = await shop.contact()
    await ana.writes('oi')
    await until(async () => (await ana.sent()).length === 1)
    await shop.record(`contact-${ana.id}`, { type: 'ContactErased', data: {} })
    await until(async () => (await ana.ends()).length === 1)
    expect(await ana.ends()).toEqual(['contact_erased'])
  })

  it('starts by a label that an attendant puts on, on the line of the last message', async () => {
    const shop = await service.shop()
    const labelId = randomUUID()
    const start = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId } })
    await shop.flow(rowOf([start, says('ok', 'Bem-vinda!')]))
    const ana = await shop.contact()
    await ana.writes('oi')
    await shop.record(`contact-${ana.id}`, { type: 'ContactLabelled', data: { labelId } })
    await until(async () => (await ana.ends()).length === 1)
    const [sent] = await ana.events('FlowMessageRequested')
    expect(sent?.data).toMatchObject({ connectionId: shop.connectionId, content: { text: 'Bem-vinda!' } })
  })

  it('starts by a label on the number that the person wrote to last or somebody chose since, not on that of an answer', async () => {
    const shop = await service.shop()
    const [labelId, second] = [randomUUID(), randomUUID()]
    await shop.record(`connection-${second}`, { type: 'ConnectionAdded', data: { name: 'Outra' } })
    const start = nodeOf('start', 'trigger', { start: { kind: 'label_set', labelId } })
    const document = rowOf([start, says('ok', 'Bem-vinda!')])
    await shop.flow({ ...document, settings: { ...document.settings, connectionIds: [second] } })
    const label = (id: string) => shop.record(`contact-${id}`, { type: 'ContactLabelled', data: { labelId } })
    const answers = (id: string, connectionId: string) =>
      shop.record(`chat-${id}`, {
        type: 'MessageQueued',
        data: {
          messageId: randomUUID(),
          connectionId,
          toJid: '1@lid',
          content: { kind: 'text', text: 'Bom dia!' },
          attendantId: shop.tenant,
        },
      })
    const choose = (id: string, connectionId: string) => {
      const [lastReceivedAt, chosenAt] = [service.ports.clock.now(), service.ports.clock.now()]
      const data = { connectionId, attendantId: shop.tenant, chosenAt, lastReceivedAt }
      return shop.record(`contact-${id}`, { type: 'LineChosen', data })
    }
    const written = async (over: typeof shop.connectionId) => {
      const contact = await shop.contact()
      await contact.writes('oi', undefined, over)
      return contact
    }
    const [wrote, elsewhere, chose, left] = [
      await written(second),
      await written(shop.connectionId),
      await written(shop.connectionId),
      await written(second),
    ]
    const [told, absorbed, survivor] = [await shop.contact(), await written(second), await shop.contact()]
    await answers(wrote.id, shop.connectionId)
    await answers(elsewhere.id, second)
    await choose(chose.id, second)
    await choose(left.id, second)
    await left.writes('oi', undefined, shop.connectionId)
    await answers(told.id, second)
    await shop.record(`contact-${survivor.id}`, { type: 'ContactMerged', data: { absorbed: absorbed.id } })
    await shop.record(`contact-${absorbed.id}`, { type: 'ContactAbsorbed', data: { into: survivor.id } })
    const starting = [wrote, chose, told, survivor]
    for (const { id } of [elsewhere, left, ...starting]) await label(id)
    await until(async () =>
      (await Promise.all(starting.map((each) => each.ends()))).every(({ length }) => length === 1),
    )
    for (const each of starting)
      expect(await each.events('FlowMessageRequested')).toMatchObject([{ data: { connectionId: second } }])
    for (const each of [elsewhere, left]) expect(await each.events('FlowRunStarted')).toEqual([])
  })

  it('is stopped by its subscriber, and by nobody else', async () => {
    const shop = await service.shop()
    await shop.flow(asking)
    const ana = await shop.contact()
    await ana.writes('oi')
    const [started] = await until(async () => {
      const found = await ana.events('FlowRunStarted')
      return found.length > 0 && found
    })
    const runId = started?.data.runId
    const stop = () => shop.ask(`/api/flow-runs/${runId}/stop`, {}, { [idempotencyKeyHeader]: 'once' })
    await until(() => findRunContact(service.ports.pool, shop.tenant, String(runId)))
    expect((await stop()).statusCode).toBe(200)
    expect((await stop()).statusCode).toBe(200)
    expect(await ana.ends()).toEqual(['stopped'])
    const stranger = await service.shop()
    expect((await stranger.ask(`/api/flow-runs/${runId}/stop`)).statusCode).toBe(404)
  })
})

describe('a draft', () => {
  it('is tried out with an invented conversation, in which time is skipped and nothing is stored', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(asking)
    const rests = nodeOf('rest', 'delay', { delay: '86400' })
    const document = rowOf([begins, rests, asks('sabor', 'Que sabor?'), says('ok', '{nome}, {sabor}!')])
    const inputs = [{ kind: 'message', text: 'oi' }, { kind: 'skip_time' }, { kind: 'message', text: 'Nozes' }]
    const play = async (count: number) => {
      const body = { document, inputs: inputs.slice(0, count), contact: {} }
      return (await shop.ask(`/api/flows/${flowId}/test`, body)).json<FlowTestResult>()
    }
    expect((await play(1)).standing).toMatchObject({ nodeId: 'rest', waitsFor: 'time' })
    const { steps, standing, variables } = await play(3)
    expect(steps.map(({ at, step }) => [at, step.kind])).toEqual([
      [1, 'started'],
      [1, 'delay'],
      [2, 'passed'],
      [2, 'message'],
      [2, 'asked'],
      [3, 'answered'],
      [3, 'passed'],
      [3, 'message'],
      [3, 'passed'],
      [3, 'ended'],
    ])
    expect(standing).toBeNull()
    expect(variables).toEqual({ sabor: 'Nozes', resposta: 'Nozes' })
    expect(await shop.events('FlowRunStarted')).toEqual([])
  })

  it('is played over the runs of the last days, and differs where it decides otherwise', async () => {
    const shop = await service.shop()
    const test = { kind: 'contains', variable: 'sabor', value: 'no' } as const
    const parts = (value: string) =>
      flowOf(
        [
          begins,
          asks('sabor', 'Que sabor?'),
          nodeOf('if', 'condition', { test: { ...test, value } }),
          says('ok', 'Sim!'),
        ],
        ['start > sabor', 'sabor answer > if', 'if true > ok'],
      )
    const flowId = await shop.flow(parts('noz'))
    for (const answer of ['Nozes', 'Coco', 'Chocolate']) {
      const ana = await shop.contact()
      await ana.writes('oi')
      await until(async () => (await ana.sent()).length === 1)
      await ana.writes(answer)
      await until(async () => (await ana.ends()).length === 1)
    }
    const replay = async (value: string) => {
      const body = { document: parts(value) }
      return (await shop.ask(`/api/flows/${flowId}/replay`, body)).json<FlowReplayPart>()
    }
    await until(async () => (await replay('noz')).runs === 3)
    expect(await replay('noz')).toMatchObject({ runs: 3, same: 3, differences: [], isCut: false })
    const { same, differences } = await replay('co')
    expect(same).toBe(0)
    expect(differences.map(({ nodeId, contactName }) => [nodeId, contactName])).toEqual(
      Array.from({ length: 3 }, () => ['if', 'Ana Souza']),
    )
    const moments = differences.map(({ startedAt }) => startedAt)
    expect(moments).toEqual(moments.toSorted().reverse())
    const stranger = await service.shop()
    expect((await stranger.ask(`/api/flows/${flowId}/replay`, { document: parts('co') })).statusCode).toBe(404)
  })

  it('shows so much of what would differ in one part, and the rest in those that follow', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(rowOf([begins, says('ok', 'Oi!')]))
    for (let count = 0; count < 20; count++) {
      const ana = await shop.contact()
      await ana.writes('oi')
      await until(async () => (await ana.ends()).length === 1)
    }
    const long = rowOf([begins, ...Array.from({ length: 19 }, (_, index) => says(`n${index}`, 'x'.repeat(4000)))])
    const replay = async (after: string) => shop.ask(`/api/flows/${flowId}/replay`, { document: long, after })
    await until(async () => (await replay('')).json<FlowReplayPart>().total === 20)
    const parts: FlowReplayPart[] = []
    for (let after: string | null = ''; after !== null; after = parts.at(-1)?.next ?? null) {
      const reply = await replay(after)
      expect(reply.body.length).toBeLessThan(4_000_000)
      parts.push(reply.json<FlowReplayPart>())
    }
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map(({ runs, different }) => runs === different)).not.toContain(false)
    const runIds = parts.flatMap(({ differences }) => differences.map(({ runId }) => runId))
    expect([runIds.length, new Set(runIds).size, parts.at(-1)?.done]).toEqual([20, 20, 20])
  })

  it('is played again over 200 runs with one contact, and says so where there were more', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(asking)
    const ana = await shop.contact()
    const hasRun = async (times: number) => {
      await service.ports.pool.query(
        `insert into flow_run_place (run_id, owner, contact_id, flow_id, connection_id, started_at, is_sequel, is_over)
         select gen_random_uuid()::text, $1, $2, $3, 'line', $4, false, true from generate_series(1, $5)`,
        [shop.tenant, ana.id, flowId, service.ports.clock.now(), times],
      )
    }
    const replay = async () =>
      (await shop.ask(`/api/flows/${flowId}/replay`, { document: asking })).json<FlowReplayPart>()
    await until(async () => (await replay()).total === 1)
    await hasRun(200)
    expect((await replay()).isCut).toBe(false)
    await hasRun(1)
    expect((await replay()).isCut).toBe(true)
  })

  it('is no larger than a flow may be, to be tried out or played again', async () => {
    const shop = await service.shop()
    const flowId = await shop.flow(asking)
    const document = rowOf([begins, ...Array.from({ length: 8 }, (_, index) => says(`n${index}`, 'x'.repeat(90_000)))])
    for (const url of [`/api/flows/${flowId}/test`, `/api/flows/${flowId}/replay`]) {
      const refused = await shop.ask(url, { document, inputs: [], contact: {} })
      expect([refused.statusCode, refused.json().type]).toEqual([413, 'flow_too_large'])
    }
  })
})
