import Box from '@mui/material/Box'

const start = '\ue000'
const end = '\ue001'

/** 'a \ue000b\ue001 c' → three parts, 'b' marked. */
export const excerptParts = (excerpt: string): { text: string; marked: boolean }[] =>
  excerpt
    .split(start)
    .flatMap((part, index) => {
      if (index === 0) return [{ text: part.replaceAll(end, ''), marked: false }]
      const [marked = '', ...rest] = part.split(end)
      return [
        { text: marked, marked: true },
        { text: rest.join(''), marked: false },
      ]
    })
    .filter(({ text }) => text !== '')

export const MarkedExcerpt = ({ excerpt }: { excerpt: string }) =>
  excerptParts(excerpt).map(({ text, marked }, index) =>
    marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name and never move
      <Box key={index} component="mark" sx={{ bgcolor: 'primarySoft', color: 'text.primary', fontWeight: 600 }}>
        {text}
      </Box>
    ) : (
      text
    ),
  )
