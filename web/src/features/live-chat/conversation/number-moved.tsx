import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { Link } from 'react-router-dom'
import { dayAndTime } from '../../../lib/format.ts'
import { useNow } from '../use-now.ts'
import { chatAddress } from '../use-selection.ts'

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

/** After that it is in the details only. */
const shownMs = 7 * 86_400_000

const Words = ({ moved }: { moved: Moved }) => {
  const { title, sentence, action } = words[moved.how]
  return (
    <>
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Typography variant="subtitle2" component="p">
          {title}
        </Typography>
        <Typography variant="caption" component="p">
          {sentence}
        </Typography>
      </Box>
      <Button component={Link} to={chatAddress(moved.contactId)} size="small" variant="outlined" sx={{ flexShrink: 0 }}>
        {action}
      </Button>
    </>
  )
}

/** Above the conversation for a week: whoever answers must know that somebody else may read it. */
export const NumberMovedBanner = ({ contact: { numberMoved: moved } }: { contact: Contact }) => {
  const now = useNow(60_000)
  if (!moved || now - Date.parse(moved.at) > shownMs) return null
  return (
    <Box
      role="note"
      sx={{
        flexShrink: 0,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 2,
        px: 4,
        py: 2,
        bgcolor: 'warnSoft',
      }}
    >
      <Words moved={moved} />
    </Box>
  )
}

/** The same among the details, with when it was. */
export const NumberMovedDetails = ({ contact: { numberMoved: moved } }: { contact: Contact }) => {
  const now = useNow(60_000)
  if (!moved) return null
  return (
    <Box component="section" sx={{ mb: 4, display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Words moved={moved} />
      <Typography variant="caption" component="p" sx={{ flexBasis: '100%', color: 'text.secondary' }}>
        {`Desde ${dayAndTime(moved.at, now)}`}
      </Typography>
    </Box>
  )
}
