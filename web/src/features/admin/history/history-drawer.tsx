import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import CloseIcon from '~icons/ic/round-close'
import HistoryIcon from '~icons/ic/round-history'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { adminTab } from '../../../lib/paths.ts'
import { useHistory } from './api.ts'
import { HistoryTimeline } from './history-timeline.tsx'
import { type HistoryTarget, keyOf, titleOf } from './history-words.ts'
import { PastState } from './past-state.tsx'

const titleId = 'history-drawer-title'

const Content = ({ target }: { target: HistoryTarget }) => {
  const about = keyOf(target)
  const list = useHistory({ record: about })
  return (
    <>
      {target.kind === 'user' && <PastState user={target.id} />}
      <HistoryTimeline
        list={list}
        about={about}
        empty={<EmptyState icon={<HistoryIcon />} title="Nada aconteceu ainda" />}
      />
    </>
  )
}

type Props = {
  target: HistoryTarget
  onClose: () => void
}

/** 'Ver histórico' of a row. */
export const HistoryDrawer = ({ target, onClose }: Props) => (
  <Drawer
    anchor="right"
    open
    onClose={onClose}
    slotProps={{
      paper: {
        role: 'dialog',
        'aria-modal': true,
        'aria-labelledby': titleId,
        sx: { width: 'min(100%, var(--history-width))', bgcolor: 'background.default' },
      },
    }}
  >
    <Box
      sx={{
        display: 'grid',
        gap: 4,
        gridTemplateColumns: 'minmax(0, 1fr)',
        alignContent: 'start',
        p: { xs: 4, md: 6 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'start', gap: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
            Histórico
          </Typography>
          <Typography variant="h2" id={titleId} sx={{ overflowWrap: 'anywhere' }}>
            {titleOf(target)}
          </Typography>
        </Box>
        <Button component={Link} to={adminTab('historico', { registro: keyOf(target) })} color="inherit">
          Abrir com filtros
        </Button>
        <IconButton color="secondary" aria-label="Fechar histórico" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </Box>
      <Content target={target} />
    </Box>
  </Drawer>
)
