import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { labelsQuery } from '../../../lib/account/labels.ts'
import { settingsSection } from '../../../lib/paths.ts'
import { contactName } from '../contact-name.ts'
import { LabelList } from './label-list.tsx'

interface Props {
  ids: readonly string[]
  contacts: readonly Contact[]
  onClose: () => void
}

export const LabelDialog = ({ ids, contacts, onClose }: Props) => {
  const { data: labels, error, refetch } = useQuery(labelsQuery)
  // Captured once: a change may remove them from the filtered list.
  const [labelled] = useState(() => ids.flatMap((id) => contacts.find((contact) => contact.id === id) ?? []))
  const titleId = useId()
  const [first] = labelled
  const title = labelled.length === 1 && first ? contactName(first) : `${labelled.length} conversas`
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        Etiquetas de {title}
      </DialogTitle>
      <DialogContent>
        {labels ? (
          <LabelList labels={labels} contacts={labelled} />
        ) : error ? (
          <NotRead title="As etiquetas não puderam ser lidas" error={error} onRetry={() => void refetch()} />
        ) : (
          <Box role="status" aria-label="Carregando..." sx={{ height: 'var(--popup-height)' }} />
        )}
      </DialogContent>
      <DialogActions>
        <Button component={Link} to={settingsSection('etiquetas')} onClick={onClose}>
          Gerenciar etiquetas
        </Button>
        <Button variant="contained" onClick={onClose}>
          Pronto
        </Button>
      </DialogActions>
    </Dialog>
  )
}
