import Button from '@mui/material/Button'
import type { FlowFolder } from '@prosa/contracts/http/flows'
import FolderIcon from '~icons/ic/round-folder-open'
import { CardGrid } from '../../components/layout/card-grid.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { useDuplicateFolder } from './api.ts'
import type { Shown } from './flow-dialogs.tsx'
import { FolderCard } from './folder-card.tsx'

interface Props {
  found: readonly FlowFolder[]
  /** The search or filters hide others. */
  isNarrowed: boolean
  onShow: (shown: Shown) => void
}

export const FoldersTab = ({ found, isNarrowed, onShow }: Props) => {
  const duplicate = useDuplicateFolder()
  if (found.length > 0)
    return (
      <CardGrid>
        {found.map((folder) => (
          <FolderCard
            key={folder.id}
            folder={folder}
            onEdit={() => onShow({ dialog: 'editFolder', folder })}
            onDuplicate={() => duplicate.mutate(folder.id)}
            onDelete={() => onShow({ dialog: 'deleteFolder', folder })}
          />
        ))}
      </CardGrid>
    )
  return (
    <Panel>
      {isNarrowed ? (
        <EmptyState icon={<FolderIcon />} title="Nenhuma pasta encontrada" sentence="Tente ajustar sua busca" />
      ) : (
        <EmptyState
          icon={<FolderIcon />}
          title="Nenhuma pasta encontrada"
          sentence="Comece criando sua primeira pasta de fluxos"
          action={
            <Button variant="contained" onClick={() => onShow({ dialog: 'newFolder' })}>
              Criar Nova Pasta
            </Button>
          }
        />
      )}
    </Panel>
  )
}
