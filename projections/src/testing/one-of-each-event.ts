import type { AnyEvent } from '@prosa/contracts/events/all-events'
import type { MessageContent } from '@prosa/contracts/values/message-content'
import { at, idOf } from '@prosa/kernel/consumers/testing/test-log'

const connectionId = idOf('line')
const attendantId = idOf('ana')
const content = (words: string) => ({ kind: 'text', text: words }) as const
const picture = (messageId: string): MessageContent => ({
  kind: 'image',
  caption: '',
  file: { id: idOf(`file ${messageId}`), mediaType: 'image/jpeg', bytes: 1, source: null },
  quoted: { messageId: 'M0', text: 'oi' },
})

const ofRun = (messageId: string) => ({ runId: idOf(`run ${messageId}`), flowId: idOf('flow'), version: 1 })
const endedAt = at(8)

/** What the queue shows of runs of flows. */
const ofRuns = (messageId: string): AnyEvent[] => [
  ...(['keyword', 'flow'] as const).map(
    (startedBy): AnyEvent => ({
      type: 'FlowRunStarted',
      data: { ...ofRun(messageId), connectionId, startedBy, startMessageId: null, text: '' },
    }),
  ),
  { type: 'FlowRunEnded', data: { ...ofRun(messageId), endedAt, reason: 'completed' } },
  { type: 'FlowRunEnded', data: { ...ofRun(messageId), endedAt, reason: 'handed_over' } },
  { type: 'FlowRunMovedAway', data: { ...ofRun(messageId), to: idOf('contact 0') } },
  { type: 'FlowRunTakenOver', data: { ...ofRun(messageId), from: idOf('contact 1'), state: '{}' } },
  {
    type: 'FlowCountsTakenOver',
    data: { from: idOf('contact 1'), starts: [], messages: [], handedOverAt: at(9) },
  },
  { type: 'BotPaused', data: { pausedAt: at(9), until: at(90), attendantId } },
  { type: 'BotResumed', data: { resumedAt: at(10), attendantId } },
  { type: 'FlowsResumed', data: { resumedAt: at(10), isFinished: true } },
  {
    type: 'MessageQueued',
    data: { messageId, connectionId, toJid: '1@lid', content: content('do fluxo'), attendantId, automatic: 'flow' },
  },
  { type: 'ConversationResolved', data: { attendantId, flowId: idOf('flow') } },
]

/** All events of a contact; merges involve contacts 0 and 1. */
export const oneOfEach = (messageId: string): AnyEvent[] => [...ofContact(messageId), ...ofRuns(messageId)]

const ofContact = (messageId: string): AnyEvent[] => [
  { type: 'ContactAdded', data: { name: 'Zé', phone: '5511988776655', lid: null, origin: 'message' } },
  { type: 'ContactNamed', data: { name: `Zé ${messageId}` } },
  { type: 'ContactLabelled', data: { labelId: idOf('label') } },
  { type: 'ContactLabelled', data: { labelId: idOf(`label ${messageId}`) } },
  { type: 'ContactUnlabelled', data: { labelId: idOf('label') } },
  { type: 'ConversationAccepted', data: { attendantId } },
  { type: 'ConversationResolved', data: { attendantId } },
  { type: 'ConversationResumed', data: { attendantId } },
  { type: 'ConversationReopened', data: {} },
  {
    type: 'LineChosen',
    data: { connectionId: idOf('other line'), attendantId, chosenAt: at(1), lastReceivedAt: null },
  },
  { type: 'MessageReceived', data: { messageId, connectionId, content: content(`oi ${messageId}`), sentAt: at(1) } },
  { type: 'MessageQueued', data: { messageId, connectionId, toJid: '1@lid', content: content('olá'), attendantId } },
  {
    type: 'MessageQueued',
    data: { messageId, connectionId, toJid: '1@lid', content: content('de novo'), attendantId, isRetry: true },
  },
  {
    type: 'MessageSentElsewhere',
    data: { messageId: `E${messageId}`, connectionId, content: content('do celular'), sentAt: at(1) },
  },
  { type: 'MessageSent', data: { messageId } },
  { type: 'MessageDelivered', data: { messageId } },
  { type: 'MessageRead', data: { messageId } },
  { type: 'MessageFailed', data: { messageId, code: '463' } },
  { type: 'MessageReceived', data: { messageId, connectionId, content: picture(messageId), sentAt: at(2) } },
  { type: 'MessageEdited', data: { messageId, content: content(`tchau ${messageId}`), editedAt: at(3) } },
  { type: 'MessageDeleted', data: { messageId, by: 'contact', deletedAt: at(4) } },
  { type: 'MessageReacted', data: { messageId, by: 'contact', emoji: '👍', reactedAt: at(5) } },
  { type: 'MessageReacted', data: { messageId, by: 'user', emoji: null, reactedAt: at(5) } },
  {
    type: 'ReactionQueued',
    data: {
      reactionId: `R${messageId}`,
      messageId,
      toOwn: false,
      connectionId,
      toJid: '1@lid',
      emoji: '🙏',
      attendantId,
    },
  },
  { type: 'ReactionFailed', data: { reactionId: `R${messageId}`, messageId, code: '463', emoji: '❤️' } },
  {
    type: 'EditQueued',
    data: {
      editId: `C${messageId}`,
      messageId,
      connectionId,
      toJid: '1@lid',
      content: content('corrigida'),
      editedAt: at(6),
      until: null,
      attendantId,
    },
  },
  { type: 'CorrectionFailed', data: { correctionId: `C${messageId}`, messageId, code: '463' } },
  {
    type: 'MessageEdited',
    data: { messageId, content: content('corrigida'), editedAt: at(6), correctionId: `C${messageId}` },
  },
  {
    type: 'DeletionQueued',
    data: {
      deletionId: `D${messageId}`,
      messageId,
      connectionId,
      toJid: '1@lid',
      deletedAt: at(7),
      until: null,
      attendantId,
    },
  },
  { type: 'ChatSeen', data: { attendantId } },
  { type: 'RobotSuspected', data: { reason: 'starts', count: 10, withinSeconds: 600 } },
  { type: 'RobotSuspicionCleared', data: { attendantId: null } },
  { type: 'ContactMerged', data: { absorbed: idOf('contact 1') } },
  { type: 'ContactSeparated', data: { restored: idOf('contact 1') } },
  { type: 'ContactAbsorbed', data: { into: idOf('contact 0') } },
  { type: 'ContactRestored', data: { from: idOf('contact 0') } },
  { type: 'ContactNumberPassedOn', data: { to: idOf('contact 1') } },
  { type: 'ContactNumberTakenOver', data: { from: idOf('contact 1') } },
  { type: 'ContactErased', data: {} },
  { type: 'ChatErased', data: {} },
]

export const isHiding = ({ type }: AnyEvent): boolean => type.endsWith('Erased') || type === 'ContactAbsorbed'

export const streamOf = (contactId: string, { type }: AnyEvent): string =>
  type.startsWith('Flow')
    ? `flowRun-${contactId}`
    : /^(Message|Chat|Reaction|Edit|Deletion|Correction)/.test(type)
      ? `chat-${contactId}`
      : `contact-${contactId}`
