import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useSetAtom } from 'jotai'
import LabelIcon from '~icons/ic/round-label'
import { labellingAtom } from '../atoms.ts'
import { LabelChips } from '../labels/label-chips.tsx'

export const ContactLabels = ({ contact }: { contact: Contact }) => {
  const setLabelling = useSetAtom(labellingAtom)
  return (
    <Box component="section" sx={{ mb: 4 }}>
      <Typography variant="h3" sx={{ mb: 2 }}>
        Etiquetas
      </Typography>
      {contact.labels.length > 0 && (
        <Box sx={{ mb: 2 }}>
          <LabelChips ids={contact.labels} />
        </Box>
      )}
      <Button variant="outlined" startIcon={<LabelIcon />} onClick={() => setLabelling([contact.id])}>
        Etiquetar
      </Button>
    </Box>
  )
}
