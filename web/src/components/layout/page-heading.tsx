import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import BackIcon from '~icons/ic/round-arrow-back'
import { useScreenTitle } from '../../lib/browser/tab-title.ts'
import { paths } from '../../lib/paths.ts'

type Props = {
  title: string
  /** The browser tab's title, where it differs. */
  tab?: string
  sentence?: string
  action?: ReactNode
}

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

interface BackLinkProps {
  to?: string
  label?: string
}

/** Above a page's heading. */
export const BackLink = ({ to = paths.home, label = 'Voltar' }: BackLinkProps) => (
  <Button component={Link} to={to} color="inherit" startIcon={<BackIcon />} sx={{ ml: -2, mb: 2 }}>
    {label}
  </Button>
)
