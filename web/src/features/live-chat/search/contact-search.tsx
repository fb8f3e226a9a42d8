import Box from '@mui/material/Box'
import { useAtom } from 'jotai'
import type { RefObject } from 'react'
import { KeyHint } from '../../../components/key-hint.tsx'
import { searchAtom } from '../atoms.ts'
import { SearchField } from './search-field.tsx'
import type { SearchResultsState } from './use-search-results.ts'

interface Props {
  inputRef: RefObject<HTMLInputElement | null>
  results: SearchResultsState
  onLeave: () => void
}

export const ContactSearch = ({ inputRef, results, onLeave }: Props) => {
  const [search, setSearch] = useAtom(searchAtom)
  return (
    <Box sx={{ px: 4, pb: 2 }}>
      <KeyHint title="Buscar" keys={['/']} disableFocusListener>
        <SearchField
          label="Buscar atendimento e mensagens"
          inputRef={inputRef}
          search={search}
          onSearch={setSearch}
          results={results}
          onLeave={onLeave}
        />
      </KeyHint>
    </Box>
  )
}
