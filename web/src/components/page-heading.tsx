import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useScreenTitle } from '../lib/tab-title.ts'

type Props = {
  title: string
  /** What the browser tab shows, where that is not the title. */
  tab?: string
  sentence?: string
  action?: ReactNode
}

/** The heading of a screen and its one main action; also names the browser tab. */
export const PageHeading = ({ title, tab = title, sentence, action }: Props) => {
  useScreenTitle(tab)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 4 }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="h1">{title}</Typography>
        {sentence && <Typography sx={{ color: 'text.secondary', mt: 1, textWrap: 'pretty' }}>{sentence}</Typography>}
      </Box>
      {action}
    </Box>
  )
}
