import PhoneIcon from '@mui/icons-material/SmartphoneRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { sentenceOf } from '../../lib/http.ts'
import { AddPhoneForm } from './add-phone-form.tsx'
import { phonesQuery, useSimulatorChanges } from './api.ts'
import { PhoneCard } from './phone-card.tsx'

const Phones = () => {
  const { data: phones, error, isPending, refetch } = useQuery(phonesQuery)
  if (isPending) return <Spinner />
  if (!phones)
    return (
      <EmptyState
        title="Os telefones simulados não responderam"
        sentence={sentenceOf(error, 'Tente de novo em instantes.')}
        action={
          <Button variant="outlined" onClick={() => void refetch()}>
            Tentar de novo
          </Button>
        }
      />
    )
  if (phones.length === 0)
    return (
      <EmptyState
        icon={<PhoneIcon />}
        title="Nenhum telefone ainda"
        sentence="Adicione dois: o do seu negócio, que lê o QR Code da conexão, e o de um cliente, que escreve para ele."
      />
    )
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: { xs: 'center', md: 'flex-start' }, gap: 6 }}>
      {phones.map((phone) => (
        <PhoneCard key={phone.id} phone={phone} others={phones.filter(({ id }) => id !== phone.id)} />
      ))}
    </Box>
  )
}

/** Development only: phones that speak WhatsApp with Prosa on this machine and nowhere else. */
export const SimulatorPage = () => {
  useSimulatorChanges()
  return (
    <Box sx={{ p: { xs: 4, md: 8 }, display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <PageHeading
        title="Telefones simulados"
        sentence="Para experimentar sem um celular. Só existem neste computador e não falam com o WhatsApp de verdade."
      />
      <AddPhoneForm />
      <Phones />
    </Box>
  )
}
