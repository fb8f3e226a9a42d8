import Button from '@mui/material/Button'
import { sentenceOf } from '../../lib/http/http.ts'
import { EmptyState } from '../layout/empty-state.tsx'
import { Panel } from '../layout/panel.tsx'

interface Props {
  title: string
  error: unknown
  /** Shown where the server gave no reason. */
  fallback?: string
  onRetry: () => void
}

export const NotRead = ({ title, error, fallback = 'Tente de novo em instantes.', onRetry }: Props) => (
  <EmptyState
    title={title}
    sentence={sentenceOf(error, fallback)}
    action={
      <Button variant="outlined" onClick={onRetry}>
        Tentar de novo
      </Button>
    }
  />
)

export const NotReadPanel = (props: Props) => (
  <Panel>
    <NotRead {...props} />
  </Panel>
)
