import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import Link from '@mui/material/Link'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import type { Company } from '@prosa/contracts/http/accounts/company'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { Panel } from '../../../components/layout/panel.tsx'
import { useChooseForCompany } from '../../../lib/account/company.ts'
import { settingsSection } from '../../../lib/paths.ts'
import { openingHoursQuery, useSetOutOfHoursReply } from '../opening-hours/api.ts'

interface ChoiceProps {
  label: string
  help: ReactNode
  checked: boolean
  disabled: boolean
  onChange: (checked: boolean) => void
}

const Choice = ({ label, help, checked, disabled, onChange }: ChoiceProps) => (
  <Box>
    <FormControlLabel
      control={<Switch checked={checked} disabled={disabled} onChange={(_event, on) => onChange(on)} />}
      label={label}
      sx={{ minHeight: 'var(--target)' }}
    />
    <Typography sx={{ color: 'text.secondary' }}>{help}</Typography>
  </Box>
)

/** Browsers ask for this permission only after a press. */
const askPermission = async () => {
  if (typeof Notification !== 'undefined' && Notification.permission === 'default')
    await Notification.requestPermission()
}

export const CompanyChoices = ({ company }: { company: Company }) => {
  const { data: hours } = useQuery(openingHoursQuery)
  const turn = useSetOutOfHoursReply()
  const choose = useChooseForCompany()
  const chosen = { ...company, ...(choose.isPending && choose.variables) }
  const isReplyOn = turn.isPending ? turn.variables.isOn : hours?.reply.isOn
  const toHours = (
    <Link component={RouterLink} to={settingsSection('horarios')} underline="always">
      Horários
    </Link>
  )
  return (
    <Panel>
      <Box component="section" aria-label="Preferências" sx={{ display: 'grid', gap: 4, p: 4 }}>
        <Typography variant="h3">Preferências</Typography>
        <Choice
          label="Respostas automáticas fora do horário"
          help={
            hours?.isSet === false ? (
              <>Defina antes quando você atende, em {toHours}.</>
            ) : (
              <>O texto e os horários ficam em {toHours}.</>
            )
          }
          checked={isReplyOn ?? false}
          disabled={!hours?.isSet || turn.isPending}
          onChange={(isOn) => turn.mutate({ isOn })}
        />
        <Choice
          label="Notificações"
          help="Os navegadores da sua conta avisam quando chega uma mensagem, com o nome de quem escreveu. Cada navegador pede permissão, e pode escolher diferente no sino do Bate Papo ao vivo."
          checked={chosen.notifications}
          disabled={choose.isPending}
          onChange={(notifications) => {
            choose.mutate({ notifications })
            if (notifications) void askPermission()
          }}
        />
        <Choice
          label="Estatísticas"
          help="Mostra no Dashboard as estatísticas por período."
          checked={chosen.analytics}
          disabled={choose.isPending}
          onChange={(analytics) => choose.mutate({ analytics })}
        />
      </Box>
    </Panel>
  )
}
