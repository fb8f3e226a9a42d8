import { z } from 'zod'
import { calculationFault } from '../flows/calculation.ts'
import {
  erasedFlowDocument,
  flowDocument,
  flowFolderId,
  flowId,
  flowOutput,
  flowRunId,
} from '../flows/flow-document.ts'
import { flowEndReason } from '../flows/flow-end-reason.ts'
import { requestReply } from '../flows/request.ts'
import { answerTypes } from '../values/answers/answer-type.ts'
import { connectionId, contactFieldId, flowLinkToken, id, labelId, userId, whatsappMessageId } from '../values/ids.ts'
import { instant } from '../values/instant.ts'
import { messageContent } from '../values/message-content.ts'
import { erasedContent, erasedText, personal } from '../values/personal.ts'

const personalText = personal(z.string(), erasedText)
const personalDocument = personal(flowDocument, erasedFlowDocument)

export const flowFolderEvents = {
  /** A user created it, or it is a sample of a new account. */
  FlowFolderCreated: z.object({ name: personalText, description: personalText, isSample: z.boolean() }),
  /** A user changed name or description. */
  FlowFolderDescribed: z.object({ name: personalText, description: personalText }),
  /** A user deleted it with its flows, or the account was erased. */
  FlowFolderDeleted: z.object({}),
}

export const flowEvents = {
  /** A user created, copied or imported it, or it is a sample. `document` is empty if `FlowDraftKept` follows. */
  FlowCreated: z.object({
    name: personalText,
    folderId: flowFolderId.nullable(),
    document: personalDocument,
    origin: z.enum(['new', 'copy', 'import', 'sample']),
  }),
  /** A user renamed it. */
  FlowRenamed: z.object({ name: personalText }),
  /** A user moved it; null: no folder. */
  FlowMoved: z.object({ folderId: flowFolderId.nullable() }),
  /** A draft was stored outside the log, replacing the last one. `digest` is its keyed hash; `revision` starts at 0. */
  FlowDraftKept: z.object({
    revision: z.int().nonnegative(),
    digest: z.string().min(1),
    sizeBytes: z.int().positive(),
    nodeCount: z.int().nonnegative(),
    /** Files that its messages send. */
    fileIds: z.array(id),
    restoredVersion: z.int().positive().nullable(),
  }),
  /** A draft was stored in the log (older releases only). `revision` starts at 1. */
  FlowDraftSaved: z.object({
    revision: z.int().positive(),
    document: personalDocument,
    restoredVersion: z.int().positive().nullable(),
  }),
  /** The draft became a version and is enabled; new runs follow it. */
  FlowPublished: z.object({ version: z.int().positive(), document: personalDocument }),
  /** A published flow was enabled. */
  FlowTurnedOn: z.object({}),
  /** It was disabled; current runs continue. */
  FlowTurnedOff: z.object({}),
  /** A user deleted it; current runs end. */
  FlowDeleted: z.object({}),
  /** An administrator blocked a link of its messages. */
  FlowLinkBlocked: z.object({ token: flowLinkToken }),
  /** An administrator unblocked the link. */
  FlowLinkUnblocked: z.object({ token: flowLinkToken }),
}

/** Stream `defaultFlow-<userId>`: greets new contacts. */
export const defaultFlowEvents = {
  /** A user chose it, or none. */
  DefaultFlowChosen: z.object({ flowId: flowId.nullable() }),
}

/** Stream `flowOrder-<userId>`: of flows with the same trigger, which one answers. */
export const flowOrderEvents = {
  /** A user ordered the flows; those that are not named come after these, by first publication. */
  FlowOrderSet: z.object({ flowIds: z.array(flowId) }),
}

const secretName = personal(z.string(), erasedText)

/** Stream `flowSecret-<user id>`: what requests of a tenant's flows name as `{{segredo:name}}`. */
export const flowSecretEvents = {
  /** A user added a secret or replaced its value. */
  FlowSecretStored: z.object({
    name: secretName,
    /** By the tenant's key for secrets, and base64: no reader of events decrypts it. */
    encrypted: z.string(),
    keyId: z.string(),
  }),
  /** A user removed it, or the account was erased. */
  FlowSecretRemoved: z.object({ name: secretName }),
}

