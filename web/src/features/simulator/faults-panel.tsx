import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import type { OrderFault, SimulatedPhone, SimulatorFaults } from '@prosa/contracts/http/simulator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { plural } from '../../lib/format/format.ts'
import { faultsQuery, useClearFaults, useOrderFault } from './api.ts'

type Fault = { label: string; order: (phoneId: string) => OrderFault }

const networkFaults: Fault[] = [
  { label: 'Perder a próxima mensagem do Prosa', order: () => ({ name: 'lose-messages' }) },
  { label: 'Perder a próxima confirmação do Prosa', order: () => ({ name: 'lose-receipts' }) },
  {
    label: 'Recusar a próxima mensagem (463, conta restrita)',
    order: () => ({ name: 'refuse-messages', code: '463' }),
  },
  { label: 'Recusar a próxima entrada (403, número banido)', order: () => ({ name: 'refuse-logins', code: '403' }) },
  { label: 'Recusar a próxima entrada (405, versão antiga)', order: () => ({ name: 'refuse-logins', code: '405' }) },
  {
    label: 'Recusar a próxima entrada (440, assumida por outro)',
    order: () => ({ name: 'refuse-logins', code: '440' }),
  },
  { label: 'Recusar a próxima entrada (503, fora do ar)', order: () => ({ name: 'refuse-logins', code: '503' }) },
  { label: 'Atrasar tudo em 2 segundos', order: () => ({ name: 'delay', ms: 2000 }) },
  { label: 'Reiniciar o servidor', order: () => ({ name: 'restart' }) },
  { label: 'Reiniciar o servidor, 10 segundos fora', order: () => ({ name: 'restart', awayMs: 10_000 }) },
]

const lineFaults: Fault[] = [
  { label: 'Derrubar a linha', order: (phoneId) => ({ name: 'drop-line', phoneId }) },
  { label: 'Deixar a linha muda', order: (phoneId) => ({ name: 'half-open', phoneId }) },
  { label: 'Entregar de novo a última mensagem', order: (phoneId) => ({ name: 'redeliver', phoneId }) },
]

const ordered = (faults: SimulatorFaults): string[] => [
  ...(faults.loseMessages ? [`perder ${plural(faults.loseMessages, 'mensagem', 'mensagens')}`] : []),
  ...(faults.loseReceipts ? [`perder ${plural(faults.loseReceipts, 'confirmação', 'confirmações')}`] : []),
  ...faults.refuseMessages.map((code) => `recusar uma mensagem com ${code}`),
  ...faults.refuseLogins.map((code) => `recusar uma entrada com ${code}`),
  ...(faults.delayMs ? [`atraso de ${faults.delayMs} ms`] : []),
]

export const FaultsPanel = ({ phones }: { phones: readonly SimulatedPhone[] }) => {
  const { data: faults } = useQuery(faultsQuery)
  const order = useOrderFault()
  const clear = useClearFaults()
  const linked = phones.filter(({ linkedDevices }) => linkedDevices.length > 0)
  const [chosen, setChosen] = useState('')
  const phoneId = linked.some(({ id }) => id === chosen) ? chosen : (linked[0]?.id ?? '')
  const waiting = faults ? ordered(faults) : []
  const button = ({ label, order: make }: Fault) => (
    <Button
      key={label}
      variant="outlined"
      color="inherit"
      disabled={order.isPending}
      onClick={() => order.mutate(make(phoneId))}
    >
      {label}
    </Button>
  )
  return (
    <Box
      component="details"
      sx={{ border: '1px solid', borderColor: 'divider', borderRadius: 'var(--radius-panel)', px: 4, py: 1 }}
    >
      <Typography
        component="summary"
        variant="subtitle2"
        sx={{ cursor: 'pointer', py: 'calc((var(--target) - 1lh) / 2)' }}
      >
        Provocar falhas{waiting.length > 0 && ` · ${plural(waiting.length, 'à espera', 'à espera')}`}
      </Typography>
      <Box sx={{ display: 'grid', gap: 4, py: 2 }}>
        {waiting.length > 0 && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
            <Typography>Falta acontecer: {waiting.join(', ')}.</Typography>
            <Button onClick={() => clear.mutate(undefined)}>Desfazer</Button>
          </Box>
        )}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>{networkFaults.map(button)}</Box>
        {linked.length > 0 && (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
            <TextField
              select
              size="small"
              label="Linha"
              value={phoneId}
              onChange={(event) => setChosen(event.target.value)}
            >
              {linked.map(({ id, name }) => (
                <MenuItem key={id} value={id}>
                  {name}
                </MenuItem>
              ))}
            </TextField>
            {lineFaults.map(button)}
          </Box>
        )}
      </Box>
    </Box>
  )
}
