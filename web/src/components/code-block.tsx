import Box, { type BoxProps } from '@mui/material/Box'

type Props = Pick<BoxProps, 'aria-label' | 'aria-labelledby'> & { sx?: object; children: string }

/** A scrolling area must be reachable by keyboard. */
export const CodeBlock = ({ sx, children, ...name }: Props) => (
  <Box
    component="pre"
    tabIndex={0}
    {...name}
    sx={{
      m: 0,
      p: 3,
      overflow: 'auto',
      bgcolor: 'sunken',
      borderRadius: 'var(--radius-control)',
      fontFamily: 'var(--mono)',
      fontSize: 'caption.fontSize',
      ...sx,
    }}
  >
    {children}
  </Box>
)
