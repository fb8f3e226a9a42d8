import Box from '@mui/material/Box'
import { Fragment } from 'react'

/** Text in which names of programs stand between backticks, as in the catalogue of events. */
export const CodeText = ({ children }: { children: string }) =>
  children.split('`').map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
      <Box key={index} component="code" sx={{ fontFamily: 'var(--mono)', fontSize: '0.9em' }}>
        {part}
      </Box>
    ),
  )
