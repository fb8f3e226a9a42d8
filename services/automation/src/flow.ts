import { isDeepStrictEqual } from 'node:util'
import type { EventOf } from '@prosa/contracts/events/all-events'
import type { flowEvents } from '@prosa/contracts/events/automation'
import { userSubject } from '@prosa/contracts/events/subjects'
import { erasedFlowDocument, type FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { Decider } from '@prosa/kernel/domain/decider'
import { hasErrors } from './flow-problems.ts'

export type FlowEvent = EventOf<typeof flowEvents>

type Created = Extract<FlowEvent, { type: 'FlowCreated' }>['data']

export type DraftSummary = Omit<Extract<FlowEvent, { type: 'FlowDraftKept' }>['data'], 'revision' | 'restoredVersion'>

/** `basedOn`: the draft revision that the user saw, so concurrent saves are neither overwritten nor published. */
export type FlowCommand =
  /** Without `summary` the document is in the log: only small samples of ours. */
  | { type: 'CreateFlow'; data: Created & { summary?: DraftSummary } }
  /** Omitted fields do not change. */
  | { type: 'ChangeFlow'; data: { name?: string | undefined; folderId?: string | null | undefined } }
  /** `isStored`: already stored beside the log; other drafts are never recorded. */
  | {
      type: 'SaveDraft'
      data: {
        document: FlowDocument
        summary: DraftSummary
        isStored: boolean
        basedOn: number
        restoredVersion: number | null
      }
    }
  /** `document`: the draft at `readAt`, published only if current. */
  | { type: 'PublishFlow'; data: { basedOn: number; document: FlowDocument; readAt: number } }
  | { type: 'TurnFlow'; data: { isOn: boolean } }
  | { type: 'DeleteFlow'; data: Record<never, never> }
  | { type: 'BlockLink'; data: { token: string } }
  | { type: 'UnblockLink'; data: { token: string } }

export type FlowRefusal = 'flow_not_found' | 'flow_draft_conflict' | 'flow_has_errors' | 'flow_not_published'

export type FlowDraft =
  | { isInLog: true; document: FlowDocument }
  /** Stored by flow id, revision and digest. */
  | { isInLog: false; digest: string; sizeBytes: number; nodeCount: number }

export interface Flow {
  status: 'none' | 'standing' | 'deleted'
  name: string
  folderId: string | null
  draft: FlowDraft
  /** Counts saves of the draft. */
  revision: number
  isOn: boolean
  /** Stream revisions, where documents are read. */
  versionsAt: readonly number[]
  /** Draft revision; null before the first version. */
  publishedRevision: number | null
  /** Tokens of links that lead nowhere any more. */
  blockedLinks: readonly string[]
  events: number
}

/** A deleted flow leaves nothing in memory or beside the log. */
const nothing = {
  name: '',
  folderId: null,
  draft: { isInLog: true, document: erasedFlowDocument },
  revision: 0,
  isOn: false,
  versionsAt: [],
  publishedRevision: null,
  blockedLinks: [],
} as const

const counted = (state: Flow, change: Partial<Flow>): Flow => ({ ...state, ...change, events: state.events + 1 })

/** The current version; 0 before the first. */
export const versionOf = ({ versionsAt }: Pick<Flow, 'versionsAt'>): number => versionsAt.length

export const nodeCountOf = ({ draft }: Pick<Flow, 'draft'>): number =>
  draft.isInLog ? draft.document.nodes.length : draft.nodeCount

export const isSameDraft = (
  draft: FlowDraft,
  document: FlowDocument,
  { digest }: Pick<DraftSummary, 'digest'>,
): boolean => (draft.isInLog ? isDeepStrictEqual(draft.document, document) : draft.digest === digest)

export const flow: Decider<FlowCommand, FlowEvent, Flow, FlowRefusal> = {
  initial: { ...nothing, status: 'none', events: 0 },

  decide: {
    CreateFlow: ({ status }, { summary, ...data }) => {
      if (status !== 'none') return []
      if (!summary) return [{ type: 'FlowCreated', data }]
      return [
        { type: 'FlowCreated', data: { ...data, document: erasedFlowDocument } },
        { type: 'FlowDraftKept', data: { ...summary, revision: 0, restoredVersion: null } },
      ]
    },
    ChangeFlow: (state, { name, folderId }) => {
      if (state.status !== 'standing') return { rejected: 'flow_not_found' }
      const events: FlowEvent[] = []
      if (name !== undefined && name !== state.name) events.push({ type: 'FlowRenamed', data: { name } })
      if (folderId !== undefined && folderId !== state.folderId) events.push({ type: 'FlowMoved', data: { folderId } })
      return events
    },
    SaveDraft: ({ status, revision, draft }, { basedOn, document, summary, isStored, restoredVersion }) => {
      if (status !== 'standing') return { rejected: 'flow_not_found' }
      // Windows with equal content do not conflict.
      if (isSameDraft(draft, document, summary)) return []
      if (basedOn !== revision || !isStored) return { rejected: 'flow_draft_conflict' }
      return [{ type: 'FlowDraftKept', data: { ...summary, revision: revision + 1, restoredVersion } }]
    },
    PublishFlow: ({ status, revision, isOn, ...state }, { basedOn, document, readAt }) => {
      if (status !== 'standing') return { rejected: 'flow_not_found' }
      if (basedOn !== revision || readAt !== revision) return { rejected: 'flow_draft_conflict' }
      if (state.publishedRevision === revision) return isOn ? [] : [{ type: 'FlowTurnedOn', data: {} }]
      if (hasErrors(document)) return { rejected: 'flow_has_errors' }
      return [{ type: 'FlowPublished', data: { version: versionOf(state) + 1, document } }]
    },
    TurnFlow: (state, { isOn }) => {
      if (state.status !== 'standing') return { rejected: 'flow_not_found' }
      if (versionOf(state) === 0) return { rejected: 'flow_not_published' }
      if (isOn === state.isOn) return []
      return [{ type: isOn ? 'FlowTurnedOn' : 'FlowTurnedOff', data: {} }]
    },
    DeleteFlow: ({ status }) => {
      if (status === 'deleted') return []
      return status === 'none' ? { rejected: 'flow_not_found' } : [{ type: 'FlowDeleted', data: {} }]
    },
    BlockLink: ({ status, blockedLinks }, data) => {
      if (status !== 'standing') return { rejected: 'flow_not_found' }
      return blockedLinks.includes(data.token) ? [] : [{ type: 'FlowLinkBlocked', data }]
    },
    UnblockLink: ({ status, blockedLinks }, data) => {
      if (status !== 'standing') return { rejected: 'flow_not_found' }
      return blockedLinks.includes(data.token) ? [{ type: 'FlowLinkUnblocked', data }] : []
    },
  },

  evolve: {
    FlowCreated: (state, { name, folderId, document }) =>
      counted(state, { ...nothing, status: 'standing', name, folderId, draft: { isInLog: true, document } }),
    FlowDraftKept: (state, { revision, digest, sizeBytes, nodeCount }) =>
      counted(state, { revision, draft: { isInLog: false, digest, sizeBytes, nodeCount } }),
    FlowRenamed: (state, { name }) => counted(state, { name }),
    FlowMoved: (state, { folderId }) => counted(state, { folderId }),
    FlowDraftSaved: (state, { revision, document }) => counted(state, { revision, draft: { isInLog: true, document } }),
    FlowPublished: (state) =>
      counted(state, {
        isOn: true,
        versionsAt: [...state.versionsAt, state.events],
        publishedRevision: state.revision,
      }),
    FlowTurnedOn: (state) => counted(state, { isOn: true }),
    FlowTurnedOff: (state) => counted(state, { isOn: false }),
    FlowDeleted: (state) => counted(state, { ...nothing, status: 'deleted' }),
    FlowLinkBlocked: (state, { token }) => counted(state, { blockedLinks: [...state.blockedLinks, token] }),
    FlowLinkUnblocked: (state, { token }) =>
      counted(state, { blockedLinks: state.blockedLinks.filter((each) => each !== token) }),
  },

  // A stream may hold thousands of saves, old ones with whole documents.
  saving: { decider: 'flow', version: 3, subject: ({ tenant }) => userSubject(tenant) },
}
