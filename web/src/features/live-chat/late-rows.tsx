import Box from '@mui/material/Box'
import Button from '@mui/material/Button'

interface Props {
  late: number
  onShow: () => void
}

/** Says over a list that stands still how many conversations are to come into it. */
export const LateRows = ({ late, onShow }: Props) => (
  <Box
    role="status"
    sx={{
      position: 'absolute',
      top: 8,
      left: 0,
      right: 0,
      zIndex: 1,
      display: 'grid',
      placeItems: 'center',
      pointerEvents: 'none',
    }}
  >
    {late > 0 && (
      <Button
        size="small"
        variant="outlined"
        onClick={onShow}
        sx={{
          pointerEvents: 'auto',
          bgcolor: 'surface',
          boxShadow: 'var(--shadow-float)',
          '&:hover': { bgcolor: 'surface' },
        }}
      >
        {late === 1 ? '1 nova' : `${late} novas`}
      </Button>
    )}
  </Box>
)
