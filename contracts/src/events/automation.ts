import { z } from 'zod'
import { erasedFlowDocument, flowDocument, flowFolderId, flowId, flowRunId } from '../flows/flow-document.ts'
import { flowEndReason } from '../flows/flow-end-reason.ts'
import { connectionId, flowLinkToken, id, labelId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { messageContent } from '../values/message-content.ts'
import { erasedContent, erasedText, personal } from '../values/personal.ts'

const personalText = personal(z.string(), erasedText)
const personalDocument = personal(flowDocument, erasedFlowDocument)

/** Stream `flowFolder-<id>`: one folder of flows. */
export const flowFolderEvents = {
  /** A subscriber made it; or it is one of the three samples that every account begins with. */
  FlowFolderCreated: z.object({ name: personalText, description: personalText, isSample: z.boolean() }),
  /** A subscriber gave it another name or description. */
  FlowFolderDescribed: z.object({ name: personalText, description: personalText }),
  /** A subscriber deleted it, and with it the flows in it; or the account was erased. */
  FlowFolderDeleted: z.object({}),
}

/** Stream `flow-<id>`: one flow, as it is drawn and as it was published. */
export const flowEvents = {
  /**
   * A subscriber made it, copied or imported it; or it is a sample. It is a draft. `document` is empty where the draft stands beside the
   * log: `FlowDraftKept` follows in the same moment.
   */
  FlowCreated: z.object({
    name: personalText,
    folderId: flowFolderId.nullable(),
    document: personalDocument,
    origin: z.enum(['new', 'copy', 'import', 'sample']),
  }),
  /** A subscriber gave it another name. */
  FlowRenamed: z.object({ name: personalText }),
  /** A subscriber put it into another folder, or into none. */
  FlowMoved: z.object({ folderId: flowFolderId.nullable() }),
  /**
   * The draft was stored beside the log, where the next one supersedes it. `revision` counts savings and is 0 of the draft that a flow
   * begins with; `digest` is a keyed hash of what was stored; `restoredVersion` is the one it was taken from.
   */
  FlowDraftKept: z.object({
    revision: z.int().nonnegative(),
    digest: z.string().min(1),
    sizeBytes: z.int().positive(),
    nodeCount: z.int().nonnegative(),
    /** Files that its messages send. */
    fileIds: z.array(id),
    restoredVersion: z.int().positive().nullable(),
  }),
  /**
   * The draft was saved, with the whole of it in the log: only by versions before drafts were kept beside it. `revision` counts savings,
   * from 1 on.
   */
  FlowDraftSaved: z.object({
    revision: z.int().positive(),
    document: personalDocument,
    restoredVersion: z.int().positive().nullable(),
  }),
  /** The draft became a version, from 1 on, and is on: runs that start from now on follow it. */
  FlowPublished: z.object({ version: z.int().positive(), document: personalDocument }),
  /** A published flow starts again. */
  FlowTurnedOn: z.object({}),
  /** A published flow starts no more; what runs goes on. */
  FlowTurnedOff: z.object({}),
  /** A subscriber deleted it: what runs ends. */
  FlowDeleted: z.object({}),
  /** An administrator stopped a link of one of its messages: whoever opens it gets no further. */
  FlowLinkBlocked: z.object({ token: flowLinkToken }),
  /** An administrator let the link lead where the message did again. */
  FlowLinkUnblocked: z.object({ token: flowLinkToken }),
}

/** Stream `defaultFlow-<userId>`: the flow that greets new contacts of one account. */
export const defaultFlowEvents = {
  /** A subscriber chose it, or none. */
  DefaultFlowChosen: z.object({ flowId: flowId.nullable() }),
}

const ofRun = { runId: flowRunId, flowId, version: z.int().positive() }
/** Counts the steps of a run, from 1 on. */
const ofStep = { ...ofRun, step: z.int().positive(), nodeId: z.string() }

/** Stream `flowRun-<contactId>`: the runs of flows with one contact, so that each happens in the order of what the contact wrote. */
export const flowRunEvents = {
  /** A contact set a flow off, or another run went on into it. The run follows this version to its end. */
  FlowRunStarted: z.object({
    ...ofRun,
    connectionId,
    startedBy: z.enum(['any_message', 'keyword', 'first_contact', 'out_of_hours', 'label_set', 'default_flow', 'flow']),
    /** The message that set it off; null where none did. */
    startMessageId: whatsappMessageId.nullable(),
    text: personal(z.string(), erasedText),
    /** When it was decided, for the limit of starts. Absent before 25 November 2026. */
    startedAt: instant.optional(),
  }),
  /** The run passed a node and left it by this output; null where it has one, or none. */
  FlowStepTaken: z.object({
    ...ofStep,
    type: z.string(),
    output: z.enum(['true', 'false', 'answer', 'timeout']).nullable(),
    /** Why the node did nothing: its label was deleted. Absent where it did what it is for. */
    skipped: z.enum(['label_gone']).optional(),
  }),
  /** The run wants to say something: contacts put it into the chat, with this id, and sessions send it. */
  FlowMessageRequested: z.object({
    ...ofStep,
    messageId: whatsappMessageId,
    connectionId,
    content: personal(messageContent, erasedContent),
    typingSeconds: z.int().nonnegative(),
    /** Links of the text that lead through Prosa, so that opening them is counted. */
    links: personal(z.array(z.object({ token: z.string(), url: z.string() })), []),
    /** When it was decided, for the limit of messages. Absent before 25 November 2026. */
    requestedAt: instant.optional(),
  }),
  /** The run wants a label put on the contact, or taken off: contacts do it. */
  FlowLabelRequested: z.object({ ...ofStep, labelId, isLabelled: z.boolean() }),
  /** The run rests until then. */
  FlowDelayStarted: z.object({ ...ofStep, until: instant }),
  /** The run asked, and waits for what the contact writes next; until then at most. */
  FlowAnswerAwaited: z.object({ ...ofStep, until: instant }),
  /** The contact answered. */
  FlowAnswerReceived: z.object({
    ...ofStep,
    messageId: whatsappMessageId,
    variable: z.string(),
    text: personal(z.string(), erasedText),
  }),
  /** The contact wrote while the run rested: it is kept for the next question. */
  FlowInputKept: z.object({ ...ofRun, messageId: whatsappMessageId, text: personal(z.string(), erasedText) }),
  /** The contact was merged into another: the run ends there and goes on with that contact, as it stood. */
  FlowRunMovedAway: z.object({ ...ofRun, to: z.string() }),
  /** A run of a contact that was merged into this one goes on here. `state` is what the run stands at, as JSON. */
  FlowRunTakenOver: z.object({ ...ofRun, from: z.string(), state: personal(z.string(), erasedText) }),
  /** The run is over, and why. */
  FlowRunEnded: z.object({
    ...ofRun,
    /** From then on counts when the flow may start again for the same person. */
    endedAt: instant,
    reason: flowEndReason,
  }),
  /**
   * Flows started or spoke more often than the limits allow, as two robots do that answer each other: what runs ends, and nothing starts
   * with this contact until `FlowsResumed`. Or a contact that was merged into this one was paused so.
   */
  FlowsPaused: z.object({
    pausedAt: instant,
    /** Which limit it was. */
    reason: z.enum(['starts', 'messages']),
    /** What had happened within these seconds. */
    starts: z.int().nonnegative(),
    messages: z.int().nonnegative(),
    withinSeconds: z.int().positive(),
    /** The run that had one message more to send; null of a start, and of a merge. */
    runId: flowRunId.nullable(),
    /** The message, or the event of the label, that would have started a flow; null where none would. */
    occasion: z.string().nullable(),
  }),
  /**
   * Something would have started a flow while the contact waits for the person to whom a flow handed it over. Recorded once for each
   * wait, which `FlowsResumed` ends.
   */
  FlowStartWithheld: z.object({
    flowId,
    /** The message, or the event of the label, that starts nothing. */
    occasion: z.string(),
    /** Since when the contact waits. */
    handedOverAt: instant,
  }),
  /**
   * A person finished the conversation, said that the contact is no robot, or separated it from another: what had paused goes on.
   * `isFinished`: the conversation was finished, with which the wait for a person ends too. Absent of the others, and before 25 November
   * 2026.
   */
  FlowsResumed: z.object({ resumedAt: instant, isFinished: z.boolean().optional() }),
  /** Starts and messages of a contact that was merged into this one: they count here too. By the ids of runs and of messages. */
  FlowCountsTakenOver: z.object({
    from: z.string(),
    /** The other contact waited for a person: this one does so since the merge. Absent where it did not. */
    handedOverAt: instant.optional(),
    starts: z.array(z.object({ id: z.string(), at: instant })),
    messages: z.array(z.object({ id: z.string(), at: instant })),
  }),
  /** Somebody opened a link of a message that the run had sent. */
  FlowLinkOpened: z.object({ ...ofRun, nodeId: z.string(), token: z.string() }),
}

export const automationEvents = { ...flowFolderEvents, ...flowEvents, ...defaultFlowEvents, ...flowRunEvents }
