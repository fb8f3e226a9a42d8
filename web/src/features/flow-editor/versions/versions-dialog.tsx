import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import type { FlowDocument } from '@prosa/contracts/flows/flow-document'
import type { FlowDetail, FlowVersion } from '@prosa/contracts/http/flows'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import HistoryIcon from '~icons/ic/round-history'
import { ConfirmDialog } from '../../../components/forms/confirm-dialog.tsx'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotReadPanel } from '../../../components/notices/not-read-panel.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { refusalOr } from '../../../lib/http/http.ts'
import { useToast } from '../../../lib/toast.ts'
import { PartDialog } from '../part-dialog.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import { flowVersionsQuery, useRestoreVersion } from './api.ts'
import { type Compared, VersionComparison } from './version-comparison.tsx'
import { VersionList } from './version-list.tsx'

interface Props {
  flowId: string
  document: FlowDocument
  /** Revision of the last save. */
  revision: number
  onRestored: (flow: FlowDetail) => void
  onClose: () => void
}

const Versions = (props: Props & { versions: readonly [FlowVersion, ...FlowVersion[]] }) => {
  const { flowId, document, revision, versions, onRestored, onClose } = props
  const [sides, setSides] = useState<{ before: Compared; after: Compared }>({
    before: versions[0].version,
    after: 'draft',
  })
  const [asked, setAsked] = useState<number | null>(null)
  const comparison = useRef<HTMLElement>(null)
  const isPhone = useIsPhone()
  const restore = useRestoreVersion(flowId)
  const toast = useToast()
  const confirm = (version: number) =>
    restore.mutate(
      { version, basedOn: revision },
      {
        onSuccess: (flow) => {
          toast({ title: 'Sucesso', description: `O rascunho voltou a ser o da versão ${version}.`, kind: 'success' })
          onRestored(flow)
          onClose()
        },
        onSettled: () => setAsked(null),
      },
    )
  return (
    <>
      {restore.error && (
        <Box sx={{ mb: 4 }}>
          <Notice kind="error">
            O rascunho continua como estava. {refusalOr(restore.error, 'Tente de novo em instantes.')}
          </Notice>
        </Box>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 6,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 2fr)' },
        }}
      >
        <Panel>
          <VersionList
            flowId={flowId}
            versions={versions}
            chosen={sides.before === 'draft' ? 0 : sides.before}
            onCompare={(before) => {
              setSides({ before, after: 'draft' })
              // On phones it is below the list, out of view.
              if (isPhone) comparison.current?.focus()
            }}
            onRestore={setAsked}
          />
        </Panel>
        <VersionComparison
          ref={comparison}
          flowId={flowId}
          draft={document}
          versions={versions}
          {...sides}
          onChange={setSides}
        />
      </Box>
      {asked !== null && (
        <ConfirmDialog
          open
          title={`Restaurar a versão ${asked}`}
          sentence={`O rascunho passa a ser como a versão ${asked}, e o que há nele agora se perde. O que está publicado continua valendo até você publicar de novo.`}
          confirm="Restaurar"
          pending={restore.isPending}
          onConfirm={() => confirm(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  )
}

const Content = (props: Props) => {
  const { data, error, isPending, refetch } = useQuery(flowVersionsQuery(props.flowId))
  const [latest, ...earlier] = data ?? []
  if (isPending) return <Spinner />
  if (!data)
    return <NotReadPanel title="As versões não puderam ser lidas" error={error} onRetry={() => void refetch()} />
  if (!latest)
    return (
      <EmptyState
        icon={<HistoryIcon />}
        title="Nenhuma versão ainda"
        sentence="Cada vez que você publica, o fluxo fica guardado aqui como versão, para comparar e voltar atrás."
      />
    )
  return <Versions {...props} versions={[latest, ...earlier]} />
}

export const VersionsDialog = (props: Props) => (
  <PartDialog title="Versões" fullWidth maxWidth="lg" onClose={props.onClose}>
    <DialogContent>
      <Content {...props} />
    </DialogContent>
  </PartDialog>
)
