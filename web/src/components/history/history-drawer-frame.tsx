import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Drawer from '@mui/material/Drawer'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import CloseIcon from '~icons/ic/round-close'

type Props = {
  title: string
  /** Address of the same with filters. */
  page: string | undefined
  onClose: () => void
  children: ReactNode
}

/** 'Ver histórico' of a record. */
export const HistoryDrawerFrame = ({ title, page, onClose, children }: Props) => {
  const titleId = useId()
  // A link inside may lead to another state of the page below.
  const { key } = useLocation()
  const openedAt = useRef(key)
  useEffect(() => {
    if (key !== openedAt.current) onClose()
  }, [key, onClose])
  return (
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
              {title}
            </Typography>
          </Box>
          {page !== undefined && (
            <Button component={Link} to={page} color="inherit">
              Abrir com filtros
            </Button>
          )}
          <IconButton color="secondary" aria-label="Fechar histórico" onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </Box>
        {children}
      </Box>
    </Drawer>
  )
}
