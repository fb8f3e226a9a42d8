import Box from '@mui/material/Box'
import { Fragment, type ReactNode } from 'react'
import { type Block, type Inline, messageFormat } from './message-format.ts'
import { WebAddress } from './web-address.tsx'

const tags = { bold: 'strong', italic: 'em', strike: 's' } as const
const code = { fontFamily: 'var(--mono)', fontSize: '0.93em', bgcolor: 'var(--hover)', borderRadius: '3px', px: 0.5 }

const inlineOf = (part: Inline): ReactNode => {
  if ('children' in part) {
    const Tag = tags[part.kind]
    return <Tag>{part.children.map(keyed)}</Tag>
  }
  if (part.kind === 'text') return part.text
  if (part.kind === 'link') return <WebAddress address={part.text} />
  return (
    <Box component="code" sx={code}>
      {part.text}
    </Box>
  )
}

// The text is immutable: indexes are stable keys.
const keyed = (part: Inline, index: number) => <Fragment key={index}>{inlineOf(part)}</Fragment>

const BlockView = ({ block: { kind, lines } }: { block: Block }) => {
  if (kind === 'text')
    return lines.map(({ content }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Fragment key={index}>
        {index > 0 && '\n'}
        {content.map(keyed)}
      </Fragment>
    ))
  if (kind === 'quote')
    return (
      <Box
        component="blockquote"
        sx={{ m: 0, my: 0.5, pl: 2, borderInlineStart: '3px solid var(--border-strong)', opacity: 0.9 }}
      >
        <BlockView block={{ kind: 'text', lines }} />
      </Box>
    )
  return (
    <Box component={kind === 'bullets' ? 'ul' : 'ol'} sx={{ m: 0, my: 0.5, pl: 5, whiteSpace: 'normal' }}>
      {lines.map(({ mark, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <Box component="li" key={index} value={kind === 'numbers' ? Number.parseInt(mark, 10) : undefined}>
          {content.map(keyed)}
        </Box>
      ))}
    </Box>
  )
}

export const FormattedText = ({ text }: { text: string }): ReactNode => {
  const blocks = messageFormat(text)
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Fragment key={index}>
      {index > 0 && block.kind === 'text' && blocks[index - 1]?.kind === 'text' && '\n'}
      <BlockView block={block} />
    </Fragment>
  ))
}
