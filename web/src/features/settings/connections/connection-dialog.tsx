import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { useId, useState } from 'react'
import { CloseActions } from '../../../components/forms/close-actions.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import {
  type Network,
  useAddConnection,
  useConnections,
  useDisconnect,
  useNetworks,
  useRefreshConnection,
} from './api.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionStatusLine } from './connection-status.tsx'
import { isOpening } from './connection-words.ts'
import { PairingStep } from './pairing-step.tsx'
import { QrStep } from './qr-step.tsx'
import { SuccessStep } from './success-step.tsx'

const labels: Record<Network, string> = { whatsapp: 'WhatsApp', simulator: 'Simulador' }

type NetworkChoiceProps = {
  networks: readonly Network[]
  chosen: Network | undefined
  onChoose: (network: Network) => void
}

/** Development only: a real or a simulated phone. */
const NetworkChoice = ({ networks, chosen, onChoose }: NetworkChoiceProps) =>
  (import.meta.env.DEV || import.meta.env.MODE === 'simulator') &&
  networks.length > 1 && (
    <RadioGroup
      row
      aria-label="Rede"
      value={chosen ?? ''}
      onChange={(_event, value) => {
        const network = networks.find((one) => one === value)
        if (network) onChoose(network)
      }}
    >
      {networks.map((network) => (
        <FormControlLabel key={network} value={network} label={labels[network]} control={<Radio />} />
      ))}
    </RadioGroup>
  )

type OpeningStepProps = { connection: Connection; onClose: () => void }

/** Between steps two and three: the phone is done, the line is connecting. */
const OpeningStep = ({ connection, onClose }: OpeningStepProps) => (
  <>
    <DialogContent sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 1 }}>
      <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere', textAlign: 'center' }}>
        {connection.name}
      </Typography>
      <ConnectionStatusLine status={connection.status} />
      <Spinner label="Aguarde um instante..." />
    </DialogContent>
    <CloseActions onClose={onClose} />
  </>
)

/** The connection was deleted elsewhere. */
const GoneStep = ({ onClose }: { onClose: () => void }) => (
  <>
    <DialogContent>
      <Typography role="status">Esta conexão foi excluída.</Typography>
    </DialogContent>
    <CloseActions onClose={onClose} />
  </>
)

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
