import { erasedFlowDocument, type FlowDocument } from '@prosa/contracts/flows/flow-document'
import { starterFlow } from '@prosa/contracts/flows/new-node'
import { fold } from '@prosa/kernel/domain/decider'
import { specify } from '@prosa/kernel/domain/specify'
import { describe, expect, it } from 'vitest'
import { type FlowEvent, flow, versionOf } from './flow.ts'

const given = specify(flow)
const folderId = 'c2b4a1de-91c4-4f0e-8a53-6f0a2f1b7d33'
const saying = (message: string): FlowDocument => {
  const document = starterFlow()
  for (const node of document.nodes) if (node.type === 'message') node.data.message = message
  return document
}
const create = {
  type: 'CreateFlow',
  data: { name: 'Boas-vindas', folderId, document: starterFlow(), origin: 'new' },
} as const
const created: FlowEvent = { type: 'FlowCreated', data: create.data }
const change = (data: { name?: string; folderId?: string | null }) => ({ type: 'ChangeFlow', data }) as const
const summaryOf = (document: FlowDocument) => ({
  digest: JSON.stringify(document),
  sizeBytes: JSON.stringify(document).length,
  nodeCount: document.nodes.length,
  fileIds: [],
})
const save = (message: string, basedOn: number, restoredVersion: number | null = null, isStored = true) => {
  const document = saying(message)
  return {
    type: 'SaveDraft',
    data: { document, summary: summaryOf(document), isStored, basedOn, restoredVersion },
  } as const
}
const kept = (message: string, revision: number, restoredVersion: number | null = null): FlowEvent => ({
  type: 'FlowDraftKept',
  data: { ...summaryOf(saying(message)), revision, restoredVersion },
})
const saved = (message: string, revision: number, restoredVersion: number | null = null): FlowEvent => ({
  type: 'FlowDraftSaved',
  data: { document: saying(message), revision, restoredVersion },
})
const publish = (basedOn: number, document = starterFlow(), readAt = basedOn) =>
  ({ type: 'PublishFlow', data: { basedOn, document, readAt } }) as const
const published = (version: number, document = starterFlow()): FlowEvent => ({
  type: 'FlowPublished',
  data: { version, document },
})
const turn = (isOn: boolean) => ({ type: 'TurnFlow', data: { isOn } }) as const
const turnedOn: FlowEvent = { type: 'FlowTurnedOn', data: {} }
const turnedOff: FlowEvent = { type: 'FlowTurnedOff', data: {} }
const remove = { type: 'DeleteFlow', data: {} } as const
const deleted: FlowEvent = { type: 'FlowDeleted', data: {} }

describe('a flow', () => {
  it('is made once, however often it is asked, also after it was deleted', () => {
    given().when(create).then(created)
    given(created).when(create).thenNothing()
    given(created, deleted).when(create).thenNothing()
  })
  it('gets another name, another folder, or both', () => {
    given(created)
      .when(change({ name: 'Olá' }))
      .then({ type: 'FlowRenamed', data: { name: 'Olá' } })
    given(created)
      .when(change({ name: 'Olá', folderId: null }))
      .then({ type: 'FlowRenamed', data: { name: 'Olá' } }, { type: 'FlowMoved', data: { folderId: null } })
    given(created)
      .when(change({ name: 'Boas-vindas', folderId }))
      .thenNothing()
    given(created).when(change({})).thenNothing()
  })
  it('is deleted once', () => {
    given(created).when(remove).then(deleted)
    given(created, deleted).when(remove).thenNothing()
  })
  it('must be there', () => {
    for (const command of [change({ name: 'Olá' }), save('Oi', 0), publish(0), turn(true)]) {
      given().when(command).thenRejected('flow_not_found')
      given(created, deleted).when(command).thenRejected('flow_not_found')
    }
    given().when(remove).thenRejected('flow_not_found')
  })
})

