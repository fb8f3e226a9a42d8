import type { Contact, Queue, ServiceStatus } from '@prosa/contracts/http/live-chat'
import { useAtom, useSetAtom } from 'jotai'
import type { RefObject } from 'react'
import { chosenAtom, cursorAtom, labellingAtom } from '../atoms.ts'
import type { ConversationActions } from '../conversation/use-conversation-actions.ts'
import { toggled } from '../labels/toggled.ts'
import type { FocusTargets } from '../use-focus-targets.ts'
import type { Panel } from '../use-selection.ts'
import type { Shortcut } from './shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'

interface LabelKeysOptions {
  contacts: Contact[]
  selectedId: string | null
  cursor: string | null
}

/** Each returns false where it does nothing. */
const useLabelKeys = ({ contacts, selectedId, cursor }: LabelKeysOptions) => {
  const [chosen, choose] = useAtom(chosenAtom)
  const setLabelling = useSetAtom(labellingAtom)
  return {
    /** The chosen ones, else the open one or the one under the cursor. */
    label: (): boolean => {
      const listed = contacts.map(({ id }) => id).filter((id) => chosen?.has(id))
      const one = selectedId ?? cursor
      const ids = listed.length > 0 ? listed : one === null ? [] : [one]
      if (ids.length > 0) setLabelling(ids)
      return ids.length > 0
    },
    choose: (): true => {
      const one = cursor ?? selectedId
      choose(one === null ? new Set() : toggled(chosen, one))
      return true
    },
    stopChoosing: (): boolean => {
      if (chosen !== null) choose(null)
      return chosen !== null
    },
  }
}

/** `move` returns false without a row to move to. */
const useListCursor = (contacts: Contact[], selectedId: string | null, list: RefObject<HTMLElement | null>) => {
  const [cursor, setCursor] = useAtom(cursorAtom)
  const move = (step: 1 | -1): boolean => {
    const from = contacts.findIndex(({ id }) => id === (cursor ?? selectedId))
    const to = contacts[from === -1 ? 0 : Math.min(Math.max(from + step, 0), contacts.length - 1)]
    if (!to) return false
    setCursor(to.id)
    list.current?.focus()
    return true
  }
  return { cursor, setCursor, move }
}

const used = (action: () => unknown) => (): true => {
  action()
  return true
}

interface Options {
  contacts: Contact[]
  selectedId: string | null
  /** Undefined while the contact loads. */
  status: ServiceStatus | undefined
  canWrite: boolean
  panel: Panel | null
  actions: ConversationActions
  targets: FocusTargets
  onOpen: (contactId: string) => void
  onTab: (queue: Queue) => void
  /** Null while nobody waits. */
  onNext: (() => void) | null
  onRecord: () => void
  onPanel: (panel: Panel | null) => void
  onBack: () => void
  onHelp: () => void
}

export const usePageShortcuts = (options: Options): void => {
  const { contacts, selectedId, status, panel, actions, targets, onTab, onNext, onPanel } = options
  const { column, list, search, conversation, focusComposer } = targets
  const { attach, find } = conversation
  const cursor = useListCursor(contacts, selectedId, list)
  const { label, choose, stopChoosing } = useLabelKeys({ contacts, selectedId, cursor: cursor.cursor })

  const handlers: Record<Shortcut, () => boolean> = {
    down: () => cursor.move(1),
    up: () => cursor.move(-1),
    open: () => {
      if (cursor.cursor === null) return false
      options.onOpen(cursor.cursor)
      return true
    },
    waiting: used(() => onTab('waiting')),
    attending: used(() => onTab('attending')),
    resolved: used(() => onTab('resolved')),
    bot: used(() => onTab('bot')),
    accept: () =>
      (status === 'waiting' || status === 'resolved') &&
      !actions.isPending &&
      used(status === 'waiting' ? actions.accept : actions.reopen)(),
    resolve: () => status === 'attending' && !actions.isPending && used(actions.resolve)(),
    next: () => onNext !== null && used(onNext)(),
    label,
    choose,
    reply: focusComposer,
    write: focusComposer,
    search: used(() => search.current?.focus()),
    attach: () => attach.current !== null && !attach.current.disabled && used(() => attach.current?.click())(),
    record: () => selectedId !== null && options.canWrite && used(options.onRecord)(),
    find: () => selectedId !== null && used(() => (panel === 'search' ? find.current?.focus() : onPanel('search')))(),
    details: () => selectedId !== null && used(() => onPanel(panel === 'details' ? null : 'details'))(),
    back: () => stopChoosing() || (selectedId !== null && used(options.onBack)()),
    help: used(options.onHelp),
  }
  useShortcuts({
    handle: (shortcut) => handlers[shortcut](),
    list: column,
    write: selectedId === null ? null : focusComposer,
  })
}
