import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { maximumSearchLength } from '@prosa/contracts/values/lengths'
import { type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import CloseRounded from '~icons/ic/round-close'
import SearchRounded from '~icons/ic/round-search'

const restMs = 250

interface Walked {
  listId: string
  items: readonly unknown[]
  activeId: string | undefined
  onKeyDown: (event: KeyboardEvent) => 'stayed' | 'opened' | null
}

interface Props {
  label: string
  inputRef: RefObject<HTMLInputElement | null>
  /** Debounced. */
  search: string
  onSearch: (text: string) => void
  results: Walked
  /** Moves the focus on; without it Esc does nothing more. */
  onLeave?: () => void
}

const frameStyle = {
  display: 'flex',
  alignItems: 'center',
  minHeight: 'var(--target)',
  pl: 3,
  pr: 1,
  border: '1px solid',
  borderColor: 'borderStrong',
  borderRadius: 'var(--radius-control)',
  '&:focus-within': { borderColor: 'primary.main', outline: '1px solid var(--primary)' },
}

/** Searches after a pause in typing. ↑ ↓ move, Enter opens, Esc clears, then leaves. */
export const SearchField = ({ label, inputRef, search, onSearch, results, onLeave }: Props) => {
  const [typed, setTyped] = useState(search)

  // Ignores a trailing space, which the next word follows.
  useEffect(() => setTyped((before) => (before.trim() === search ? before : search)), [search])

  useEffect(() => {
    const timer = setTimeout(() => onSearch(typed.trim()), restMs)
    return () => clearTimeout(timer)
  }, [typed, onSearch])

  const clear = () => {
    setTyped('')
    onSearch('')
    inputRef.current?.focus()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape' && onLeave) {
      event.preventDefault()
      return typed === '' ? onLeave() : clear()
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return
    if (typed.trim() === '') {
      event.preventDefault()
      return onLeave?.()
    }
    // The results are of an older search: this key only starts the new one.
    if (typed.trim() !== search) {
      event.preventDefault()
      return onSearch(typed.trim())
    }
    if (results.onKeyDown(event) === 'opened') onLeave?.()
  }

  const open = search !== '' && results.items.length > 0
  return (
    <Box sx={frameStyle}>
      <SearchRounded aria-hidden sx={{ color: 'text.secondary' }} />
      <Box
        component="input"
        ref={inputRef}
        value={typed}
        maxLength={maximumSearchLength}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={label}
        role="combobox"
        aria-label={label}
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
  )
}
