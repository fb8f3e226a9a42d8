import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { maximumSearchLength } from '@prosa/contracts/values/lengths'
import { useAtom } from 'jotai'
import { type KeyboardEvent, type Ref, useEffect, useState } from 'react'
import CloseRounded from '~icons/ic/round-close'
import SearchRounded from '~icons/ic/round-search'
import { KeyHint } from '../../components/key-hint.tsx'
import { searchAtom } from './atoms.ts'
import type { SearchResultsState } from './search/use-search-results.ts'

const restMs = 250

interface Props {
  inputRef: Ref<HTMLInputElement>
  results: SearchResultsState
  /** Back to the list, which has the keys then. */
  onLeave: () => void
}

/**
 * Looks for contacts and messages once the typing rests. ↑ and ↓ walk the results, Enter opens one; Esc clears, and once more
 * goes back to the list.
 */
export const ContactSearch = ({ inputRef, results, onLeave }: Props) => {
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

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape') {
      event.preventDefault()
      return typed === '' ? onLeave() : clear()
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return
    if (typed.trim() === '') {
      event.preventDefault()
      return onLeave()
    }
    // What is on screen answers an older question: this key only asks the new one.
    if (typed.trim() !== search) {
      event.preventDefault()
      return setSearch(typed.trim())
    }
    if (results.onKeyDown(event) === 'opened') onLeave()
  }

  const open = search !== '' && results.items.length > 0
  return (
    <Box sx={{ px: 4, pb: 2 }}>
      <KeyHint title="Buscar" keys={['/']} disableFocusListener>
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            minHeight: 'var(--target)',
            pl: 3,
            pr: 1,
            border: '1px solid',
            borderColor: 'borderStrong',
            borderRadius: 'var(--radius-control)',
            '&:focus-within': { borderColor: 'primary.main', outline: '1px solid var(--primary)' },
          }}
        >
          <SearchRounded aria-hidden sx={{ color: 'text.secondary' }} />
          <Box
            component="input"
            ref={inputRef}
            value={typed}
            maxLength={maximumSearchLength}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={onKeyDown}
            placeholder="Buscar atendimento e mensagens"
            role="combobox"
            aria-label="Buscar atendimento e mensagens"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={open ? results.listId : undefined}
            aria-activedescendant={open ? results.activeId : undefined}
            autoComplete="off"
            enterKeyHint="search"
            sx={{
              flex: 1,
              minWidth: 0,
              px: 2,
              py: 1.5,
              typography: 'body1',
              color: 'text.primary',
              bgcolor: 'transparent',
              border: 0,
              outline: 'none',
              '&::placeholder': { opacity: 1, color: 'text.secondary' },
            }}
          />
          {typed !== '' && (
            <IconButton color="secondary" size="small" aria-label="Limpar busca" onClick={clear}>
              <CloseRounded />
            </IconButton>
          )}
        </Box>
      </KeyHint>
    </Box>
  )
}
