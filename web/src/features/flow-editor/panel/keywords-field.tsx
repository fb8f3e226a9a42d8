import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { type KeyboardEvent, useState } from 'react'
import { Field } from '../../../components/forms/field.tsx'

interface Props {
  label?: string
  placeholder?: string
  help?: string
  maximum?: number
  maxLength?: number
  /** Else a comma separates two. */
  takesCommas?: boolean
  words: readonly string[]
  error?: string | undefined
  onChange: (words: string[]) => void
}

export const KeywordsField = ({
  label = 'Palavras-chave',
  placeholder = 'Ex: oi',
  help = 'Enter põe a palavra na lista. Maiúsculas e acentos não fazem diferença.',
  maximum = 50,
  maxLength = 100,
  takesCommas = false,
  words,
  error,
  onChange,
}: Props) => {
  const [typed, setTyped] = useState('')
  const add = () => {
    const wanted = (takesCommas ? [typed] : typed.split(',')).map((word) => word.trim()).filter((word) => word !== '')
    setTyped('')
    if (wanted.length > 0) onChange([...new Set([...words, ...wanted])].slice(0, maximum))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && typed === '' && words.length > 0) return onChange(words.slice(0, -1))
    if (event.key !== 'Enter' && (takesCommas || event.key !== ',')) return
    event.preventDefault()
    add()
  }
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Field
        label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        value={typed}
        error={error}
        help={help}
        onChange={setTyped}
        onKeyDown={onKeyDown}
        onBlur={add}
        end={
          <Button size="small" onClick={add} disabled={typed.trim() === ''}>
            Adicionar
          </Button>
        }
      />
      {words.length > 0 && (
        <Box component="ul" aria-label={label} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, p: 0 }}>
          {words.map((word) => (
            <Box component="li" key={word} sx={{ listStyle: 'none', maxWidth: '100%' }}>
              <Chip
                label={word}
                onDelete={() => onChange(words.filter((one) => one !== word))}
                slotProps={{ root: { 'aria-label': `${word}, Delete tira da lista` } }}
              />
            </Box>
          ))}
        </Box>
      )}
    </Box>
  )
}
