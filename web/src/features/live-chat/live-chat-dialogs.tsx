import type { ContactAdded } from '@prosa/contracts/http/contacts'
import { lazyPart } from '../../components/lazy-part.tsx'

const AddContactDialog = lazyPart(async () => (await import('./list/add-contact-dialog.tsx')).AddContactDialog)
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts/shortcuts-dialog.tsx')).ShortcutsDialog)

export type LiveChatDialog = 'add' | 'shortcuts'

interface Props {
  dialog: LiveChatDialog | null
  onClose: () => void
  onAdded: (contact: ContactAdded) => void
}

export const LiveChatDialogs = ({ dialog, onClose, onAdded }: Props) => (
  <>
    {dialog === 'add' && <AddContactDialog open onClose={onClose} onAdded={onAdded} />}
    {dialog === 'shortcuts' && <ShortcutsDialog open onClose={onClose} />}
  </>
)
