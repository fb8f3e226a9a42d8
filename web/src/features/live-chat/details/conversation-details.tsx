import Box from '@mui/material/Box'
import Drawer from '@mui/material/Drawer'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { lazy, Suspense } from 'react'

const DetailsPanel = lazy(async () => ({ default: (await import('./details-panel.tsx')).DetailsPanel }))

interface Props {
  contact: Contact
  isOpen: boolean
  onClose: () => void
  onErased: () => void
}

/** The details beside the conversation where there is room for a third column, else over it. */
export const ConversationDetails = ({ contact, isOpen, onClose, onErased }: Props) => {
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('lg'), { noSsr: true })
  const panel = (
    <Suspense>
      <DetailsPanel contact={contact} onClose={onClose} onErased={onErased} />
    </Suspense>
  )
  if (!isWide) {
    return (
      <Drawer
        anchor="right"
        open={isOpen}
        onClose={onClose}
        slotProps={{ paper: { sx: { minWidth: 'var(--details-width)' } } }}
      >
        {panel}
      </Drawer>
    )
  }
  if (!isOpen) return null
  return (
    <Box
      sx={{
        flex: 'none',
        width: 'var(--details-width)',
        minHeight: 0,
        borderLeft: '1px solid',
        borderColor: 'divider',
      }}
    >
      {panel}
    </Box>
  )
}
