import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { FlowFolder } from '@prosa/contracts/http/flows'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import CopyIcon from '~icons/ic/round-content-copy'
import DeleteIcon from '~icons/ic/round-delete-outline'
import EditIcon from '~icons/ic/round-edit'
import FolderIcon from '~icons/ic/round-folder-open'
import { useOwnHistoryDrawer } from '../../components/history/own/use-own-history.tsx'
import { GridCard } from '../../components/layout/card-grid.tsx'
import { RowMenu } from '../../components/tables/row-menu.tsx'
import { clampedTo } from '../../lib/format/clamped-to.ts'
import { count, plainDate } from '../../lib/format/format.ts'
import { flowFolder } from './use-flow-filters.ts'

interface Props {
  folder: FlowFolder
  onEdit: () => void
  onDuplicate: () => void
  onDelete: () => void
}

export const FolderCard = ({ folder, onEdit, onDuplicate, onDelete }: Props) => {
  const { id, name, description, flowCount, updatedAt } = folder
  const headingId = useId()
  const { action, drawer } = useOwnHistoryDrawer()
  return (
    <GridCard labelledBy={headingId}>
      {drawer}
      <Box sx={{ display: 'flex', alignItems: 'start', gap: 2 }}>
        <Box sx={{ display: 'flex', alignItems: 'center', minHeight: 'var(--target)', color: 'primary.main' }}>
          <FolderIcon aria-hidden="true" />
        </Box>
        <Typography
          variant="subtitle1"
          component="h2"
          id={headingId}
          sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
        >
          <Box
            component={Link}
            to={flowFolder(id)}
            sx={{
              display: 'flex',
              alignItems: 'center',
              minHeight: 'var(--target)',
              color: 'text.primary',
              textDecoration: 'none',
              '&:hover': { textDecoration: 'underline' },
            }}
          >
            {name}
          </Box>
        </Typography>
        <RowMenu
          name={name}
          actions={[
            { label: 'Editar', icon: <EditIcon />, onPress: onEdit },
            { label: 'Duplicar', icon: <CopyIcon />, onPress: onDuplicate },
            action({ title: `Pasta ${name}`, filters: { record: `folder:${id}` } }),
            { label: 'Excluir', icon: <DeleteIcon />, destructive: true, onPress: onDelete },
          ]}
        />
      </Box>
      <Typography sx={{ ...clampedTo(3), flex: 1, color: 'text.secondary' }}>{description}</Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
        <Typography
          variant="caption"
          component="span"
          sx={{ px: 2, py: 0.5, bgcolor: 'sunken', borderRadius: 'var(--radius-control)' }}
        >
          {flowCount === 1 ? '1 fluxo' : `${count(flowCount)} fluxos`}
        </Typography>
        <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
          Atualizado: {plainDate(updatedAt)}
        </Typography>
      </Box>
    </GridCard>
  )
}