describe('a draft', () => {
  it('stands beside the log, which counts it and knows it by its digest', () => {
    given(created).when(save('Oi', 0)).then(kept('Oi', 1))
    given(created, kept('Oi', 1)).when(save('Olá', 1)).then(kept('Olá', 2))
    given(created, kept('Oi', 1)).when(save('Oi', 1)).thenNothing()
  })
  it('that the log holds, from versions before, counts as it did, and is superseded by one beside it', () => {
    given(created, saved('Oi', 1)).when(save('Oi', 1)).thenNothing()
    given(created, saved('Oi', 1)).when(save('Olá', 1)).then(kept('Olá', 2))
  })
  it('is there from the beginning where a flow is copied or imported', () => {
    const document = saying('Oi')
    given()
      .when({ type: 'CreateFlow', data: { ...create.data, document, summary: summaryOf(document) } })
      .then({ type: 'FlowCreated', data: { ...create.data, document: erasedFlowDocument } }, kept('Oi', 0))
  })
  it.each([saved, kept])('is not written over what somebody else saved meanwhile, unless both are the same', (was) => {
    given(created, was('Oi', 1)).when(save('Olá', 0)).thenRejected('flow_draft_conflict')
    given(created, was('Oi', 1)).when(save('Oi', 0)).thenNothing()
    given(created).when(save('Oi', 7)).thenRejected('flow_draft_conflict')
  })
  it('that was not stored is never recorded: another one came while it was looked at', () => {
    given(created, kept('Oi', 1))
      .when(save('Olá', 1, null, false))
      .thenRejected('flow_draft_conflict')
  })
  it('may be a version again, which names it', () => {
    given(created, kept('Oi', 1), published(1, saying('Oi')), kept('Olá', 2))
      .when(save('Oi', 2, 1))
      .then(kept('Oi', 3, 1))
  })
})

describe('publishing', () => {
  it('makes a version of the draft, and turns the flow on', () => {
    given(created).when(publish(0)).then(published(1))
    given(created, kept('Oi', 1), published(1, saying('Oi')), turnedOff, kept('Olá', 2))
      .when(publish(2, saying('Olá')))
      .then(published(2, saying('Olá')))
  })
  it('is refused where the draft was superseded after it was read', () => {
    given(created, kept('Oi', 1), kept('Olá', 2))
      .when(publish(2, saying('Oi'), 1))
      .thenRejected('flow_draft_conflict')
  })
  it('makes no second version of the same draft, and only turns on what is off', () => {
    given(created, published(1)).when(publish(0)).thenNothing()
    given(created, published(1), turnedOff).when(publish(0)).then(turnedOn)
  })
  it('is of the draft that was seen', () => {
    given(created, kept('Oi', 1)).when(publish(0)).thenRejected('flow_draft_conflict')
  })
  it('is refused while the draft has errors', () => {
    given(created, kept(' ', 1))
      .when(publish(1, saying(' ')))
      .thenRejected('flow_has_errors')
  })
  it('is where others find each version: at the number of its event', () => {
    const { versionsAt, isOn, ...state } = fold(flow, flow.initial, [
      created,
      published(1),
      saved('Oi', 1),
      turnedOff,
      published(2, saying('Oi')),
    ])
    expect({ versionsAt, isOn, version: versionOf({ versionsAt }), events: state.events }).toEqual({
      versionsAt: [1, 4],
      isOn: true,
      version: 2,
      events: 5,
    })
  })
})

describe('a published flow', () => {
  it('is turned off and on, once each', () => {
    given(created, published(1)).when(turn(false)).then(turnedOff)
    given(created, published(1), turnedOff).when(turn(false)).thenNothing()
    given(created, published(1), turnedOff).when(turn(true)).then(turnedOn)
    given(created, published(1)).when(turn(true)).thenNothing()
  })
  it('must have been published', () => {
    given(created).when(turn(true)).thenRejected('flow_not_published')
  })
})

describe('a link of its messages', () => {
  const token = '0f1e2d3c4b5a69788796'
  const block = { type: 'BlockLink', data: { token } } as const
  const unblock = { type: 'UnblockLink', data: { token } } as const
  const blocked: FlowEvent = { type: 'FlowLinkBlocked', data: { token } }
  const unblocked: FlowEvent = { type: 'FlowLinkUnblocked', data: { token } }

  it('is blocked and unblocked once, however often it is asked', () => {
    given(created).when(block).then(blocked)
    given(created, blocked).when(block).thenNothing()
    given(created).when(unblock).thenNothing()
    given(created, blocked).when(unblock).then(unblocked)
    given(created, blocked, unblocked).when(block).then(blocked)
  })

  it('ended with it: there is nothing to be blocked', () => {
    given().when(block).thenRejected('flow_not_found')
    given(created, deleted).when(block).thenRejected('flow_not_found')
    given(created, deleted).when(unblock).thenRejected('flow_not_found')
  })

  it('leaves versions where they stand in the stream', () => {
    const state = fold(flow, flow.initial, [created, blocked, published(1), unblocked, published(2)])
    expect(state.versionsAt).toEqual([2, 4])
  })
})
