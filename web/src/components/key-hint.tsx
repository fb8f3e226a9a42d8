import Box from '@mui/material/Box'
import Tooltip, { type TooltipProps } from '@mui/material/Tooltip'

type Props = Omit<TooltipProps, 'title'> & {
  title: string
  /** The keys, in the order of pressing, e.g. ['G', 'L']. */
  keys?: readonly string[]
}

/** A tooltip that names an action and shows the keys that do the same. */
export const KeyHint = ({ title, keys = [], children, ...rest }: Props) => (
  <Tooltip
    {...rest}
    title={
      <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1.5 }}>
        {title}
        {keys.map((key) => (
          <Box
            key={key}
            component="kbd"
            sx={{
              font: 'inherit',
              border: '1px solid currentColor',
              borderRadius: 'var(--radius-control)',
              px: 1,
              opacity: 0.85,
            }}
          >
            {key}
          </Box>
        ))}
      </Box>
    }
  >
    {children}
  </Tooltip>
)
