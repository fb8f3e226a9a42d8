import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { lineInWords } from '@prosa/contracts/conversation-lines'
import type { ConversationLine as Line } from '@prosa/contracts/http/live-chat'
import { clockTime } from '../../../lib/format/format.ts'

/** What happened between two messages. */
export const ConversationLine = ({ line }: { line: Line }) => (
  <Typography
    component="p"
    variant="caption"
    sx={{ m: 0, pt: 2, px: { xs: 3, md: 6 }, textAlign: 'center', color: 'text.secondary', overflowWrap: 'anywhere' }}
  >
    {lineInWords(line)}
    <Box component="time" dateTime={line.at} sx={{ whiteSpace: 'nowrap' }}>
      {` · ${clockTime(line.at)}`}
    </Box>
  </Typography>
)
