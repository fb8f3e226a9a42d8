import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Typography from '@mui/material/Typography'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import PauseIcon from '~icons/ic/round-pause'
import PlayIcon from '~icons/ic/round-play-arrow'
import FlowIcon from '~icons/ic/round-schema'
import { WhyButton } from '../../../components/why/why-button.tsx'
import { flowsQuery } from '../../../lib/account/flows.ts'
import { dayAndTime } from '../../../lib/format/format.ts'
import { pausesBot } from '../state-chips.tsx'
import { useNow } from '../use-now.ts'
import { usePauseBot, useResumeBot, useStartFlow } from './api.ts'

const durations = [
  { hours: 1, label: 'Por 1 hora' },
  { hours: 4, label: 'Por 4 horas' },
  { hours: 24, label: 'Por 24 horas' },
  { hours: 7 * 24, label: 'Por 7 dias' },
  { hours: null, label: 'Até alguém retomar' },
] as const

interface MenuButtonProps {
  label: string
  icon: ReactNode
  disabled: boolean
  children: (close: () => void) => ReactNode
}

const MenuButton = ({ label, icon, disabled, children }: MenuButtonProps) => {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const close = () => setAnchor(null)
  return (
    <>
      <Button
        variant="outlined"
        startIcon={icon}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        disabled={disabled}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        {label}
      </Button>
      {anchor && (
        <Menu open anchorEl={anchor} onClose={close} slotProps={{ list: { 'aria-label': label } }}>
          {children(close)}
        </Menu>
      )}
    </>
  )
}

const Flows = ({ onStart }: { onStart: (flowId: string) => void }) => {
  const { data, isError } = useQuery(flowsQuery)
  const published = data?.filter(({ status }) => status === 'active') ?? []
  if (isError) return <MenuItem disabled>Os fluxos não puderam ser lidos</MenuItem>
  if (!data) return <MenuItem disabled>Carregando…</MenuItem>
  if (published.length === 0) return <MenuItem disabled>Nenhum fluxo publicado e ativo</MenuItem>
  return published.map(({ id, name }) => (
    <MenuItem key={id} onClick={() => onStart(id)} sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
      {name}
    </MenuItem>
  ))
}

const stateOf = ({ botPause, botSince, serviceStatus }: Contact, isPaused: boolean, now: number): string => {
  if (isPaused)
    return `Pausado ${botPause?.until ? `até ${dayAndTime(botPause.until, now)}` : 'até alguém retomar'}: o que este contato escreve não começa nenhum fluxo.`
  if (botSince && serviceStatus !== 'attending')
    return `Um fluxo fala com este contato desde ${dayAndTime(botSince, now)}.`
  return 'Nenhum fluxo fala com este contato agora.'
}

/** Pausing and starting flows with one contact. */
export const BotSection = ({ contact }: { contact: Contact }) => {
  const now = useNow(20_000)
  const isPaused = pausesBot(contact, now)
  const [pause, resume, start] = [usePauseBot(contact.id), useResumeBot(contact.id), useStartFlow(contact.id)]
  const isPending = pause.isPending || resume.isPending || start.isPending
  return (
    <Box component="section" sx={{ mb: 4 }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        Robô
      </Typography>
      <Typography role="status" sx={{ mb: 2, color: 'text.secondary' }}>
        {stateOf(contact, isPaused, now)}{' '}
        {contact.botPause && <WhyButton of={{ kind: 'contact', id: contact.id, field: 'bot' }} what="Robô" />}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {isPaused ? (
          <Button variant="outlined" startIcon={<PlayIcon />} disabled={isPending} onClick={() => resume.mutate()}>
            Retomar robô
          </Button>
        ) : (
          <MenuButton label="Pausar robô" icon={<PauseIcon />} disabled={isPending}>
            {(close) => [
              <Typography key="what" variant="caption" component="li" sx={{ px: 4, pb: 2, maxWidth: 280 }}>
                O fluxo em andamento para agora, e nenhum começa enquanto durar a pausa.
              </Typography>,
              ...durations.map(({ hours, label }) => (
                <MenuItem
                  key={label}
                  onClick={() => {
                    close()
                    pause.mutate(hours)
                  }}
                >
                  {label}
                </MenuItem>
              )),
            ]}
          </MenuButton>
        )}
        <MenuButton label="Começar fluxo" icon={<FlowIcon />} disabled={isPending}>
          {(close) => (
            <Flows
              onStart={(flowId) => {
                close()
                start.mutate(flowId)
              }}
            />
          )}
        </MenuButton>
      </Box>
    </Box>
  )
}
