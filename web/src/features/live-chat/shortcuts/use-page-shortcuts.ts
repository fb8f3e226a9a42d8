import type { Contact, ServiceStatus } from '@prosa/contracts/http/live-chat'
import type { ConversationActions } from '../conversation/use-conversation-actions.ts'
import { useLabelKeys } from '../labels/use-label-keys.ts'
import { useListCursor } from '../list/use-list-cursor.ts'
import type { FocusTargets } from '../use-focus-targets.ts'
import type { Panel } from '../use-selection.ts'
import type { Shortcut } from './shortcuts.ts'
import { useShortcuts } from './use-shortcuts.ts'

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
  onTab: (status: ServiceStatus) => void
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
