import Button from '@mui/material/Button'
import { sentenceOf } from '../../lib/http/http.ts'
import { EmptyState } from '../layout/empty-state.tsx'
import { Panel } from '../layout/panel.tsx'

interface Props {
  title: string
  error: unknown
  onRetry: () => void
}

export const NotReadPanel = ({ title, error, onRetry }: Props) => (
  <Panel>
    <EmptyState
      title={title}
      sentence={sentenceOf(error, 'Tente de novo em instantes.')}
      action={
        <Button variant="outlined" onClick={onRetry}>
          Tentar de novo
        </Button>
      }
    />
  </Panel>
)
