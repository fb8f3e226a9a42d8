import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import AddIcon from '~icons/ic/round-add'
import QrIcon from '~icons/ic/round-qr-code-2'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { NotRead } from '../../../components/notices/not-read-panel.tsx'
import { SettingsBlock } from '../settings-block.tsx'
import { useConnections } from './api.ts'
import { ConnectionDialog } from './connection-dialog.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { SimulatorLink } from './simulator-link.tsx'

const Rows = ({ onAdd, onShowQr }: { onAdd: () => void; onShowQr: (id: string) => void }) => {
  const { data, error, isPending, refetch } = useConnections()
  if (isPending)
    return (
      <Box role="status" aria-label="Carregando..." sx={{ p: 4 }}>
        <Skeleton variant="text" width="40%" sx={{ typography: 'subtitle1' }} />
        <Skeleton variant="text" width="60%" />
      </Box>
    )
  if (!data) return <NotRead title="As conexões não puderam ser lidas" error={error} onRetry={() => void refetch()} />
  if (data.length === 0)
    return (
      <EmptyState
        icon={<QrIcon />}
        title="Nenhuma conexão ainda"
        sentence="Adicione uma conexão e leia o QR Code com o celular do seu negócio. As conversas aparecem em seguida no Bate Papo ao vivo."
        action={
          <Box sx={{ display: 'grid', gap: 4, justifyItems: 'center' }}>
            <Button variant="contained" startIcon={<AddIcon />} onClick={onAdd}>
              Adicionar Conexão
            </Button>
            <SimulatorLink />
          </Box>
        }
      />
    )
  return (
    <Box component="ul" sx={{ m: 0, p: 0, px: 4, listStyle: 'none' }}>
      {data.map((connection) => (
        <ConnectionRow key={connection.id} connection={connection} onShowQr={() => onShowQr(connection.id)} />
      ))}
    </Box>
  )
}

type Shown = { connectionId?: string } | null

export const ConnectionsSection = () => {
  const [shown, setShown] = useState<Shown>(null)
  const { data } = useConnections()
  return (
    <SettingsBlock
      title="Conexões"
      action={
        data &&
        data.length > 0 && (
          <Button variant="contained" startIcon={<AddIcon />} onClick={() => setShown({})}>
            Adicionar Conexão
          </Button>
        )
      }
    >
      <Panel>
        <Rows onAdd={() => setShown({})} onShowQr={(connectionId) => setShown({ connectionId })} />
      </Panel>
      {shown && <ConnectionDialog connectionId={shown.connectionId} onClose={() => setShown(null)} />}
    </SettingsBlock>
  )
}
