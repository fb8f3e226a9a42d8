import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import type { FlowNode } from '@prosa/contracts/flows/flow-document'
import { nodeTypeNames } from '@prosa/contracts/flows/node-name'
import { useEffect, useRef } from 'react'
import CloseIcon from '~icons/ic/round-close'
import { Field } from '../../components/forms/field.tsx'
import { ScreenReaderText } from '../../components/screen-reader-text.tsx'
import { plural } from '../../lib/format/format.ts'
import { plainText } from '../../lib/format/plain-text.ts'
import { type Named, nodeTexts } from './node-words.ts'

/** Ignores case and accents; blank text finds nothing. */
export const foundNodes = (nodes: readonly FlowNode[], text: string, named: Named): FlowNode[] => {
  const wanted = plainText(text.trim())
  if (wanted === '') return []
  return nodes.filter((node) => {
    const { text: shown, detail = '' } = nodeTexts(node, named)
    return plainText(`${nodeTypeNames[node.type]} ${shown} ${detail} ${Object.values(node.data).join(' ')}`).includes(
      wanted,
    )
  })
}

interface Props {
  text: string
  found: readonly FlowNode[]
  /** -1 for none. */
  at: number
  onText: (text: string) => void
  onGo: (by: 1 | -1) => void
  onClose: () => void
}

export const NodeSearch = ({ text, found, at, onText, onGo, onClose }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  const result =
    text.trim() === ''
      ? ''
      : found.length === 0
        ? 'Nenhum passo encontrado'
        : at < 0
          ? plural(found.length, 'passo', 'passos')
          : `${at + 1} de ${found.length}`
  return (
    <Box
      ref={box}
      role="search"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
          event.preventDefault()
          onGo(event.shiftKey ? -1 : 1)
        }
      }}
      sx={{
        display: 'flex',
        alignItems: 'end',
        gap: 2,
        px: 4,
        py: 2,
        borderBottom: '1px solid',
        borderColor: 'divider',
        bgcolor: 'surface',
      }}
    >
      <Box sx={{ flex: 1, maxWidth: 'var(--form-width)' }}>
        <Field
          label="Buscar passo"
          type="search"
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={onText}
          placeholder="Texto, etiqueta, tipo"
        />
      </Box>
      <Box role="status" sx={{ minHeight: 'var(--field-height)', display: 'flex', alignItems: 'center' }}>
        {result}
        {found.length > 0 && <ScreenReaderText>. Enter vai ao próximo.</ScreenReaderText>}
      </Box>
      <IconButton aria-label="Fechar a busca" color="secondary" onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </Box>
  )
}
