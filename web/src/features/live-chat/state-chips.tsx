import Box from '@mui/material/Box'
import type { Contact } from '@prosa/contracts/http/live-chat'
import type { ReactNode } from 'react'
import PersonIcon from '~icons/ic/round-person'
import RobotIcon from '~icons/ic/round-smart-toy'

interface Props {
  icon: ReactNode
  colour: string
  background: string
  children: string
}

const StateChip = ({ icon, colour, background, children }: Props) => (
  <Box
    component="span"
    sx={{
      flexShrink: 0,
      display: 'inline-flex',
      alignItems: 'center',
      gap: 1,
      px: 1.5,
      typography: 'caption',
      fontWeight: 500,
      whiteSpace: 'nowrap',
      borderRadius: 'var(--radius-control)',
      bgcolor: background,
      color: colour,
      '& svg': { width: 14, height: 14 },
    }}
  >
    {icon}
    {children}
  </Box>
)

/** Flows are paused for this contact. */
export const RobotChip = () => (
  <StateChip icon={<RobotIcon aria-hidden="true" />} colour="warn" background="warnSoft">
    Possível robô
  </StateChip>
)

/** A flow transferred it. */
export const AskedChip = () => (
  <StateChip icon={<PersonIcon aria-hidden="true" />} colour="accent" background="accentSoft">
    Pediu uma pessoa
  </StateChip>
)

/** Lasting ones end by the browser's clock. */
export const pausesBot = ({ botPause }: Pick<Contact, 'botPause'>, nowMs: number): boolean =>
  botPause !== null && (botPause.until === null || Date.parse(botPause.until) > nowMs)

/** No flow starts with it. */
export const PausedChip = () => (
  <StateChip icon={<RobotIcon aria-hidden="true" />} colour="text.secondary" background="sunken">
    Robô pausado
  </StateChip>
)

/** A flow runs with it. */
export const BotChip = () => (
  <StateChip icon={<RobotIcon aria-hidden="true" />} colour="text.secondary" background="sunken">
    Com o robô
  </StateChip>
)
