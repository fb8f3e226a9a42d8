import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Typography from '@mui/material/Typography'
import type { Connection } from '@prosa/contracts/http/connections'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Field } from '../../../components/forms/field.tsx'
import { FormSummary } from '../../../components/forms/form-summary.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { isPhoneComplete, maskPhone, phoneDigits } from '../../../lib/format/phone-mask.ts'
import { useForm } from '../../../lib/forms/use-form.ts'
import { useAskPairingCode } from './api.ts'
import { connectionSentence, needsNewQrCode } from './connection-words.ts'
import { RemainingTime } from './remaining-time.tsx'
import { useRemainingSeconds } from './use-remaining-seconds.ts'

const incomplete = 'Informe o número do telefone com DDD.'

const steps = [
  'No celular deste número, abra o WhatsApp.',
  'Toque em Aparelhos conectados e depois em Conectar um aparelho.',
  'Toque em Conectar com número de telefone e digite o código.',
]

type Phone = { phone: string }

type FormProps = {
  connectionId: string
  /** Kept outside the form, which is unmounted when its time runs out. */
  state: [Phone, Dispatch<SetStateAction<Phone>>]
  onAsked: () => void
}

const PhoneForm = ({ connectionId, state, onAsked }: FormProps) => {
  const form = useForm(state, {
    command: useAskPairingCode(),
    toInput: ({ phone }) => ({ id: connectionId, phone: `55${phone}` }),
    check: ({ phone }) => ({ phone: isPhoneComplete(phone) ? undefined : incomplete }),
    failed: 'Falha ao pedir o código. Tente de novo.',
    onDone: onAsked,
  })
  const { value, onChange, ...field } = form.bind('phone')
  return (
    <Box component="form" onSubmit={form.submit} noValidate sx={{ display: 'grid', gap: 4, width: '100%' }}>
      <Field
        label="Telefone do WhatsApp"
        type="tel"
        inputMode="tel"
        placeholder="(11) 98877-6655"
        help="O número que você quer conectar, com DDD."
        autoFocus
        autoComplete="tel-national"
        value={maskPhone(value)}
        onChange={(typed) => onChange(phoneDigits(typed))}
        {...field}
      />
      <FormSummary sentence={form.problem?.errorOf('phone') ? null : form.summary} />
      <Button type="submit" variant="contained" disabled={form.isPending} sx={{ justifySelf: 'start' }}>
        Gerar código
      </Button>
    </Box>
  )
}

const Code = ({ code }: { code: string }) => (
  <>
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <Typography
        component="output"
        aria-label="Código para digitar no celular"
        variant="h1"
        sx={{ fontVariantNumeric: 'tabular-nums', letterSpacing: '0.12em', userSelect: 'all' }}
      >
        {code}
      </Typography>
      <CopyButton text={code} what="o código" done="Código copiado!" />
    </Box>
    <Box component="ol" sx={{ m: 0, pl: 5, display: 'grid', gap: 1, color: 'text.secondary' }}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </Box>
  </>
)

type Props = {
  connection: Connection
  refreshing: boolean
  onRefresh: () => void
  onQr: () => void
  onClose: () => void
}

/** Instead of the QR code, for phones that cannot scan. */
export const PairingStep = ({ connection, refreshing, onRefresh, onQr, onClose }: Props) => {
  const { id, name, pairingCode, qrDeadline, serverTime } = connection
  const phone = useState({ phone: '' })
  const [asked, setAsked] = useState(false)
  const [correcting, setCorrecting] = useState(false)
  const [hadCode, setHadCode] = useState(false)
  const remaining = useRemainingSeconds(qrDeadline, serverTime)
  const expired = !refreshing && (needsNewQrCode(connection) || remaining === 0)
  // Remembers the code, because the connection loses it at its deadline and the text depends on it.
  if (pairingCode && !refreshing && !hadCode) setHadCode(true)

  const renew = () => {
    setAsked(false)
    setCorrecting(false)
    setHadCode(false)
    onRefresh()
  }
  const take = () => {
    setAsked(true)
    setCorrecting(false)
  }
  return (
    <>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', alignItems: 'center', gap: 4 }}>
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere', textAlign: 'center' }}>
          {name}
        </Typography>
        {expired ? (
          <>
            <Typography role="status" sx={{ textAlign: 'center', textWrap: 'balance' }}>
              {connection.status === 'error'
                ? connectionSentence(connection, Date.parse(serverTime))
                : `O tempo para ${hadCode ? 'digitar' : 'gerar'} o código acabou.`}
            </Typography>
            <Button variant="contained" onClick={renew}>
              Tentar de novo
            </Button>
          </>
        ) : pairingCode && !correcting ? (
          <>
            <Code code={pairingCode} />
            <RemainingTime seconds={remaining} />
            <Button size="small" onClick={() => setCorrecting(true)}>
              Trocar o número
            </Button>
          </>
        ) : refreshing || (asked && !correcting) ? (
          <Spinner label="Pedindo o código ao WhatsApp..." />
        ) : (
          <PhoneForm connectionId={id} state={phone} onAsked={take} />
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          Fechar
        </Button>
        <Button variant="outlined" onClick={onQr}>
          Usar QR Code
        </Button>
      </DialogActions>
    </>
  )
}
