import { lineInWords } from '@prosa/contracts/conversation-lines'
import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { Actor } from '@prosa/contracts/events/metadata'
import { newFlowSettings } from '@prosa/contracts/flows/new-node'
import type { Message } from '@prosa/contracts/http/live-chat'
import { idOf } from '@prosa/kernel/consumers/testing/test-log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireContact } from '../contact-list/require-contact.ts'
import { conversationOf } from '../export/conversation.ts'
import { type TestHistory, testHistory } from '../history/testing/test-history.ts'

const [tenant, eva] = ['ana', 'eva'].map(idOf) as [string, string]
const [welcome, orders] = ['welcome', 'orders'].map(idOf) as [string, string]
const balcony = idOf('balcony')

let history: TestHistory
let seconds = 10
beforeAll(async () => {
  history = await testHistory()
  await history.register(tenant, 'Ana')
  await history.register(eva, 'Eva')
  const added: AnyEvent = { type: 'ConnectionAdded', data: { name: 'Balcão' } }
  await history.append(`connection-${balcony}`, added, { seconds: 1, tenant })
  const document = { nodes: [], links: [], settings: newFlowSettings }
  for (const [id, name] of [
    [welcome, 'Boas-vindas'],
    [orders, 'Pedidos'],
  ] as const) {
    const created: AnyEvent = { type: 'FlowCreated', data: { name, folderId: null, document, origin: 'new' } }
    await history.append(`flow-${id}`, created, { seconds: 1, tenant })
  }
}, 60_000)
afterAll(() => history.prosa.stop())

type About = { id?: string; cause?: string; actor?: Actor }

const person: Actor = { kind: 'user', id: tenant }
const accepted: AnyEvent = { type: 'ConversationAccepted', data: { attendantId: tenant } }
const resolved: AnyEvent = { type: 'ConversationResolved', data: { attendantId: tenant } }
const byFlow: AnyEvent = { type: 'ConversationResolved', data: { attendantId: tenant, flowId: welcome } }
const reopened: AnyEvent = { type: 'ConversationReopened', data: {} }
type Reason = Extract<AnyEvent, { type: 'FlowRunEnded' }>['data']['reason']
const runOf = (flowId: string) => ({ runId: idOf(`run ${flowId}`), flowId, version: 1 })
const started = (flowId: string, startedBy: 'keyword' | 'flow' = 'keyword'): AnyEvent => ({
  type: 'FlowRunStarted',
  data: { ...runOf(flowId), connectionId: balcony, startedBy, startMessageId: null, text: 'segredo' },
})
const ended = (flowId: string, reason: Reason): AnyEvent => ({
  type: 'FlowRunEnded',
  data: { ...runOf(flowId), endedAt: '2026-11-27T12:00:00.000Z', reason },
})
const text = (words: string) => ({ kind: 'text', text: words }) as const
const received = (messageId: string): AnyEvent => ({
  type: 'MessageReceived',
  data: { messageId, connectionId: balcony, content: text(messageId), sentAt: '2026-11-21T12:00:00.000Z' },
})

let people = 0
const somebody = async () => {
  const id = idOf(`contact ${++people}`)
  const happens = async (event: AnyEvent, about: About = {}) => {
    const category = event.type.startsWith('Flow') ? 'flowRun' : event.type.startsWith('Message') ? 'chat' : 'contact'
    await history.append(`${category}-${id}`, event, { seconds: seconds++, tenant, ...about })
  }
  await happens({ type: 'ContactAdded', data: { name: 'Bia', phone: null, lid: null, origin: 'message' } })
  await happens(received('oi'))
  const read = async (query = '', reader = tenant) =>
    (await history.read<Message[]>(`/api/whatsapp/contacts/${id}/messages${query}`, reader)).body
  return {
    id,
    happens,
    read,
    /** Messages as they are, lines in angle brackets. */
    async conversation(query = '') {
      return (await read(query)).flatMap(({ content, linesBefore = [], linesAfter = [] }) => [
        ...linesBefore.map((line) => `<${lineInWords(line)}>`),
        content,
        ...linesAfter.map((line) => `<${lineInWords(line)}>`),
      ])
    },
  }
}

