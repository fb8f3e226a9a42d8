import Typography from '@mui/material/Typography'

/** Counts conversations that join once the list may move. Not clickable: it may appear under the pointer. */
export const LateRows = ({ late }: { late: number }) => (
  <Typography
    role="status"
    variant="caption"
    sx={{
      position: 'absolute',
      insetInline: 0,
      bottom: 0,
      zIndex: 1,
      py: late > 0 ? 1 : 0,
      textAlign: 'center',
      pointerEvents: 'none',
      color: 'primary.main',
      bgcolor: 'primarySoft',
    }}
  >
    {late > 0 && (late === 1 ? '1 nova' : `${late} novas`)}
  </Typography>
)
