import { firstNameOf } from '@prosa/contracts/values/text/filled-text'
import type { Reader } from '@prosa/kernel/domain/decider'
import type { StoredOf } from '@prosa/kernel/event-store/codec'

export interface KnownContact {
  status: 'absent' | 'waiting' | 'attending' | 'resolved' | 'absorbed' | 'erased'
  name: string | null
  givenName: string | null
  labelIds: readonly string[]
  /** By field id, as stored; includes fields deleted since. */
  fieldValues: Readonly<Record<string, string>>
  /** The survivor of the merge. */
  into: string | null
  /** Former parts of this contact. */
  separated: readonly string[]
  /** The status before the merge. */
  statusBefore: 'waiting' | 'attending' | 'resolved'
}

type ConversationStatus = KnownContact['statusBefore']

const withStatus =
  (status: ConversationStatus) =>
  (state: KnownContact): KnownContact => ({ ...state, status, statusBefore: status })

type Known = StoredOf<
  | 'ContactAdded'
  | 'ContactNamed'
  | 'ContactRenamed'
  | 'ContactLabelled'
  | 'ContactUnlabelled'
  | 'ContactFieldSet'
  | 'ConversationAccepted'
  | 'ConversationResolved'
  | 'ConversationReopened'
  | 'ConversationResumed'
  | 'ContactAbsorbed'
  | 'ContactSeparated'
  | 'ContactRestored'
  | 'ContactErased'
>

export const knownContact: Reader<Known, KnownContact> = {
  initial: {
    status: 'absent',
    name: null,
    givenName: null,
    labelIds: [],
    fieldValues: {},
    into: null,
    separated: [],
    statusBefore: 'waiting',
  },
  evolve: {
    ContactAdded: (state, { name, origin }) => ({
      ...withStatus(origin === 'phone' ? 'resolved' : 'waiting')(state),
      name,
    }),
    ContactNamed: (state, { name }) => ({ ...state, name }),
    ContactRenamed: (state, { name }) => ({ ...state, givenName: name }),
    ContactLabelled: (state, { labelId }) => ({
      ...state,
      labelIds: [...state.labelIds.filter((each) => each !== labelId), labelId],
    }),
    ContactUnlabelled: (state, { labelId }) => ({
      ...state,
      labelIds: state.labelIds.filter((each) => each !== labelId),
    }),
    ContactFieldSet: (state, { fieldId, value }) => {
      const { [fieldId]: _, ...others } = state.fieldValues
      return { ...state, fieldValues: value === null ? others : { ...others, [fieldId]: value } }
    },
    ConversationAccepted: withStatus('attending'),
    ConversationResolved: withStatus('resolved'),
    ConversationReopened: withStatus('waiting'),
    ConversationResumed: withStatus('attending'),
    ContactAbsorbed: (state, { into }) => ({ ...state, status: 'absorbed', into }),
    ContactSeparated: (state, { restored }) => ({ ...state, separated: [...state.separated, restored] }),
    ContactRestored: (state, { from }) => ({
      ...state,
      status: state.statusBefore,
      into: null,
      separated: [...state.separated, from],
    }),
    ContactErased: (state) => ({
      ...state,
      status: 'erased',
      name: null,
      givenName: null,
      labelIds: [],
      fieldValues: {},
    }),
  },
}

export const firstNameIn = ({ givenName, name }: KnownContact): string => firstNameOf(givenName ?? name)
