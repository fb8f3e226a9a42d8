import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { PersonAvatar } from '../../../components/person-avatar.tsx'

export const PhoneFrame = ({ company, children }: { company: string; children: ReactNode }) => (
  <Box
    sx={{
      display: 'flex',
      flexDirection: 'column',
      width: 'min(var(--phone-width), 100%)',
      height: 'var(--phone-height)',
      maxHeight: '100%',
      mx: 'auto',
      overflow: 'hidden',
      border: '6px solid',
      borderColor: 'borderStrong',
      borderRadius: 'var(--radius-device)',
      bgcolor: 'sunken',
    }}
  >
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: 3,
        py: 2,
        bgcolor: 'surface',
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <PersonAvatar name={company} size="small" />
      <Typography noWrap variant="subtitle2" component="p">
        {company}
      </Typography>
    </Box>
    {children}
  </Box>
)
