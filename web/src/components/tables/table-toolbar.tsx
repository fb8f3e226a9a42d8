import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { maximumSearchLength } from '@prosa/contracts/values/lengths'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import CloseIcon from '~icons/ic/round-close'
import ComfortableIcon from '~icons/ic/round-density-medium'
import CompactIcon from '~icons/ic/round-density-small'
import DownloadIcon from '~icons/ic/round-download'
import type { FoundFile } from '../../lib/http/data-export.ts'
import { useDownload } from '../../lib/http/use-download.ts'
import { chooseTableDensity, useTableDensity } from '../../lib/table-density.ts'
import { Field } from '../forms/field.tsx'
import { KeyHint } from '../key-hint.tsx'

const restMs = 250

type SearchProps = {
  label: string
  placeholder?: string
  search: string
  onSearch: (text: string) => void
  maxLength?: number
}

/** Searches after a pause in typing. */
export const TableSearch = ({ label, placeholder, search, onSearch, maxLength = maximumSearchLength }: SearchProps) => {
  const [typed, setTyped] = useState(search)
  const asked = useRef(search)

  useEffect(() => {
    // The address changed elsewhere, e.g. by the browser's back.
    if (search !== asked.current) setTyped(search)
    asked.current = search
  }, [search])

  useEffect(() => {
    const text = typed.trim()
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      onSearch(text)
    }, restMs)
    return () => clearTimeout(timer)
  }, [typed, onSearch])

  return (
    <Field
      label={label}
      type="search"
      placeholder={placeholder}
      value={typed}
      onChange={setTyped}
      maxLength={maxLength}
      autoComplete="off"
      enterKeyHint="search"
      end={
        typed !== '' && (
          <IconButton color="secondary" size="small" aria-label="Limpar busca" onClick={() => setTyped('')}>
            <CloseIcon />
          </IconButton>
        )
      }
    />
  )
}

const DensityButton = () => {
  const compact = useTableDensity() === 'compact'
  const label = compact ? 'Linhas mais espaçadas' : 'Linhas mais juntas'
  return (
    <KeyHint title={label}>
      <IconButton
        color="secondary"
        aria-label={label}
        onClick={() => chooseTableDensity(compact ? 'comfortable' : 'compact')}
      >
        {compact ? <ComfortableIcon /> : <CompactIcon />}
      </IconButton>
    </KeyHint>
  )
}

type Props = {
  search?: SearchProps
  filters?: ReactNode
  /** The same as CSV; of a search without an address of its own. */
  csv?: string | FoundFile
  action?: ReactNode
}

export const TableToolbar = ({ search, filters, csv, action }: Props) => {
  const download = useDownload()
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 3 }}>
      {search && (
        <Box sx={{ flex: '1 1 var(--card-width)', maxWidth: { md: 'var(--form-width)' } }}>
          <TableSearch {...search} />
        </Box>
      )}
      {filters}
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 2,
          ml: 'auto',
          minHeight: 'var(--field-height)',
        }}
      >
        <DensityButton />
        {csv !== undefined && (
          <Button
            {...(typeof csv === 'string' && { component: 'a', href: csv, download: true })}
            color="inherit"
            startIcon={<DownloadIcon />}
            onClick={(event) => {
              event.preventDefault()
              download(csv, null)
            }}
          >
            Baixar CSV
          </Button>
        )}
        {action}
      </Box>
    </Box>
  )
}
