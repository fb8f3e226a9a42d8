import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import DoneIcon from '~icons/ic/round-check-circle'
import ErrorIcon from '~icons/ic/round-error'
import InfoIcon from '~icons/ic/round-info'
import WarningIcon from '~icons/ic/round-warning'

const kinds = {
  success: { Icon: DoneIcon, background: 'primarySoft', colour: 'primary.main' },
  info: { Icon: InfoIcon, background: 'infoSoft', colour: 'info.main' },
  warning: { Icon: WarningIcon, background: 'warnSoft', colour: 'warn' },
  error: { Icon: ErrorIcon, background: 'dangerSoft', colour: 'danger' },
} as const

type Props = { kind: keyof typeof kinds; children: ReactNode }

export const Notice = ({ kind, children }: Props) => {
  const { Icon, background, colour } = kinds[kind]
  return (
    <Box
      role={kind === 'error' ? 'alert' : 'status'}
      sx={{
        display: 'flex',
        gap: 3,
        px: 4,
        py: 3,
        bgcolor: background,
        borderRadius: 'var(--radius-panel)',
        '& svg': { flex: 'none', color: colour },
      }}
    >
      <Icon aria-hidden="true" />
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>{children}</Box>
    </Box>
  )
}
