import Button from '@mui/material/Button'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { Link } from 'react-router-dom'
import { useNow } from '../use-now.ts'
import { chatAddress } from '../use-selection.ts'
import { NoteBanner, NoteDetails, NoteWords } from './conversation-note.tsx'

type Moved = NonNullable<Contact['numberMoved']>

const words: Record<Moved['how'], { title: string; sentence: string; action: string }> = {
  taken_over: {
    title: 'Este número pode ter mudado de dono',
    sentence:
      'O WhatsApp mostra outra conta neste número. Confirme com quem você fala: a conversa de antes ficou guardada à parte.',
    action: 'Ver conversa anterior',
  },
  passed_on: {
    title: 'O número deste contato passou para outra conta',
    sentence: 'Quem escreve dele agora aparece em outra conversa, e pode ser outra pessoa.',
    action: 'Ver a outra conversa',
  },
}

/** Later only in the details. */
const shownMs = 7 * 86_400_000

const Words = ({ moved }: { moved: Moved }) => {
  const { title, sentence, action } = words[moved.how]
  return (
    <NoteWords
      title={title}
      sentence={sentence}
      action={
        <Button
          component={Link}
          to={chatAddress(moved.contactId)}
          size="small"
          variant="outlined"
          sx={{ flexShrink: 0 }}
        >
          {action}
        </Button>
      }
    />
  )
}

/** Somebody else may read the answers. */
export const NumberMovedBanner = ({ contact: { numberMoved: moved } }: { contact: Contact }) => {
  const now = useNow(60_000)
  if (!moved || now - Date.parse(moved.at) > shownMs) return null
  return (
    <NoteBanner>
      <Words moved={moved} />
    </NoteBanner>
  )
}

export const NumberMovedDetails = ({ contact: { numberMoved: moved } }: { contact: Contact }) =>
  moved && (
    <NoteDetails at={moved.at}>
      <Words moved={moved} />
    </NoteDetails>
  )
