import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { maximumTextLength } from '@prosa/contracts/values/lengths'
import { useEffect, useRef, useState } from 'react'
import { FieldFrame } from '../../../components/forms/field-frame.tsx'
import { count } from '../../../lib/format/format.ts'

interface Props {
  label: string
  value: string
  variables: readonly string[]
  error?: string | undefined
  help?: string | undefined
  /** By default of a message. */
  maxLength?: number
  onChange: (text: string) => void
}

export const FlowTextField = ({ label, value, variables, error, help, maxLength, onChange }: Props) => {
  const area = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const max = maxLength ?? maximumTextLength
  const isTooLong = value.length > max

  useEffect(() => {
    // After the inserted text is rendered.
    if (caret.current === null || area.current?.value !== value) return
    area.current.focus()
    area.current.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [value])

  const insert = (name: string) => {
    setAnchor(null)
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {}
    const text = `{${name}}`
    caret.current = selectionStart + text.length
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd))
  }

  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <FieldFrame
        label={label}
        error={
          isTooLong ? `O máximo${maxLength === undefined ? ' do WhatsApp' : ''} são ${count(max)} caracteres.` : error
        }
        help={help}
      >
        {(tied) => (
          <textarea
            {...tied}
            ref={area}
            rows={maxLength === undefined ? 6 : 3}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </FieldFrame>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
        <Button
          size="small"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={{ ml: -2 }}
        >
          Inserir variável
        </Button>
        <Box component="span" sx={{ typography: 'caption', color: isTooLong ? 'danger' : 'text.secondary' }}>
          {`${count(value.length)}/${count(max)}`}
        </Box>
      </Box>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={() => setAnchor(null)} disableRestoreFocus={caret.current !== null}>
          {variables.map((name) => (
            <MenuItem key={name} onClick={() => insert(name)}>{`{${name}}`}</MenuItem>
          ))}
        </Menu>
      )}
    </Box>
  )
}
