import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import { useId, useState } from 'react'
import { PartDialog } from '../part-dialog.tsx'
import { ReplayTab } from './replay-tab.tsx'
import { RunsTab } from './runs-tab.tsx'

interface Props {
  flowId: string
  document: FlowDocument
  onShowNode: (nodeId: string) => void
  onClose: () => void
}

const tabs = [
  { name: 'execucoes', label: 'Execuções' },
  { name: 'reprise', label: 'Reprise' },
] as const

export const RunsDialog = ({ flowId, document, onShowNode, onClose }: Props) => {
  const id = useId()
  const [tab, setTab] = useState<(typeof tabs)[number]['name']>('execucoes')
  const showNode = (nodeId: string) => {
    onShowNode(nodeId)
    // The dialog covers the canvas.
    onClose()
  }
  const of = { flowId, draft: document, onShowNode: showNode }
  return (
    <PartDialog title="Execuções" fullWidth maxWidth="lg" onClose={onClose}>
      <Tabs
        value={tab}
        onChange={(_, chosen: typeof tab) => setTab(chosen)}
        aria-label="Execuções e reprise"
        sx={{ px: 6, flex: 'none', borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {tabs.map(({ name, label }) => (
          <Tab key={name} value={name} label={label} id={`${id}-${name}`} aria-controls={`${id}-panel`} />
        ))}
      </Tabs>
      <DialogContent>
        <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
          {tab === 'execucoes' ? <RunsTab {...of} /> : <ReplayTab {...of} />}
        </Box>
      </DialogContent>
    </PartDialog>
  )
}
