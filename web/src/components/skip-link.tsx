import Box from '@mui/material/Box'
import { notSeen } from './screen-reader-text.tsx'

const focusOn = (element: HTMLElement) => {
  // A landmark takes the focus this once.
  if (element.tabIndex < 0) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus()
}

interface Props {
  label: string
  target: () => HTMLElement | null
}

/** Seen while it has the focus. */
export const SkipLink = ({ label, target }: Props) => (
  <Box
    component="a"
    href="#conteudo"
    onClick={(event) => {
      event.preventDefault()
      const element = target()
      if (element) focusOn(element)
    }}
    sx={{
      ...notSeen,
      '&:focus': {
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        width: 'auto',
        height: 'auto',
        px: 4,
        py: 2,
        overflow: 'visible',
        clipPath: 'none',
        color: 'primary.main',
        bgcolor: 'surface',
        borderRadius: 'var(--radius-control)',
      },
    }}
  >
    {label}
  </Box>
)
