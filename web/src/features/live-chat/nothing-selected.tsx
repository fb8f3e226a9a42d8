import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ForumRounded from '~icons/ic/round-forum'
import { EmptyState } from '../../components/empty-state.tsx'
import { KeyHint } from '../../components/key-hint.tsx'

/** `onNext` is null while nobody waits. */
export const NothingSelected = ({ onNext }: { onNext: (() => void) | null }) => (
  <Box sx={{ flex: 1, display: 'grid', placeItems: 'center', bgcolor: 'sunken' }}>
    <EmptyState
      icon={<ForumRounded />}
      title="Selecione uma conversa"
      sentence="Escolha alguém na lista para ler e responder."
      action={
        onNext && (
          <KeyHint title="Próxima conversa" keys={['N']}>
            <Button variant="contained" onClick={onNext}>
              Próxima conversa
            </Button>
          </KeyHint>
        )
      }
    />
  </Box>
)
