import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** Beside the title; its room is kept while it is not there. */
  action: ReactNode
  children: ReactNode
}

/** A section of the settings under its heading. */
export const SettingsBlock = ({ title, action, children }: Props) => {
  const heading = useId()
  return (
    <Box
      component="section"
      aria-labelledby={heading}
      sx={{ display: 'grid', gap: 4, alignContent: 'start', minWidth: 0 }}
    >
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 3,
          alignItems: 'center',
          justifyContent: 'space-between',
          minHeight: 'var(--target)',
        }}
      >
        <Typography variant="h2" id={heading}>
          {title}
        </Typography>
        {action}
      </Box>
      {children}
    </Box>
  )
}
