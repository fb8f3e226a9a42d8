import Box from '@mui/material/Box'
import type { ReactNode, Ref } from 'react'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'

interface Props {
  /** The only thing in view on a phone, where the list is otherwise. */
  isOpen: boolean
  /** The conversation shows a header in place of the app's on a phone. */
  hasOwnHeader: boolean
  columnRef: Ref<HTMLElement>
  paneRef: Ref<HTMLElement>
  column: ReactNode
  banners: ReactNode
  pane: ReactNode
  /** Dialogs. */
  children: ReactNode
}

/** List and conversation beside each other, one of the two on a phone; the banners above the conversation. */
export const LiveChatLayout = (props: Props) => {
  const { isOpen } = props
  return (
    <Box
      sx={{
        flex: 1,
        minHeight: 0,
        display: 'grid',
        gridTemplateRows: 'auto minmax(0, 1fr)',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'var(--list-width) minmax(0, 1fr)' },
        gridTemplateAreas: { xs: '"banner" "content"', md: '"list banner" "list pane"' },
      }}
    >
      <ScreenReaderText as="h1">Bate Papo ao vivo</ScreenReaderText>
      <Box
        component="section"
        ref={props.columnRef}
        tabIndex={-1}
        aria-label="Conversas"
        sx={{
          gridArea: { xs: 'content', md: 'list' },
          display: { xs: isOpen ? 'none' : 'flex', md: 'flex' },
          // Without the app's header the list would be higher and lose how far it is scrolled: one attribute hides both, so that no
          // layout, not even one in the middle of a commit, sees the list without the header.
          '&:has(~ [data-own-header])': { display: { xs: 'none', md: 'flex' } },
          flexDirection: 'column',
          minHeight: 0,
          bgcolor: 'surface',
          borderRight: { md: '1px solid' },
          borderColor: { md: 'divider' },
          outline: 'none',
        }}
      >
        {props.column}
      </Box>
      <Box sx={{ gridArea: 'banner', minWidth: 0 }}>{props.banners}</Box>
      <Box
        component="section"
        ref={props.paneRef}
        tabIndex={-1}
        aria-label="Conversa"
        data-own-header={props.hasOwnHeader ? '' : undefined}
        sx={{
          gridArea: { xs: 'content', md: 'pane' },
          display: { xs: isOpen ? 'flex' : 'none', md: 'flex' },
          flexDirection: 'column',
          minHeight: 0,
          outline: 'none',
        }}
      >
        {props.pane}
      </Box>
      {props.children}
    </Box>
  )
}
