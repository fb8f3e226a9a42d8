import Box from '@mui/material/Box'

/** Characters before the extension that are never truncated. */
const lettersBeforeEnding = 4
/** Names up to this length always fit. */
const shortName = 16

const graphemes = new Intl.Segmenter('pt-BR', { granularity: 'grapheme' })

/** 'Contrato de locação 2026.pdf' → ['Contrato de locação ', '2026.pdf']; only the first may be truncated. */
export const fileNameParts = (name: string): [string, string] => {
  const [ending = ''] = /\.[\p{L}\p{N}]{1,10}$/u.exec(name) ?? []
  const stem = [...graphemes.segment(name.slice(0, name.length - ending.length))].map(({ segment }) => segment)
  if (stem.length + ending.length <= shortName) return [name, '']
  const shown = ending === '' ? 0 : lettersBeforeEnding
  return [stem.slice(0, stem.length - shown).join(''), stem.slice(stem.length - shown).join('') + ending]
}

export const FileName = ({ name }: { name: string }) => {
  const [start, end] = fileNameParts(name)
  return (
    <Box component="span" dir="auto" title={name} sx={{ display: 'flex', minWidth: 0, whiteSpace: 'pre' }}>
      <Box component="span" sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {start}
      </Box>
      {end !== '' && (
        <Box component="span" sx={{ flexShrink: 0 }}>
          {end}
        </Box>
      )}
    </Box>
  )
}