const ofRun = { runId: flowRunId, flowId, version: z.int().positive() }
/** `step` counts from 1. */
const ofStep = { ...ofRun, step: z.int().positive(), nodeId: z.string() }

/** Stream `flowRun-<contactId>`: runs with one contact, in order of its messages. */
export const flowRunEvents = {
  /** A contact, another run, an attendant or the tenant's program with a key started it. The version stays fixed. */
  FlowRunStarted: z.object({
    ...ofRun,
    connectionId,
    startedBy: z.enum([
      'any_message',
      'keyword',
      'first_contact',
      'out_of_hours',
      'label_set',
      'default_flow',
      'flow',
      'program',
      'attendant',
    ]),
    /** Null where no message started it. */
    startMessageId: whatsappMessageId.nullable(),
    text: personal(z.string(), erasedText),
    /** For the start limit. Absent before 2026-11-25. */
    startedAt: instant.optional(),
  }),
  /** The run passed a node by this output; null: one output, or none. */
  FlowStepTaken: z.object({
    ...ofStep,
    type: z.string(),
    output: flowOutput,
    /** The label was deleted, so the node did nothing. */
    skipped: z.enum(['label_gone']).optional(),
  }),
  /** The run requested a message; contacts queues it under this id and sessions sends it. */
  FlowMessageRequested: z.object({
    ...ofStep,
    messageId: whatsappMessageId,
    connectionId,
    content: personal(messageContent, erasedContent),
    typingSeconds: z.int().nonnegative(),
    /** Links replaced by counting redirects. */
    links: personal(z.array(z.object({ token: z.string(), url: z.string() })), []),
    /** For the message limit. Absent before 2026-11-25. */
    requestedAt: instant.optional(),
  }),
  /** The run requested that contacts changes a label. */
  FlowLabelRequested: z.object({ ...ofStep, labelId, isLabelled: z.boolean() }),
  /** The run requested that contacts sets a field to an answer. */
  FlowFieldRequested: z.object({
    ...ofStep,
    fieldId: contactFieldId,
    type: z.enum(answerTypes),
    value: personal(z.string(), erasedText),
  }),
  /** The run waits until `until`. */
  FlowDelayStarted: z.object({ ...ofStep, until: instant }),
  /** The run waits for an answer until `until`. */
  FlowAnswerAwaited: z.object({
    ...ofStep,
    until: instant,
    /** Of a menu or a checked question that asks again: how often it did. */
    attempt: z.int().positive().optional(),
  }),
  /** The contact answered. */
  FlowAnswerReceived: z.object({
    ...ofStep,
    messageId: whatsappMessageId,
    variable: z.string(),
    text: personal(z.string(), erasedText),
    /** Stored in the variable instead of the text: the label that a menu's answer chose, or what a checked answer means. */
    value: personal(z.string().optional(), erasedText),
    /** As which `value` is stored, of a checked answer. */
    answerType: z.enum(answerTypes).optional(),
  }),
  /** The run waits until `until` for the reply to a request, which is sent now. */
  FlowRequestAsked: z.object({
    ...ofStep,
    until: instant,
    /** Of the variables that the request names, so that each attempt sends the same. */
    values: personal(z.record(z.string(), z.string()), {}),
  }),
  /** The reply came, or the last attempt failed; `values` of variables. */
  FlowRequestAnswered: z.object({
    ...ofStep,
    ...requestReply,
    values: personal(z.record(z.string(), z.string()), {}),
    /** As which `values` are stored; those without one are text. */
    types: z.record(z.string(), z.enum(answerTypes)).optional(),
  }),
  /** The run reached a calculation; without a value it failed. */
  FlowValueCalculated: z.object({
    ...ofStep,
    variable: z.string(),
    /** As numbers are stored. */
    value: personal(z.string().optional(), erasedText),
    fault: calculationFault.optional(),
    /** The variable that is no number. */
    about: z.string().optional(),
  }),
  /** The contact wrote during a delay; stored for the next question. */
  FlowInputKept: z.object({
    ...ofRun,
    messageId: whatsappMessageId,
    text: personal(z.string(), erasedText),
    /** Name or kind of a file that came with it. */
    file: personal(z.string().optional(), erasedText),
  }),
  /** The contact was merged: the run ends here and continues there. */
  FlowRunMovedAway: z.object({ ...ofRun, to: z.string() }),
  /** A merged contact's run continues here, from `state` (JSON). */
  FlowRunTakenOver: z.object({ ...ofRun, from: z.string(), state: personal(z.string(), erasedText) }),
  /** The run ended. */
  FlowRunEnded: z.object({
    ...ofRun,
    /** The restart interval counts from here. */
    endedAt: instant,
    reason: flowEndReason,
  }),
  /** Flows exceeded a limit (two robots?) or a merged contact was paused: runs end, and none starts until `FlowsResumed`. */
  FlowsPaused: z.object({
    pausedAt: instant,
    reason: z.enum(['starts', 'messages']),
    /** Counts within these seconds. */
    starts: z.int().nonnegative(),
    messages: z.int().nonnegative(),
    withinSeconds: z.int().positive(),
    /** The run that exceeded it; null for a start or merge. */
    runId: flowRunId.nullable(),
    /** The message or label event that caused a start, if any. */
    occasion: z.string().nullable(),
  }),
  /** A start was withheld while the contact waits for a person; once per wait, until `FlowsResumed`. */
  FlowStartWithheld: z.object({
    flowId,
    /** The message or label event. */
    occasion: z.string(),
    handedOverAt: instant,
  }),
  /**
   * Flows may start again: conversation finished (`isFinished`, ends the wait), suspicion cleared or contact separated. Absent before
   * 2026-11-25.
   */
  FlowsResumed: z.object({ resumedAt: instant, isFinished: z.boolean().optional() }),
  /** An attendant paused flows with this contact, or a merged one was paused: runs end, and none starts until then; null: until resumed. */
  BotPaused: z.object({ pausedAt: instant, until: instant.nullable(), attendantId: userId }),
  /** An attendant ended that pause. */
  BotResumed: z.object({ resumedAt: instant, attendantId: userId }),
  /** A merged contact's starts and messages count here, by id. */
  FlowCountsTakenOver: z.object({
    from: z.string(),
    /** The merged contact waited for a person: this one waits since the merge. */
    handedOverAt: instant.optional(),
    starts: z.array(z.object({ id: z.string(), at: instant })),
    messages: z.array(z.object({ id: z.string(), at: instant })),
  }),
  /** The run finished the conversation, which contacts resolves. Until `until`, who only thanks is answered by `thanks`. */
  FlowFinishRequested: z.object({ ...ofStep, connectionId, until: instant, thanks: personal(z.string(), erasedText) }),
  /** After that the contact only thanked: the conversation is finished again. */
  FlowThanked: z.object({ ...ofStep, messageId: whatsappMessageId }),
  /** After that the contact wrote something else, or (null) an attendant took the conversation: no flow finishes it any more. */
  FlowFinishUndone: z.object({ ...ofRun, messageId: whatsappMessageId.nullable() }),
  /** No flow took a message that came out of hours: contacts answers it by the reply, which asks `flows/one-answer.ts`. */
  OutOfHoursReplyRequested: z.object({ messageId: whatsappMessageId, connectionId, sentAt: instant }),
  /** A sent link was opened. */
  FlowLinkOpened: z.object({ ...ofRun, nodeId: z.string(), token: z.string() }),
}

export const automationEvents = {
  ...flowFolderEvents,
  ...flowEvents,
  ...defaultFlowEvents,
  ...flowOrderEvents,
  ...flowSecretEvents,
  ...flowRunEvents,
}
