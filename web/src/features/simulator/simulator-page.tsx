import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import type { SimulatedPhone } from '@prosa/contracts/http/simulator'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import GroupIcon from '~icons/ic/round-group-add'
import PhoneIcon from '~icons/ic/round-smartphone'
import SunIcon from '~icons/ic/round-wb-sunny'
import { Field } from '../../components/forms/field.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { EmptyState } from '../../components/layout/empty-state.tsx'
import { PageHeading } from '../../components/layout/page-heading.tsx'
import { NotRead } from '../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useForm } from '../../lib/forms/use-form.ts'
import { AddPhoneForm } from './add-phone-form.tsx'
import { demoQuery, phonesQuery, useCreateGroup, useFillMorning, useSimulatorChanges } from './api.ts'
import { FaultsPanel } from './faults-panel.tsx'
import { PhoneCard } from './phone-card.tsx'

type Props = { phones: readonly SimulatedPhone[]; onClose: () => void }

/** The first phone chosen creates the group. */
const NewGroupDialog = ({ phones, onClose }: Props) => {
  const form = useForm(useState<{ subject: string; memberIds: string[] }>({ subject: '', memberIds: [] }), {
    command: useCreateGroup(),
    toInput: (values) => values,
    onDone: onClose,
  })
  const { memberIds } = form.values
  const toggle = (id: string) =>
    form.set({ memberIds: memberIds.includes(id) ? memberIds.filter((each) => each !== id) : [...memberIds, id] })
  return (
    <FormDialog title="Novo grupo" form={form} submit="Criar grupo" canSubmit={memberIds.length >= 2} onClose={onClose}>
      <Field label="Nome do grupo" autoFocus autoComplete="off" {...form.bind('subject')} />
      <FormGroup role="group" aria-label="Quem participa">
        {phones.map(({ id, name }) => (
          <FormControlLabel
            key={id}
            label={name}
            control={<Checkbox checked={memberIds.includes(id)} onChange={() => toggle(id)} />}
          />
        ))}
      </FormGroup>
    </FormDialog>
  )
}

/** Adds demo data: the morning of a bakery. */
const FillMorning = () => {
  const { data: demo } = useQuery(demoQuery)
  const fill = useFillMorning()
  const running = demo?.state === 'running'
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <Button
        variant="outlined"
        startIcon={<SunIcon />}
        disabled={running || fill.isPending}
        onClick={() => fill.mutate(undefined)}
      >
        Encher com uma manhã de exemplo
      </Button>
      {running && (
        <LinearProgress
          variant="determinate"
          value={demo.total ? (100 * demo.done) / demo.total : 0}
          aria-label="Manhã de exemplo"
          sx={{ width: '100%', borderRadius: 'var(--radius-control)' }}
        />
      )}
      <Typography
        role="status"
        variant="caption"
        sx={{ color: demo?.state === 'failed' ? 'danger' : 'text.secondary' }}
      >
        {demo?.sentence}
      </Typography>
    </Box>
  )
}

const NewGroup = ({ phones }: { phones: readonly SimulatedPhone[] }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" startIcon={<GroupIcon />} onClick={() => setOpen(true)}>
        Novo grupo
      </Button>
      {open && <NewGroupDialog phones={phones} onClose={() => setOpen(false)} />}
    </>
  )
}

const maxShown = 4

/** Phones with linked devices first, then the latest. */
const inOrder = (phones: readonly SimulatedPhone[]) => {
  const isLinked = ({ linkedDevices }: SimulatedPhone) => linkedDevices.length > 0
  return [...phones.filter(isLinked), ...phones.filter((phone) => !isLinked(phone)).toReversed()]
}

const unreadOf = ({ chats }: SimulatedPhone) => chats.reduce((sum, { unread }) => sum + unread, 0)

type ChoiceProps = { phones: readonly SimulatedPhone[]; shown: readonly string[]; onToggle: (id: string) => void }

const PhoneChoice = ({ phones, shown, onToggle }: ChoiceProps) => (
  <Box role="group" aria-label="Telefones à vista" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
    {phones.map((phone) => (
      <Badge key={phone.id} badgeContent={unreadOf(phone)} color="primary">
        <Button
          size="small"
          color={shown.includes(phone.id) ? 'primary' : 'inherit'}
          variant={shown.includes(phone.id) ? 'contained' : 'outlined'}
          aria-pressed={shown.includes(phone.id)}
          onClick={() => onToggle(phone.id)}
        >
          {phone.name}
        </Button>
      </Badge>
    ))}
  </Box>
)

/** New phones are shown while fewer than `maxShown` are; the user's choice persists. */
const useShownPhones = (phones: readonly SimulatedPhone[]) => {
  const [known, setKnown] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState<readonly string[]>([])
  const ids = inOrder(phones).map(({ id }) => id)
  const shown = chosen.filter((id) => ids.includes(id))
  const added = ids.filter((id) => !known.includes(id))
  if (added.length > 0) {
    setKnown(ids)
    setChosen([...shown, ...added.slice(0, Math.max(0, maxShown - shown.length))])
  }
  const toggle = (id: string) => setChosen(shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id])
  return { shown, toggle }
}

const Phones = () => {
  const { data: phones, error, isPending, refetch } = useQuery(phonesQuery)
  const { shown, toggle } = useShownPhones(phones ?? [])
  if (isPending) return <Spinner />
  if (!phones)
    return <NotRead title="Os telefones simulados não responderam" error={error} onRetry={() => void refetch()} />
  if (phones.length === 0)
    return (
      <EmptyState
        icon={<PhoneIcon />}
        title="Nenhum telefone ainda"
        sentence="Adicione dois: o do seu negócio, que lê o QR Code da conexão, e o de um cliente, que escreve para ele."
      />
    )
  return (
    <>
      {phones.length > 1 && (
        <Box>
          <NewGroup phones={phones} />
        </Box>
      )}
      {(phones.length > maxShown || shown.length < phones.length) && (
        <PhoneChoice phones={phones} shown={shown} onToggle={toggle} />
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: { xs: 'center', md: 'flex-start' }, gap: 6 }}>
        {inOrder(phones)
          .filter(({ id }) => shown.includes(id))
          .map((phone) => (
            <PhoneCard key={phone.id} phone={phone} others={phones.filter(({ id }) => id !== phone.id)} />
          ))}
      </Box>
      <FaultsPanel phones={phones} />
    </>
  )
}

/** Development only: simulated phones that connect to Prosa on this machine. */
export const SimulatorPage = () => {
  useSimulatorChanges()
  return (
    <Box sx={{ p: { xs: 4, md: 8 }, display: 'grid', gap: 6, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <PageHeading
        title="Telefones simulados"
        sentence="Para experimentar sem um celular. Só existem neste computador e não falam com o WhatsApp de verdade."
      />
      <AddPhoneForm />
      <FillMorning />
      <Phones />
    </Box>
  )
}
