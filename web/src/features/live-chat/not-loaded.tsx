import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'

interface Props {
  sentence: string
  isAsking: boolean
  onAgain: () => void
}

export const NotLoaded = ({ sentence, isAsking, onAgain }: Props) => (
  <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 4, py: 1, bgcolor: 'surface' }}>
    <Typography variant="caption" component="p" sx={{ flex: 1 }}>
      {sentence}
    </Typography>
    <Button size="small" disabled={isAsking} onClick={onAgain} sx={{ flexShrink: 0 }}>
      Tentar de novo
    </Button>
  </Box>
)
