import type { AnswerType } from '@prosa/contracts/values/answers/answer-type'
import type { ContactAddresses as Addresses, Contact, ContactEvent, ConversationStatus } from './contact-state.ts'

/** `partings` at look-up; may have grown. */
export type LookedUp = { separations?: number }

export type ContactCommand =
  /** `isTyped`: entered by a person, not reported by WhatsApp. */
  | { type: 'AddContact'; data: Addresses & LookedUp & { isTyped?: boolean } }
  | { type: 'ReceiveFromContact'; data: Addresses & LookedUp & { name: string | null } }
  | { type: 'NoteWriting'; data: Addresses & LookedUp }
  /** Adds no contact. */
  | { type: 'IdentifyContact'; data: Addresses & LookedUp }
  /** Null removes the name. */
  | { type: 'RenameContact'; data: { name: string | null } }
  | { type: 'WriteContactNote'; data: { noteId: string; text: string; attendantId: string } }
  | { type: 'RemoveContactNote'; data: { noteId: string } }
  /** Null empties it. */
  | { type: 'SetContactField'; data: { fieldId: string; type: AnswerType; value: string | null } }
  /** `existing`: existing labels; others no longer count. */
  | { type: 'LabelContact'; data: { labelId: string; existing: readonly string[] } }
  | { type: 'UnlabelContact'; data: { labelId: string } }
  | { type: 'AcceptConversation'; data: { attendantId: string } }
  | { type: 'ResolveConversation'; data: { attendantId: string } }
  /** A flow of the tenant finished it; not what a person attends. */
  | { type: 'FinishByFlow'; data: { flowId: string; attendantId: string } }
  /** Also accepts a waiting conversation. */
  | { type: 'ReopenConversation'; data: { attendantId: string } }
  /** `isSo`: already the current line. */
  | { type: 'ChooseLine'; data: LineChoice & { isSo: boolean } }
  /** A person is needed, though nobody wrote. */
  | { type: 'WaitForPerson'; data: Record<never, never> }
  /** Flows start or send too often. */
  | { type: 'SuspectRobot'; data: Suspicion }
  /** Null: flows resumed for another reason. */
  | { type: 'ClearRobotSuspicion'; data: { attendantId: string | null } }
  | { type: 'EraseContact'; data: Record<never, never> }
  /** `into`: older contact of the same person. `from`: current survivor. */
  | { type: 'JoinContact'; data: { into: string; from: string | null } }
  /** The survivor's side: the joined contact's state at that moment. */
  | {
      type: 'MergeContact'
      data: Addresses & {
        absorbed: string
        name: string | null
        givenName?: string | null
        labels?: readonly string[]
        fields?: Contact['fields']
        status: ConversationStatus
        attendantId: string | null
      }
    }
  /** `restored` turned out to be somebody else. */
  | { type: 'SeparateContact'; data: Addresses & { restored: string } }
  | { type: 'RestoreContact'; data: { from: string } }
  /** Reported with the LID of contact `to`. */
  | { type: 'PassNumberOn'; data: { phone: string; to: string } }
  /** Counterpart of `PassNumberOn`. */
  | { type: 'TakeNumberOver'; data: { from: string } }

type Suspicion = Extract<ContactEvent, { type: 'RobotSuspected' }>['data']
type LineChoice = Extract<ContactEvent, { type: 'LineChosen' }>['data']

export type ContactRefusal =
  | 'contact_not_found'
  | 'contact_note_not_found'
  | 'too_many_notes'
  | 'too_many_labels_on_contact'
  | 'conversation_not_attending'
  | 'contacts_not_merged'
