import Box from '@mui/material/Box'
import type { ComponentProps } from 'react'
import { radius } from '../../../lib/radius.ts'
import { NotLoaded } from '../not-loaded.tsx'

/** An overlay: the history must not move. */
const Floating = ({ at, ...notLoaded }: ComponentProps<typeof NotLoaded> & { at: 'top' | 'bottom' }) => (
  <Box
    sx={{
      position: 'absolute',
      [at]: 64,
      left: '50%',
      transform: 'translateX(-50%)',
      zIndex: 1,
      width: 'min(var(--form-width), calc(100% - 32px))',
      overflow: 'hidden',
      border: '1px solid',
      borderColor: 'divider',
      borderRadius: radius.panel,
      boxShadow: 'var(--shadow-float)',
    }}
  >
    <NotLoaded {...notLoaded} />
  </Box>
)

interface Props {
  failed: 'older' | 'newer' | null
  isLoading: boolean
  isNearTop: boolean
  isNearBottom: boolean
  onOlder: () => void
  onNewer: () => void
}

export const PageFailures = ({ failed, isLoading, isNearTop, isNearBottom, onOlder, onNewer }: Props) => (
  <>
    {failed === 'older' && isNearTop && (
      <Floating
        at="top"
        sentence="As mensagens anteriores não puderam ser carregadas."
        isAsking={isLoading}
        onAgain={onOlder}
      />
    )}
    {failed === 'newer' && isNearBottom && (
      <Floating
        at="bottom"
        sentence="As mensagens seguintes não puderam ser carregadas."
        isAsking={isLoading}
        onAgain={onNewer}
      />
    )}
  </>
)
