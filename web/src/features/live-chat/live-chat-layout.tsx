import Box from '@mui/material/Box'
import type { ReactNode, Ref } from 'react'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'

interface Props {
  /** On a phone it replaces the list. */
  isOpen: boolean
  /** On a phone it replaces the app's header. */
  hasOwnHeader: boolean
  columnRef: Ref<HTMLElement>
  paneRef: Ref<HTMLElement>
  column: ReactNode
  banners: ReactNode
  pane: ReactNode
  children: ReactNode
}

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
          // One attribute hides the app's header and the list together: a layout with only the header hidden would lose the list's scroll
          // position.
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
