import Button from '@mui/material/Button'
import { sentenceOf } from '../lib/http.ts'
import { EmptyState } from './empty-state.tsx'
import { Panel } from './panel.tsx'

interface Props {
  /** What could not be read, as a sentence. */
  title: string
  error: unknown
  onRetry: () => void
}

/** In the place of what could not be read: why, and a way to try again. */
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
