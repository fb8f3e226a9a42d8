import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { EmptyState } from '../../../components/empty-state.tsx'
import { sentenceOf } from '../../../lib/http.ts'

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
    <EmptyState
      title="As mensagens não puderam ser carregadas"
      sentence={sentenceOf(error, 'Nada se perdeu. Tente novamente.')}
      action={
        <Button variant="outlined" onClick={onRetry}>
          Tentar de novo
        </Button>
      }
    />
  </Box>
)
