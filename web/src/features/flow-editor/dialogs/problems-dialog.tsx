import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowProblem } from '@prosa/contracts/flows/flow-problem'
import { CompanyNameField } from '../../../components/company-name-field.tsx'
import { CloseActions } from '../../../components/forms/close-actions.tsx'
import { plural } from '../../../lib/format/format.ts'
import { type Named, nodeTitle } from '../node-words.ts'
import { errorsIn } from '../state/use-problems.ts'

export interface ProblemListProps {
  problems: readonly FlowProblem[]
  document: FlowDocument
  named: Named
  onShow: (nodeId: string) => void
  /** The company has a name by now: what only the server finds is looked for again. */
  onCompanyNamed?: () => void
}

/** Limit for a long cycle: changing any one node breaks it. */
const maxSteps = 6

export const ProblemList = ({ problems, document, named, onShow, onCompanyNamed }: ProblemListProps) => {
  const nodesOf = ({ nodeId, nodeIds = nodeId === null ? [] : [nodeId] }: FlowProblem) =>
    nodeIds.slice(0, maxSteps).flatMap((id) => document.nodes.find((node) => node.id === id) ?? [])
  return (
    <Box component="ul" sx={{ display: 'grid', gap: 1, m: 0, mt: 3, p: 0 }}>
      {problems.map((problem) => {
        const { kind, nodeId, severity, sentence } = problem
        return (
          <Box
            component="li"
            key={`${kind} ${nodeId} ${sentence}`}
            sx={{ listStyle: 'none', py: 2, borderTop: '1px solid', borderColor: 'divider' }}
          >
            <Typography>
              <Box component="strong" sx={{ color: severity === 'error' ? 'danger' : 'warn', fontWeight: 600 }}>
                {severity === 'error' ? 'Erro: ' : 'Aviso: '}
              </Box>
              {sentence}
            </Typography>
            {kind === 'empty_variable' && onCompanyNamed && (
              <Box sx={{ mt: 2 }}>
                <CompanyNameField text={sentence} onSaved={onCompanyNamed} />
              </Box>
            )}
            <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, ml: -4 }}>
              {nodesOf(problem).map((node) => (
                <Button key={node.id} size="small" onClick={() => onShow(node.id)} sx={{ textAlign: 'left' }}>
                  {nodeTitle(node, named)}
                </Button>
              ))}
            </Box>
          </Box>
        )
      })}
    </Box>
  )
}

export const ProblemsDialog = ({ onClose, ...list }: ProblemListProps & { onClose: () => void }) => {
  const errors = errorsIn(list.problems).length
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="flow-problems-title">
      <DialogTitle id="flow-problems-title">Problemas do fluxo</DialogTitle>
      <DialogContent>
        <Typography sx={{ color: 'text.secondary' }}>
          {errors > 0
            ? `Corrija ${plural(errors, 'erro', 'erros')} para publicar. Avisos não impedem a publicação.`
            : 'Avisos não impedem a publicação.'}
        </Typography>
        <ProblemList {...list} />
      </DialogContent>
      <CloseActions onClose={onClose} />
    </Dialog>
  )
}
