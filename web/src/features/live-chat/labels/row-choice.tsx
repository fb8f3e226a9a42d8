import Box from '@mui/material/Box'
import CheckedIcon from '~icons/ic/round-check-box'
import UncheckedIcon from '~icons/ic/round-check-box-outline-blank'

export const RowChoice = ({ isChosen }: { isChosen: boolean }) => (
  <Box
    aria-hidden
    sx={{ width: 'var(--avatar)', textAlign: 'center', color: isChosen ? 'primary.main' : 'text.secondary' }}
  >
    {isChosen ? <CheckedIcon /> : <UncheckedIcon />}
  </Box>
)
