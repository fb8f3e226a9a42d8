import Box from '@mui/material/Box'
import { useAtom } from 'jotai'
import type { ReactNode } from 'react'
import { FormattedText } from '../../../components/formatting/formatted-text.tsx'
import { shownAtFirst } from '../../../components/formatting/long-text.ts'
import { WebAddress, webAddress } from '../../../components/formatting/web-address.tsx'
import { openTextsAtom } from '../atoms.ts'

const marks = /[*_~`]|^(> |- |\d{1,3}\. )/m

const plain = (text: string): ReactNode =>
  text
    .split(webAddress)
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text have no other identity
    .map((part, index) => (index % 2 === 0 ? part : <WebAddress key={index} address={part} />))

const Words = ({ text }: { text: string }): ReactNode =>
  marks.test(text) ? <FormattedText text={text} /> : plain(text)

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

export const MessageText = ({ id, content }: { id: string; content: string }): ReactNode => {
  const [open, setOpen] = useAtom(openTextsAtom)
  const isOpen = open.has(id)
  const beginning = shownAtFirst(content)
  const isLong = beginning !== content
  return (
    <>
      {/* A line of the other direction aligns on its side only as a block. */}
      <Box component={rightToLeft.test(content) ? 'div' : 'span'} dir="auto">
        <Words text={isOpen ? content : beginning} />
      </Box>
      {isLong && (
        <Box
          component="button"
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen((all) => new Set(isOpen ? [...all].filter((one) => one !== id) : [...all, id]))}
          sx={{
            display: 'block',
            p: 0,
            border: 0,
            bgcolor: 'transparent',
            font: 'inherit',
            fontWeight: 600,
            color: 'primary.main',
            cursor: 'pointer',
          }}
        >
          {isOpen ? 'Ler menos' : 'Ler mais'}
        </Box>
      )}
    </>
  )
}
