import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { ComponentProps } from 'react'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { sentenceOf } from '../../../lib/http/http.ts'
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

export const ConversationNotOpened = (props: {
  isGone: boolean
  error: unknown
  onBack: () => void
  onRetry: () => void
}) => (
  <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', bgcolor: 'sunken' }}>
    <EmptyState
      title={props.isGone ? 'Esta conversa não existe mais' : 'Não foi possível abrir a conversa'}
      sentence={props.isGone ? 'Escolha outra na lista.' : sentenceOf(props.error, 'Tente novamente.')}
      action={
        <Button variant="outlined" onClick={props.isGone ? props.onBack : props.onRetry}>
          {props.isGone ? 'Voltar para as conversas' : 'Tentar de novo'}
        </Button>
      }
    />
  </Box>
)

export const HistoryNotOpened = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Box sx={{ flex: 1, minHeight: 0, bgcolor: 'sunken' }}>
    <NotRead
      title="As mensagens não puderam ser carregadas"
      error={error}
      fallback="Nada se perdeu. Tente novamente."
      onRetry={onRetry}
    />
  </Box>
)
