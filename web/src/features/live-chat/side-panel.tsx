import Box from '@mui/material/Box'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useState } from 'react'
import { LateDrawer } from '../../components/layout/late-drawer.tsx'
import { lazyPart } from '../../components/layout/lazy-part.tsx'
import type { PanelContentProps } from './panel-content.tsx'
import { useFoundMessages } from './search/use-found-messages.ts'
import type { Panel } from './use-selection.ts'

const PanelContent = lazyPart(async () => (await import('./panel-content.tsx')).PanelContent)

const labels: Record<Panel, string> = { details: 'Detalhes do contato', search: 'Busca na conversa' }

interface Props extends Omit<PanelContentProps, 'panel' | 'search' | 'messages' | 'onSearch'> {
  /** Null when closed. */
  panel: Panel | null
}

/** A third column where there is room, else a drawer. */
export const SidePanel = ({ panel, ...props }: Props) => {
  const isWide = useMediaQuery<Theme>((theme) => theme.breakpoints.up('lg'), { noSsr: true })
  const [search, setSearch] = useState('')
  const messages = useFoundMessages(search, { contactId: props.contact.id })
  // The closing panel is visible until its animation ends.
  const [latest, setLatest] = useState(panel)
  if (panel !== null && panel !== latest) setLatest(panel)
  const shown = panel ?? latest
  const content = shown && (
    <PanelContent {...props} panel={shown} search={search} messages={messages} onSearch={setSearch} />
  )
  if (!isWide) {
    return (
      <LateDrawer
        anchor="right"
        open={panel !== null}
        onClose={props.onClose}
        slotProps={{
          paper: { 'aria-label': shown ? labels[shown] : undefined, sx: { minWidth: 'var(--details-width)' } },
        }}
      >
        {content}
      </LateDrawer>
    )
  }
  if (panel === null) return null
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
      {content}
    </Box>
  )
}
