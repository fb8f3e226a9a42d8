import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { expect, it } from 'vitest'
import { ApiProblem, offline } from '../../../lib/http/http.ts'
import { DraftSaver, type LocalDraft } from './draft-saver.ts'

const conflict = () => new ApiProblem(409, 'flow_draft_conflict', 'Mudado em outra janela')
const named = (text: string): FlowDocument => {
  const document = starterFlow()
  return {
    ...document,
    nodes: document.nodes.map((node) =>
      node.type === 'message' ? { ...node, data: { ...node.data, message: text } } : node,
    ),
  }
}
const first = { document: named('um'), revision: 3, updatedAt: '2026-11-23T12:00:00.000Z' }

/** `failures` are the errors of the next saves. */
const aServer = () => {
  const server = {
    stored: first,
    failures: [] as unknown[],
    savings: [] as string[],
    kept: null as LocalDraft | null,
    /** Stores the draft, but the reply fails. */
    losesAnswers: false,
    held: Promise.resolve(),
  }
  const store = (document: FlowDocument) => {
    const revision = server.stored.revision + 1
    server.stored = { document: structuredClone(document), revision, updatedAt: '2026-11-23T12:05:00.000Z' }
    return server.stored
  }
  const saver = (kept: LocalDraft | null = null) =>
    new DraftSaver(first, kept, {
      save: async ({ document, basedOn }) => {
        await server.held
        const failure = server.failures.shift()
        if (failure) throw failure
        if (basedOn !== server.stored.revision) throw conflict()
        const [node] = document.nodes.filter(({ type }) => type === 'message')
        server.savings.push(node?.type === 'message' ? node.data.message : '')
        const stored = store(document)
        if (server.losesAnswers) throw offline()
        return stored
      },
      read: async () => server.stored,
      keep: (draft) => {
        server.kept = draft
      },
      pauseMs: 60_000,
      retryMs: 60_000,
    })
  return { server, saver, store }
}

it('saves what was edited, based on what it had', async () => {
  const { server, saver } = aServer()
  const draft = saver()
  draft.note(named('dois'))
  expect(draft.state()).toEqual({ kind: 'changed' })
  expect(await draft.flush()).toBe(true)
  expect(server.savings).toEqual(['dois'])
  expect(draft.state()).toEqual({ kind: 'saved', at: '2026-11-23T12:05:00.000Z' })
  expect(draft.revision).toBe(4)
})

it('saves nothing that is saved', async () => {
  const { server, saver } = aServer()
  expect(await saver().flush()).toBe(true)
  expect(server.savings).toEqual([])
})

it('saves again what was edited while it was saving', async () => {
  const { server, saver } = aServer()
  let answer: (() => void) | undefined
  server.held = new Promise((resolve) => {
    answer = resolve
  })
  const draft = saver()
  draft.note(named('dois'))
  const flushed = draft.flush()
  draft.note(named('três'))
  answer?.()
  expect(await flushed).toBe(true)
  expect(server.savings).toEqual(['dois', 'três'])
})

it('keeps in the browser what could not be sent, and sends it later', async () => {
  const { server, saver } = aServer()
  server.failures.push(offline())
  const draft = saver()
  const edited = named('dois')
  draft.note(edited)
  expect(await draft.flush()).toBe(false)
  expect(draft.state()).toEqual({ kind: 'local' })
  expect(server.kept).toEqual({ document: edited, basedOn: 3 })
  expect(await draft.flush()).toBe(true)
  expect(server.kept).toBeNull()
})

it('goes on with what an earlier visit kept', async () => {
  const { server, saver } = aServer()
  const draft = saver({ document: named('de ontem'), basedOn: 3 })
  expect(draft.document).toEqual(named('de ontem'))
  expect(await draft.flush()).toBe(true)
  expect(server.savings).toEqual(['de ontem'])
})

it('shows a conflict where what was kept is older than what somebody saved since', () => {
  const draft = aServer().saver({ document: named('de ontem'), basedOn: 2 })
  expect(draft.state()).toEqual({ kind: 'conflict' })
})

it('never saves over what somebody else saved, until that is chosen', async () => {
  const { server, saver, store } = aServer()
  const draft = saver()
  store(named('de outra janela'))
  draft.note(named('meu'))
  expect(await draft.flush()).toBe(false)
  expect(draft.state()).toEqual({ kind: 'conflict' })
  draft.note(named('meu, ainda'))
  expect(await draft.flush()).toBe(false)
  expect(server.savings).toEqual([])
  expect(await draft.saveOver()).toBe(true)
  expect(server.savings).toEqual(['meu, ainda'])
})

it('takes what is saved in the place of its own, when that is chosen', async () => {
  const { server, saver, store } = aServer()
  const draft = saver()
  store(named('de outra janela'))
  draft.note(named('meu'))
  await draft.flush()
  draft.load(server.stored)
  expect(draft.isUnsaved).toBe(false)
  expect(draft.state().kind).toBe('saved')
  expect(server.kept).toBeNull()
})

it('recognises its own saving, whose answer was lost', async () => {
  const { server, saver } = aServer()
  server.losesAnswers = true
  const draft = saver()
  draft.note(named('dois'))
  expect(await draft.flush()).toBe(false)
  server.losesAnswers = false
  expect(await draft.flush()).toBe(true)
  expect(draft.state().kind).toBe('saved')
  expect(draft.revision).toBe(4)
})

it('shows that the account has saved all that it may today, and does not ask again and again', async () => {
  const { server, saver } = aServer()
  server.failures.push(new ApiProblem(429, 'drafts_of_day_used_up', 'Tente de novo amanhã.', [], 3600))
  const draft = saver()
  draft.note(named('mais um'))
  expect(await draft.flush()).toBe(false)
  expect(draft.state()).toEqual({ kind: 'refused', sentence: 'Tente de novo amanhã.' })
})

it('shows why a draft is refused, and tries again with the next edit', async () => {
  const { server, saver } = aServer()
  server.failures.push(new ApiProblem(400, 'invalid_request', 'O texto é longo demais.'))
  const draft = saver()
  draft.note(named('longo'))
  expect(await draft.flush()).toBe(false)
  expect(draft.state()).toEqual({ kind: 'refused', sentence: 'O texto é longo demais.' })
  draft.note(named('curto'))
  expect(await draft.flush()).toBe(true)
})
