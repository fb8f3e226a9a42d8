import type { ContactAdded } from '@prosa/contracts/http/contacts'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtom } from 'jotai'
import { lazyPart } from '../../components/lazy-part.tsx'
import { labellingAtom } from './atoms.ts'

const AddContactDialog = lazyPart(async () => (await import('./list/add-contact-dialog.tsx')).AddContactDialog)
const LabelDialog = lazyPart(async () => (await import('./labels/label-dialog.tsx')).LabelDialog)
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog)

export type LiveChatDialog = 'add' | 'shortcuts'

interface Props {
  dialog: LiveChatDialog | null
  /** Whoever may be labelled: those that are listed or open. */
  contacts: Contact[]
  onClose: () => void
  onAdded: (contact: ContactAdded) => void
}

export const LiveChatDialogs = ({ dialog, contacts, onClose, onAdded }: Props) => {
  const [labelling, setLabelling] = useAtom(labellingAtom)
  return (
    <>
      {dialog === 'add' && <AddContactDialog open onClose={onClose} onAdded={onAdded} />}
      {dialog === 'shortcuts' && <ShortcutsDialog open onClose={onClose} />}
      {labelling && <LabelDialog ids={labelling} contacts={contacts} onClose={() => setLabelling(null)} />}
    </>
  )
}
