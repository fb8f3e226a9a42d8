import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import type { MessageFound } from '@prosa/contracts/http/live-chat'
import type { ReactNode } from 'react'
import { clampedTo } from '../../../lib/format/clamped-to.ts'
import { dayAndTime } from '../../../lib/format/format.ts'
import { sentenceOf } from '../../../lib/http/http.ts'
import { MarkedExcerpt } from './marked-excerpt.tsx'
import type { FoundMessages } from './use-found-messages.ts'

interface LineProps {
  domId: string
  active: boolean
  onChoose: () => void
  children: ReactNode
}

export const ResultLine = ({ domId, active, onChoose, children }: LineProps) => (
  <Box
    id={domId}
    role="option"
    aria-selected={active}
    onClick={onChoose}
    sx={{
      minHeight: 'var(--target)',
      px: 4,
      py: 2.5,
      cursor: 'pointer',
      borderBottom: '1px solid',
      borderColor: 'divider',
      bgcolor: 'surface',
      boxShadow: active ? 'inset 3px 0 0 var(--primary)' : undefined,
      '@media (hover: hover)': { '&:hover': { bgcolor: 'background.default' } },
    }}
  >
    {children}
  </Box>
)

export const MoreWords = ({ children }: { children: string }) => (
  <Typography variant="subtitle2" component="span" sx={{ color: 'primary.main' }}>
    {children}
  </Typography>
)

interface MessageProps {
  found: MessageFound
  title: string
  /** Where the title does not name the writer. */
  speaker?: string
  now: number
}

export const FoundMessage = ({ found, title, speaker, now }: MessageProps) => (
  <>
    <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2 }}>
      <Typography noWrap component="span" variant="subtitle2" sx={{ flex: 1 }}>
        {title}
      </Typography>
      <Typography component="time" dateTime={found.timestamp} variant="caption" sx={{ color: 'text.secondary' }}>
        {dayAndTime(found.timestamp, now)}
      </Typography>
    </Box>
    <Typography component="p" sx={{ ...clampedTo(2), color: 'text.secondary' }}>
      {speaker && `${speaker}: `}
      <MarkedExcerpt excerpt={found.excerpt} />
    </Typography>
  </>
)

export const moreMessages = ({ isFetchingMore }: FoundMessages): string =>
  isFetchingMore ? 'Buscando...' : 'Mais resultados'

export const Asking = ({ label }: { label: string }) => (
  <Box role="status" aria-label={label} sx={{ px: 4, py: 3 }}>
    <Skeleton variant="text" width="50%" />
    <Skeleton variant="text" width="85%" />
  </Box>
)

export const Failed = ({ title, error, onAgain }: { title: string; error: unknown; onAgain: () => void }) => (
  <Box role="status" sx={{ px: 4, py: 3, color: 'text.secondary' }}>
    <Typography variant="subtitle2" component="p" sx={{ color: 'text.primary' }}>
      {title}
    </Typography>
    <Typography>{sentenceOf(error, 'Tente de novo em instantes.')}</Typography>
    <Button size="small" variant="outlined" onClick={onAgain} sx={{ mt: 2 }}>
      Tentar de novo
    </Button>
  </Box>
)

export const MessagesState = ({ messages: { isPending, failed } }: { messages: FoundMessages }) => {
  if (isPending) return <Asking label="Buscando nas mensagens..." />
  if (!failed) return null
  return <Failed title="As mensagens não puderam ser buscadas" error={failed.error} onAgain={failed.askAgain} />
}