describe('the lines of a conversation', () => {
  it('say what flows and people did, between its messages', async () => {
    const { happens, conversation } = await somebody()
    await happens(started(welcome))
    await happens(started(orders, 'flow'))
    await happens(received('pedido'))
    await happens(ended(orders, 'handed_over'))
    await happens(accepted)
    await happens({
      type: 'LineChosen',
      data: { connectionId: balcony, attendantId: tenant, chosenAt: '2026-11-27T12:00:00.000Z', lastReceivedAt: null },
    })
    await happens(resolved)
    await happens(received('obrigado'))
    await happens(reopened, { actor: { kind: 'whatsapp', id: balcony } })
    await happens(byFlow)
    await happens({ type: 'ConversationResumed', data: { attendantId: tenant } })
    expect(await conversation()).toEqual([
      'oi',
      '<O fluxo “Boas-vindas” começou>',
      '<A conversa seguiu para o fluxo “Pedidos”>',
      'pedido',
      '<O fluxo “Pedidos” chamou uma pessoa>',
      '<Ana Souza assumiu a conversa>',
      '<Ana Souza escolheu responder por “Balcão”>',
      '<Ana Souza finalizou a conversa>',
      'obrigado',
      '<A conversa voltou a esperar: o cliente escreveu>',
      '<O fluxo “Boas-vindas” finalizou a conversa>',
      '<Ana Souza reabriu a conversa>',
    ])
  })

  it('say in one that somebody took over and the flow stopped', async () => {
    const { id, happens, conversation } = await somebody()
    await happens(started(welcome))
    await happens(accepted, { id: `${id} accepted` })
    expect(await conversation()).toContain('<Ana Souza assumiu a conversa>')
    const between = history.end() ?? ''
    await happens(ended(welcome, 'accepted'), { cause: `${id} accepted` })
    await happens(ended(orders, 'accepted'), { cause: `${id} accepted` })
    expect(await conversation()).toEqual([
      'oi',
      '<O fluxo “Boas-vindas” começou>',
      '<Ana Souza assumiu; o fluxo “Boas-vindas” parou>',
    ])
    const em = encodeURIComponent(history.prosa.tokenOf(tenant, between))
    expect(await conversation(`?em=${em}`)).toContain('<Ana Souza assumiu a conversa>')
  })

  it.each<[Actor, string]>([
    [{ kind: 'whatsapp', id: balcony }, 'o cliente escreveu'],
    [{ kind: 'flow', id: welcome }, 'o cliente escreveu depois que o fluxo finalizou'],
    [{ kind: 'system', id: 'mark-robots-on-flows-paused' }, 'os fluxos a deixaram para uma pessoa'],
  ])('say why it waits again, as of %o', async (actor, cause) => {
    const { happens, conversation } = await somebody()
    await happens(reopened, { actor })
    expect(await conversation()).toEqual(['oi', `<A conversa voltou a esperar: ${cause}>`])
  })

  it('say that it waits again by a merge, or as flows stopped', async () => {
    const [merged, robot] = [await somebody(), await somebody()]
    const merge = { cause: `${merged.id} merge`, actor: { kind: 'whatsapp', id: balcony } } as const
    await merged.happens({ type: 'ContactMerged', data: { absorbed: idOf('absorbed') } }, merge)
    await merged.happens(reopened, merge)
    expect((await merged.conversation()).at(-1)).toBe('<A conversa voltou a esperar: o contato unido esperava>')
    const pause = { cause: `${robot.id} pause` }
    await robot.happens({ type: 'RobotSuspected', data: { reason: 'starts', count: 10, withinSeconds: 600 } }, pause)
    await robot.happens(reopened, pause)
    expect(await robot.conversation()).toEqual([
      'oi',
      '<Os fluxos pararam: talvez seja um robô>',
      '<A conversa voltou a esperar: os fluxos a deixaram para uma pessoa>',
    ])
  })

  it('say why a flow stopped, and nothing where something else says it', async () => {
    const { happens, conversation } = await somebody()
    for (const reason of ['silence', 'completed', 'went_on', 'possible_robot', 'waits_for_person'] as const)
      await happens(ended(welcome, reason))
    expect(await conversation()).toEqual(['oi', '<O fluxo “Boas-vindas” parou: o cliente não respondeu>'])
  })

  it('name no flow, number or person that is gone', async () => {
    const { happens, conversation } = await somebody()
    const gone = idOf('gone')
    await happens(started(gone))
    await happens({ type: 'ConversationAccepted', data: { attendantId: gone } })
    expect(await conversation()).toEqual(['oi', '<O fluxo começou>', '<Alguém da equipe assumiu a conversa>'])
  })

  it('go with a merge, and each with its own once separated', async () => {
    const [ana, bia] = [await somebody(), await somebody()]
    await bia.happens(started(welcome))
    await ana.happens({ type: 'ContactMerged', data: { absorbed: bia.id } })
    await bia.happens({ type: 'ContactAbsorbed', data: { into: ana.id } })
    const both = ['oi', 'oi', '<O fluxo “Boas-vindas” começou>', '<A conversa de outro contato foi unida a esta>']
    expect(await ana.conversation()).toEqual(both)
    await ana.happens({ type: 'ContactSeparated', data: { restored: bia.id } }, { actor: person })
    await bia.happens({ type: 'ContactRestored', data: { from: ana.id } })
    expect(await ana.conversation()).toEqual([
      'oi',
      '<A conversa de outro contato foi unida a esta>',
      '<Ana Souza separou a conversa de outro contato>',
    ])
    expect(await bia.conversation()).toEqual(['oi', '<O fluxo “Boas-vindas” começou>'])
  })

  it('page together with the messages: each once, wherever pages begin', async () => {
    const { id, happens, read } = await somebody()
    for (let index = 0; index < 150; index++) {
      await happens(index % 2 === 0 ? accepted : resolved)
      await happens(received(`m${index}`))
    }
    await happens(resolved)
    const path = `/api/whatsapp/contacts/${id}/messages`
    const latest = await history.read<Message[]>(path, tenant)
    const pages = [latest.body]
    const cursorOf = (reply: { headers?: Record<string, unknown> }) => reply.headers?.['prosa-next-cursor']
    let cursor = cursorOf(latest as never)
    while (cursor) {
      const reply = await history.read<Message[]>(`${path}?cursor=${encodeURIComponent(String(cursor))}`, tenant)
      pages.unshift(reply.body)
      cursor = cursorOf(reply as never)
    }
    expect(pages).toHaveLength(2)
    const lines = pages.flat().flatMap(({ linesBefore = [], linesAfter = [] }) => [...linesBefore, ...linesAfter])
    expect(new Set(lines.map((line) => line.id)).size).toBe(151)
    expect(lines).toHaveLength(151)
    expect(pages[0]?.some(({ linesAfter }) => linesAfter)).toBe(false)
    expect(pages[1]?.at(-1)?.linesAfter).toHaveLength(1)
    const around = await read('?around=m60')
    expect(around.filter(({ linesBefore }) => linesBefore?.length === 1)).toHaveLength(around.length)
  })

  it('are in a copy of the data, between the messages and without any', async () => {
    const { id, happens } = await somebody()
    await happens(accepted)
    await happens(received('mais'))
    await happens(resolved)
    await history.read('/api/account', tenant)
    const { pool } = history.prosa.ports
    const copied: unknown[] = []
    for await (const each of conversationOf(pool, tenant, await requireContact(pool, tenant, id))) copied.push(each)
    expect(copied).toMatchObject([
      { texto: 'oi' },
      { tipo: 'aviso', texto: 'Ana Souza assumiu a conversa' },
      { texto: 'mais' },
      { tipo: 'aviso', texto: 'Ana Souza finalizou a conversa' },
    ])
  })

  it('are nobody else’s, and say no word of what was written', async () => {
    const { id, happens, read } = await somebody()
    await happens(started(welcome))
    expect(JSON.stringify(await read())).not.toContain('segredo')
    expect((await history.read(`/api/whatsapp/contacts/${id}/messages`, eva)).status).toBe(404)
  })
})
