import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

const address = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'])/g

/** The text of a message as it was written, with web addresses as links. */
export const MessageText = ({ content }: { content: string }): ReactNode =>
  content.split(address).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text have no other identity
      <Box component="a" key={index} href={part} target="_blank" rel="noopener noreferrer" sx={{ color: 'inherit' }}>
        {part}
      </Box>
    ),
  )
