import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import type { Contact } from '@prosa/contracts/http/live-chat'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { StatusDot } from '../../../components/status-dot.tsx'
import { connectionsQuery, isConnected, nameAndNumber, numbersOf } from '../../../lib/account/connections.ts'
import { contactName } from '../contact-name.ts'
import { useChooseLine } from './api.ts'

const stateOf = (connection: Connection): string => (isConnected(connection) ? 'conectado' : 'desconectado')

const note = ({ name }: Connection): string =>
  `Esta pessoa vai ver outro número: no WhatsApp dela, o que sair por ${name} aparece em outra conversa. O que já espera por um número continua esperando por ele. Quando ela escrever de novo, as respostas saem pelo número em que ela escreveu.`

interface NumbersProps {
  numbers: readonly Connection[]
  currentId: string | null
  chosenId: string | null
  onChoose: (connectionId: string) => void
}

const Numbers = ({ numbers, currentId, chosenId, onChoose }: NumbersProps) => (
  <RadioGroup aria-label="Número" value={chosenId ?? ''} onChange={(_event, id) => onChoose(id)}>
    {numbers.map((connection) => (
      <FormControlLabel
        key={connection.id}
        value={connection.id}
        control={<Radio autoFocus={connection.id === chosenId} />}
        sx={{ gap: 2, py: 1, mr: 0, '& .MuiFormControlLabel-label': { minWidth: 0 } }}
        label={
          <>
            <Typography noWrap component="span" title={nameAndNumber(connection)} sx={{ display: 'block' }}>
              {nameAndNumber(connection)}
            </Typography>
            <Typography
              component="span"
              variant="caption"
              sx={{ display: 'flex', alignItems: 'center', gap: 1.5, color: 'text.secondary' }}
            >
              <StatusDot tone={isConnected(connection) ? 'good' : 'bad'} />
              {`${stateOf(connection)}${connection.id === currentId ? ', número desta conversa' : ''}`}
            </Typography>
          </>
        }
      />
    ))}
  </RadioGroup>
)

interface Props {
  contact: Contact
  onClose: () => void
  onFocusLost: () => void
}

/** Until the person writes to another number. */
export const LineDialog = ({ contact, onClose, onFocusLost }: Props) => {
  const titleId = useId()
  const { data: connections = [] } = useQuery(connectionsQuery)
  const numbers = numbersOf(connections)
  const current = contact.connectionId
  const [chosenId, choose] = useState(
    () => numbers.find((one) => one.id !== current && isConnected(one))?.id ?? current,
  )
  const chosen = numbers.find(({ id }) => id === chosenId)
  const isOther = chosen !== undefined && chosen.id !== current

  const [opener] = useState(() => document.activeElement)
  const restoreFocus = useRef(() => {
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
    else onFocusLost()
  })
  useEffect(() => {
    const restore = restoreFocus.current
    return () => void setTimeout(restore)
  }, [])

  const { mutate, isPending } = useChooseLine(contact.id, onClose)
  const submit = () => {
    if (chosen && isOther && !isPending) mutate(chosen.id)
  }
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="xs" disableRestoreFocus aria-labelledby={titleId}>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        sx={{ display: 'contents' }}
      >
        <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
          {`Responder a ${contactName(contact)} por qual número?`}
        </DialogTitle>
        <DialogContent>
          <Numbers numbers={numbers} currentId={current} chosenId={chosenId} onChoose={choose} />
          <Typography role="status" sx={{ mt: 3, minHeight: '5lh', color: 'text.secondary', textWrap: 'pretty' }}>
            {isOther && note(chosen)}
          </Typography>
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" variant="contained" disabled={!isOther || isPending}>
            Usar este número
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  )
}
