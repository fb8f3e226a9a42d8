import type { ContactAdded } from '@prosa/contracts/http/contacts'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useAtom } from 'jotai'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import { choosingLineAtom, labellingAtom } from './atoms.ts'

const AddContactDialog = lazyPart(async () => (await import('./list/add-contact-dialog.tsx')).AddContactDialog)
const LabelDialog = lazyPart(async () => (await import('./labels/label-dialog.tsx')).LabelDialog)
const LineDialog = lazyPart(async () => (await import('./line/line-dialog.tsx')).LineDialog)
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog)

export type LiveChatDialog = 'add' | 'shortcuts'

interface Props {
  dialog: LiveChatDialog | null
  contacts: Contact[]
  onClose: () => void
  onAdded: (contact: ContactAdded) => void
  onFocusLost: () => void
}

export const LiveChatDialogs = ({ dialog, contacts, onClose, onAdded, onFocusLost }: Props) => {
  const [labelling, setLabelling] = useAtom(labellingAtom)
  const [choosingLine, chooseLine] = useAtom(choosingLineAtom)
  const chooser = contacts.find(({ id }) => id === choosingLine)
  return (
    <>
      {dialog === 'add' && <AddContactDialog onClose={onClose} onAdded={onAdded} />}
      {dialog === 'shortcuts' && <ShortcutsDialog open onClose={onClose} />}
      {labelling && <LabelDialog ids={labelling} contacts={contacts} onClose={() => setLabelling(null)} />}
      {chooser && <LineDialog contact={chooser} onClose={() => chooseLine(null)} onFocusLost={onFocusLost} />}
    </>
  )
}
