import IconButton from '@mui/material/IconButton'
import MicRounded from '~icons/ic/round-mic'
import { KeyHint } from '../../../components/key-hint.tsx'

export const RecordButton = ({ disabled, onClick }: { disabled: boolean; onClick: () => void }) => (
  <KeyHint title="Gravar mensagem de voz" keys={['Ctrl', 'M']}>
    <span>
      <IconButton
        aria-label="Gravar mensagem de voz"
        color="secondary"
        disabled={disabled}
        onClick={onClick}
        sx={{ width: 44, height: 44 }}
      >
        <MicRounded />
      </IconButton>
    </span>
  </KeyHint>
)
