import Button from '@mui/material/Button'
import KeyboardArrowDownRounded from '~icons/ic/round-keyboard-arrow-down'

const downLabel = (unseen: number): string => {
  if (unseen === 0) return 'Mensagens recentes'
  return unseen === 1 ? '1 nova mensagem' : `${unseen} novas mensagens`
}

export const DownButton = ({ unseen, onClick }: { unseen: number; onClick: () => void }) => (
  <Button
    variant={unseen > 0 ? 'contained' : 'outlined'}
    onClick={onClick}
    endIcon={<KeyboardArrowDownRounded />}
    sx={{
      position: 'absolute',
      bottom: 16,
      left: '50%',
      transform: 'translateX(-50%)',
      whiteSpace: 'nowrap',
      boxShadow: 'var(--shadow-float)',
      bgcolor: unseen > 0 ? undefined : 'surface',
    }}
  >
    {downLabel(unseen)}
  </Button>
)
