import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { WhyField, WhyKind } from '@prosa/contracts/http/history'
import { panelStyle } from '../../../components/layout/panel.tsx'
import { WhyButton } from '../../../components/why/why-button.tsx'
import type { WhyTarget } from '../../../components/why/why-target.ts'

/** A label or a tick is one of many. */
type OfMany = 'label' | 'tick'

const valueNames: { [K in WhyKind]: Record<Exclude<WhyField<K>, OfMany>, string> } = {
  user: {
    access: 'Acesso até',
    status: 'Status da assinatura',
    name: 'Nome',
    email: 'E-mail',
    emailConfirmed: 'E-mail confirmado',
    role: 'Papéis',
  },
  order: { status: 'Status', amount: 'Valor', buyer: 'Comprador', plan: 'Plano' },
  plan: { name: 'Nome', price: 'Preço', accessDays: 'Dias de acesso', isOffered: 'Oferecido' },
  connection: { status: 'Situação', name: 'Nome', number: 'Número' },
  contact: {
    status: 'Situação',
    attendant: 'Quem atende',
    name: 'Nome',
    phone: 'Telefone',
    robot: 'Possível robô',
    bot: 'Robô',
  },
  flow: { status: 'Status', name: 'Nome', version: 'Versão publicada', numbers: 'Números' },
}

type Props = {
  of: { kind: string; id: string }
}

/** Asks for the values of a record that no list of the panel shows, as a connection's, too. */
export const RecordWhy = ({ of: { kind, id } }: Props) => {
  if (!Object.hasOwn(valueNames, kind)) return null
  const names = valueNames[kind as WhyKind]
  return (
    <Box
      component="section"
      aria-label="Por que está assim"
      sx={{ ...panelStyle, display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, px: 4, py: 2 }}
    >
      <Typography sx={{ color: 'text.secondary' }}>Por que está assim?</Typography>
      {Object.entries(names).map(([field, name]) => (
        <WhyButton key={field} asAdmin of={{ kind, id, field } as WhyTarget} what={name}>
          {name}
        </WhyButton>
      ))}
    </Box>
  )
}
