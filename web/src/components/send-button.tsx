import IconButton, { type IconButtonProps } from '@mui/material/IconButton'
import SendRounded from '~icons/ic/round-send'
import { KeyHint } from './key-hint.tsx'

export const SendButton = ({ label, ...button }: Omit<IconButtonProps, 'aria-label' | 'sx'> & { label: string }) => (
  <KeyHint title={label} keys={['Enter']}>
    <span>
      <IconButton
        {...button}
        aria-label={label}
        sx={{
          width: 44,
          height: 44,
          bgcolor: 'primary.main',
          color: 'primary.contrastText',
          '&:hover': { bgcolor: 'primary.dark' },
          '&.Mui-disabled': { bgcolor: 'sunken', color: 'text.secondary' },
        }}
      >
        <SendRounded />
      </IconButton>
    </span>
  </KeyHint>
)
