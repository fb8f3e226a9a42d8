import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** Its space is reserved while it is null. */
  action: ReactNode
  children: ReactNode
}

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
