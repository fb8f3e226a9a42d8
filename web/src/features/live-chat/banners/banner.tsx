import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'

interface BannerProps {
  tone: 'warn' | 'info'
  icon: ReactNode
  title: string
  sentence: string
  /** Title and action only, on a phone above an open conversation. */
  isBrief?: boolean
  action?: ReactNode
}

export const Banner = ({ tone, icon, title, sentence, isBrief = false, action }: BannerProps) => (
  <Box
    sx={{
      display: 'flex',
      alignItems: 'center',
      gap: 3,
      px: 4,
      py: 2,
      bgcolor: `${tone}Soft`,
      color: tone === 'warn' ? 'warn' : 'info.main',
      borderBottom: '1px solid',
      borderColor: 'divider',
    }}
  >
    {icon}
    <Box sx={{ flex: 1, minWidth: 0 }}>
      <Typography variant="subtitle2" component="p">
        {title}
      </Typography>
      <Typography
        variant="caption"
        component="p"
        sx={{
          color: 'text.primary',
          'body:has([data-own-header]) &': { display: { xs: isBrief ? 'none' : 'block', md: 'block' } },
        }}
      >
        {sentence}
      </Typography>
    </Box>
    {action}
  </Box>
)
