import CloseRounded from '@mui/icons-material/CloseRounded'
import SearchRounded from '@mui/icons-material/SearchRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useAtom } from 'jotai'
import { type Ref, useEffect, useState } from 'react'
import { KeyHint } from '../../components/key-hint.tsx'
import { searchAtom } from './atoms.ts'

const restMs = 250

/** Filters the list by name or phone once the typing rests; Esc clears, and once more goes back to the list. */
export const ContactSearch = ({ inputRef, onLeave }: { inputRef: Ref<HTMLInputElement>; onLeave: () => void }) => {
  const [search, setSearch] = useAtom(searchAtom)
  const [typed, setTyped] = useState(search)

  useEffect(() => setTyped(search), [search])

  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), restMs)
    return () => clearTimeout(timer)
  }, [typed, setSearch])

  const clear = () => {
    setTyped('')
    setSearch('')
  }

  return (
    <Box sx={{ px: 4, pb: 2 }}>
      <KeyHint title="Buscar" keys={['/']} disableFocusListener>
        <OutlinedInput
          fullWidth
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter' || (event.key === 'Escape' && typed === '')) {
              event.preventDefault()
              onLeave()
            } else if (event.key === 'Escape') {
              event.preventDefault()
              clear()
            }
          }}
          placeholder="Buscar atendimento e mensagens"
          inputRef={inputRef}
          slotProps={{ input: { 'aria-label': 'Buscar atendimento e mensagens', enterKeyHint: 'search' } }}
          startAdornment={<SearchRounded aria-hidden sx={{ color: 'text.secondary' }} />}
          sx={{ '& input::placeholder': { opacity: 1, color: 'text.secondary' } }}
          endAdornment={
            typed !== '' && (
              <IconButton color="secondary" edge="end" size="small" aria-label="Limpar busca" onClick={clear}>
                <CloseRounded />
              </IconButton>
            )
          }
        />
      </KeyHint>
    </Box>
  )
}
