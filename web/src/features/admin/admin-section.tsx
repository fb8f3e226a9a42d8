import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  sentence: string
  /** At the end of the heading's line. */
  action?: ReactNode
  children: ReactNode
}

export const AdminSection = ({ title, sentence, action, children }: Props) => {
  const headingId = useId()
  return (
    <Box
      component="section"
      aria-labelledby={headingId}
      sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', justifyContent: 'space-between', gap: 3 }}>
        <Box>
          <Typography variant="h2" id={headingId}>
            {title}
          </Typography>
          <Typography sx={{ color: 'text.secondary' }}>{sentence}</Typography>
        </Box>
        {action}
      </Box>
      {children}
    </Box>
  )
}
