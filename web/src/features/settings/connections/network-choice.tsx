import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import type { Network } from './api.ts'

const labels: Record<Network, string> = { whatsapp: 'WhatsApp', simulator: 'Simulador' }

type Props = { networks: readonly Network[]; chosen: Network | undefined; onChoose: (network: Network) => void }

/** Development only: a real or a simulated phone. */
export const NetworkChoice = ({ networks, chosen, onChoose }: Props) =>
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
