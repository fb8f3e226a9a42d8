import Button from '@mui/material/Button'
import HistoryIcon from '~icons/ic/round-history'
import { EmptyState } from '../layout/empty-state.tsx'

interface Props {
  isFiltered: boolean
  /** Without filters: 'O que acontecer na sua conta aparece aqui.' */
  sentence: string
  onClear: () => void
}

export const NothingHappened = ({ isFiltered, sentence, onClear }: Props) => (
  <EmptyState
    icon={<HistoryIcon />}
    title="Nada encontrado"
    sentence={isFiltered ? 'Nada aconteceu com estes filtros. Mude ou limpe os filtros.' : sentence}
    action={
      isFiltered && (
        <Button variant="outlined" color="inherit" onClick={onClear}>
          Limpar filtros
        </Button>
      )
    }
  />
)
