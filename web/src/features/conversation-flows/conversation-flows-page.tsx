import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import AddIcon from '~icons/ic/round-add'
import BackIcon from '~icons/ic/round-arrow-back'
import NewFolderIcon from '~icons/ic/round-create-new-folder'
import FilterIcon from '~icons/ic/round-filter-list'
import ImportIcon from '~icons/ic/round-upload-file'
import { AddressTabs } from '../../components/layout/address-tabs.tsx'
import { CardGridSkeleton } from '../../components/layout/card-grid.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { NotReadPanel } from '../../components/notices/not-read-panel.tsx'
import { Notice } from '../../components/notices/notice.tsx'
import { TableSearch } from '../../components/tables/table-toolbar.tsx'
import { flowEditor, flowsQuery } from '../../lib/account/flows.ts'
import { count } from '../../lib/format/format.ts'
import { foldersQuery } from './api.ts'
import { FilterPanel } from './filter-panel.tsx'
import { FlowDialogs, type Shown } from './flow-dialogs.tsx'
import { fileDrop } from './flow-file/file-drop.ts'
import { FlowsTab } from './flows-tab.tsx'
import { FoldersTab } from './folders-tab.tsx'
import { foundFlows, foundFolders } from './found-flows.ts'
import { flowsTab, useFlowFilters } from './use-flow-filters.ts'
import { WhoAnswersTab } from './who-answers-tab.tsx'

const Actions = ({ onShow }: { onShow: (shown: Shown) => void }) => (
  <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, '& > *': { flex: { xs: '1 0 auto', md: 'none' } } }}>
    <Button
      variant="outlined"
      color="inherit"
      startIcon={<ImportIcon />}
      onClick={() => onShow({ dialog: 'import', file: null })}
    >
      Importar
    </Button>
    <Button
      variant="outlined"
      color="inherit"
      startIcon={<NewFolderIcon />}
      onClick={() => onShow({ dialog: 'newFolder' })}
    >
      NOVA PASTA
    </Button>
    <Button variant="contained" startIcon={<AddIcon />} onClick={() => onShow({ dialog: 'newFlow' })}>
      Adicionar
    </Button>
  </Box>
)

const OpenFolder = ({ folder: { name, description } }: { folder: FlowFolder }) => (
  <Box>
    <Button component={Link} to={flowsTab('pastas')} color="inherit" startIcon={<BackIcon />} sx={{ ml: -2 }}>
      Todas as pastas
    </Button>
    <Typography variant="h2" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
      {name}
    </Typography>
    {description && <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>{description}</Typography>}
  </Box>
)

const CreatedNotice = ({ flow }: { flow: Flow }) => (
  <Notice kind="success">
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4 }}>
      <span>“{flow.name}” foi criado como rascunho: ninguém recebe nada até você publicar.</span>
      <Link to={flowEditor(flow.id)}>Abrir no editor</Link>
    </Box>
  </Notice>
)

interface ToolbarProps {
  address: ReturnType<typeof useFlowFilters>
  folders: readonly FlowFolder[]
}

/** 'Filtros' opens by itself if the address has a filter. */
const Toolbar = ({ address, folders }: ToolbarProps) => {
  const { tab, filters, isFiltered, setSearch } = address
  const [wantsFilters, setWantsFilters] = useState(isFiltered && (filters.folder === '' || filters.status !== ''))
  const panelId = useId()
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'end', gap: 3 }}>
        <Box sx={{ flex: '1 1 calc(var(--card-width) / 2)', maxWidth: { md: 'var(--form-width)' } }}>
          <TableSearch
            label="Buscar"
            placeholder={tab === 'pastas' ? 'Buscar pastas...' : 'Buscar fluxos...'}
            search={filters.search}
            onSearch={setSearch}
          />
        </Box>
        <Button
          variant="outlined"
          color={isFiltered ? 'primary' : 'inherit'}
          startIcon={<FilterIcon />}
          aria-expanded={wantsFilters}
          aria-controls={wantsFilters ? panelId : undefined}
          onClick={() => setWantsFilters(!wantsFilters)}
          sx={{ minHeight: 'var(--field-height)' }}
        >
          Filtros
        </Button>
      </Box>
      {wantsFilters && <FilterPanel id={panelId} address={address} folders={folders} />}
    </>
  )
}

interface ListsProps {
  address: ReturnType<typeof useFlowFilters>
  folders: readonly FlowFolder[]
  flows: readonly Flow[]
  folder: FlowFolder | undefined
  onShow: (shown: Shown) => void
}

const Lists = ({ address: { tab, filters, clear, tabAddress }, folders, flows, folder, onShow }: ListsProps) => {
  const foldersFound = foundFolders(folders, filters)
  const flowsFound = foundFlows(flows, filters)
  return (
    <AddressTabs
      label="Fluxos de Conversa"
      tabs={[
        { name: 'pastas', label: `Pastas (${count(foldersFound.length)})`, to: tabAddress('pastas') },
        { name: 'fluxos', label: `Fluxos (${count(flowsFound.length)})`, to: tabAddress('fluxos') },
        { name: 'quem-responde', label: 'Quem responde?', to: tabAddress('quem-responde') },
      ]}
      current={tab}
    >
      {tab === 'quem-responde' ? (
        <WhoAnswersTab flows={flows} />
      ) : tab === 'pastas' ? (
        <FoldersTab found={foldersFound} isNarrowed={folders.length > 0} onShow={onShow} />
      ) : (
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {folder && <OpenFolder folder={folder} />}
          <FlowsTab
            found={flowsFound}
            folders={folders}
            folder={folder}
            isNarrowed={flows.length > 0}
            onShow={onShow}
            onClear={clear}
          />
        </Box>
      )}
    </AddressTabs>
  )
}

export const ConversationFlowsPage = () => {
  const folders = useQuery(foldersQuery)
  const flows = useQuery(flowsQuery)
  const address = useFlowFilters()
  const [shown, setShown] = useState<Shown | null>(null)
  const [created, setCreated] = useState<Flow | null>(null)
  const navigate = useNavigate()
  const { tab, filters } = address
  const folder = tab === 'fluxos' ? folders.data?.find(({ id }) => id === filters.folder) : undefined
  const onCreated = (flow: Flow) => {
    setShown(null)
    setCreated(flow)
    navigate(flowsTab('fluxos', flow.folderId === null ? {} : { pasta: flow.folderId }))
  }
  const failed = [folders, flows].find(({ data, isError }) => data === undefined && isError)
  return (
    <Box {...fileDrop((file) => setShown({ dialog: 'import', file }))} sx={{ flex: 1 }}>
      <PageFrame wide>
        <PageHeading title="Fluxos de Conversa" action={<Actions onShow={setShown} />} />
        {tab !== 'quem-responde' && <Toolbar address={address} folders={folders.data ?? []} />}
        {created && flows.data?.some(({ id }) => id === created.id) && <CreatedNotice flow={created} />}
        {failed ? (
          <NotReadPanel
            title="Os fluxos não puderam ser lidos"
            error={failed.error}
            onRetry={() => void failed.refetch()}
          />
        ) : folders.data && flows.data ? (
          <Lists address={address} folders={folders.data} flows={flows.data} folder={folder} onShow={setShown} />
        ) : (
          <CardGridSkeleton cards={3} />
        )}
      </PageFrame>
      <FlowDialogs
        shown={shown}
        folders={folders.data ?? []}
        folderId={folder?.id ?? null}
        onCreated={onCreated}
        onClose={() => setShown(null)}
      />
    </Box>
  )
}
