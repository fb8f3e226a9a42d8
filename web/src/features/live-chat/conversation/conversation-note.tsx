import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { dayAndTime } from '../../../lib/format/format.ts'
import { useNow } from '../use-now.ts'

export const NoteWords = ({ title, sentence, action }: { title: string; sentence: string; action: ReactNode }) => (
  <>
    <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
      <Typography variant="subtitle2" component="p">
        {title}
      </Typography>
      <Typography variant="caption" component="p">
        {sentence}
      </Typography>
    </Box>
    {action}
  </>
)

export const NoteBanner = ({ children }: { children: ReactNode }) => (
  <Box
    role="note"
    sx={{
      flexShrink: 0,
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: 3,
      rowGap: 2,
      px: 4,
      py: 2,
      bgcolor: 'warnSoft',
    }}
  >
    {children}
  </Box>
)

export const NoteDetails = ({ at, children }: { at: string; children: ReactNode }) => {
  const now = useNow(60_000)
  return (
    <Box component="section" sx={{ mb: 4, display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {children}
      <Typography variant="caption" component="p" sx={{ flexBasis: '100%', color: 'text.secondary' }}>
        {`Desde ${dayAndTime(at, now)}`}
      </Typography>
    </Box>
  )
}
