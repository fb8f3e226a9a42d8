import Dialog from '@mui/material/Dialog'
import DialogTitle from '@mui/material/DialogTitle'
import type { Connection } from '@prosa/contracts/http/connections'
import { useId, useState } from 'react'
import { useForm } from '../../../lib/use-form.ts'
import {
  type Network,
  useAddConnection,
  useConnections,
  useDisconnect,
  useNetworks,
  useRefreshConnection,
} from './api.ts'
import { ConnectionForm } from './connection-form.tsx'
import { isOpening } from './connection-words.ts'
import { GoneStep } from './gone-step.tsx'
import { NetworkChoice } from './network-choice.tsx'
import { OpeningStep } from './opening-step.tsx'
import { PairingStep } from './pairing-step.tsx'
import { QrStep } from './qr-step.tsx'
import { SuccessStep } from './success-step.tsx'

const stepOf = (connection: Connection | null, isForm: boolean, isGone: boolean) => {
  if (isForm) return 'form'
  if (isGone) return 'gone'
  if (connection?.status === 'connected') return 'success'
  return connection && isOpening(connection) ? 'opening' : 'qr'
}

type Props = {
  connectionId?: string | undefined
  onClose: () => void
}

/** Name, then QR or pairing code, then success (specification, 2 and 4). */
export const ConnectionDialog = ({ connectionId, onClose }: Props) => {
  const [id, setId] = useState(connectionId ?? null)
  const [chosenNetwork, setChosenNetwork] = useState<Network>()
  const [byCode, setByCode] = useState(false)
  const titleId = useId()
  const networks = useNetworks()
  // Without a choice the server decides.
  const network = networks.length > 1 ? (chosenNetwork ?? networks[0]) : undefined
  const { data: connections } = useConnections()
  const connection = connections?.find((known) => known.id === id) ?? null
  const add = useAddConnection()
  const refresh = useRefreshConnection()
  const disconnect = useDisconnect('Sessão')

  const form = useForm(useState({ name: '' }), {
    command: add,
    toInput: ({ name }) => ({ name: name.trim(), network }),
    onDone: ({ id }) => setId(id),
  })
  const unlink = () => {
    if (id) disconnect.mutate(id, { onSuccess: () => setId(null) })
    setByCode(false)
  }
  const renew = () => {
    if (id) refresh.mutate(id)
  }

  const isGone = id !== null && connections !== undefined && !connection
  const step = stepOf(connection, id === null && !add.isPending, isGone)
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{step === 'form' ? 'Adicionar Conexão' : 'Conectar WhatsApp'}</DialogTitle>
      {step === 'form' && (
        <ConnectionForm
          form={form}
          beyondPlan={form.problem?.status === 402 ? form.problem.title : undefined}
          choice={<NetworkChoice networks={networks} chosen={network} onChoose={setChosenNetwork} />}
          onCancel={onClose}
        />
      )}
      {step === 'qr' && byCode && connection && (
        <PairingStep
          connection={connection}
          refreshing={refresh.isPending}
          onRefresh={renew}
          onQr={() => setByCode(false)}
          onClose={onClose}
        />
      )}
      {step === 'qr' && !(byCode && connection) && (
        <QrStep
          name={connection?.name ?? form.values.name.trim()}
          connection={connection}
          refreshing={refresh.isPending}
          disconnecting={disconnect.isPending}
          onRefresh={renew}
          onDisconnect={unlink}
          onPairing={() => setByCode(true)}
          onClose={onClose}
        />
      )}
      {step === 'gone' && <GoneStep onClose={onClose} />}
      {step === 'opening' && connection && <OpeningStep connection={connection} onClose={onClose} />}
      {step === 'success' && connection && (
        <SuccessStep
          connection={connection}
          disconnecting={disconnect.isPending}
          onDisconnect={unlink}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
