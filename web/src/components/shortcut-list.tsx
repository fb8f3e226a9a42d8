import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { radius } from '../lib/radius.ts'

const Key = ({ name }: { name: string }) => (
  <Box
    component="kbd"
    sx={{
      typography: 'caption',
      px: 2,
      py: 0.5,
      border: '1px solid',
      borderColor: 'borderStrong',
      borderRadius: radius.control,
      bgcolor: 'background.default',
    }}
  >
    {name}
  </Box>
)

export const ShortcutList = ({ shortcuts }: { shortcuts: readonly { keys: readonly string[]; does: string }[] }) => (
  <Box component="dl" sx={{ m: 0, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 4, rowGap: 2 }}>
    {shortcuts.map(({ keys, does }) => (
      <Box key={does} sx={{ display: 'contents' }}>
        <Box component="dt" sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
          {keys.map((name) => (
            <Key key={name} name={name} />
          ))}
        </Box>
        <Typography component="dd" sx={{ m: 0 }}>
          {does}
        </Typography>
      </Box>
    ))}
  </Box>
)
