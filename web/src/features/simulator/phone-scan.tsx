import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ButtonBase from '@mui/material/ButtonBase'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { type ClipboardEvent, useRef, useState } from 'react'
import ArrowBackIcon from '~icons/ic/round-arrow-back'
import { Field } from '../../components/forms/field.tsx'
import { NotRead } from '../../components/notices/not-read-panel.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { useToast } from '../../lib/toast.ts'
import { useEnterCode, useScan, useShownCodes } from './api.ts'
import { readQrCode } from './read-qr-code.ts'

/** `ABCD-1234`, as the connection shows it. */
const isPairingCode = (text: string) => /^[0-9a-z]{4}[- ]?[0-9a-z]{4}$/i.test(text)

const ShownCodes = ({
  isScanning,
  isEntering,
  onImage,
  onCode,
}: {
  isScanning: boolean
  isEntering: boolean
  onImage: (image: string) => void
  onCode: (code: string) => void
}) => {
  const { codes, error, isPending, refetch } = useShownCodes()
  return (
    <>
      {isPending && <Spinner />}
      {!isPending && !codes && (
        <NotRead title="Os códigos não puderam ser lidos" error={error} onRetry={() => void refetch()} />
      )}
      {codes?.length === 0 && (
        <Typography sx={{ color: 'text.secondary' }}>
          Nenhuma conexão mostra um código agora. Abra Configurações, Conexões, e escolha Adicionar Conexão.
        </Typography>
      )}
      {codes?.map(
        ({ id, name, pairingCode }) =>
          pairingCode && (
            <Button key={`${id}-code`} variant="outlined" disabled={isEntering} onClick={() => onCode(pairingCode)}>
              Digitar o código {pairingCode} de {name}
            </Button>
          ),
      )}
      {codes?.map(
        ({ id, name, image }) =>
          image && (
            <ButtonBase
              key={id}
              disabled={isScanning}
              onClick={() => onImage(image)}
              sx={{
                display: 'grid',
                gap: 2,
                p: 3,
                border: '1px solid',
                borderColor: 'borderStrong',
                borderRadius: 'var(--radius-panel)',
                '&:hover': { bgcolor: 'sunken' },
              }}
            >
              <Box
                component="img"
                src={image}
                alt=""
                sx={{ width: '100%', bgcolor: 'var(--qr-paper)', borderRadius: 'var(--radius-control)' }}
              />
              <Typography variant="subtitle2" component="span" sx={{ overflowWrap: 'anywhere' }}>
                Ler o QR Code de {name}
              </Typography>
            </ButtonBase>
          ),
      )}
    </>
  )
}

const ImageChoice = ({ onImage }: { onImage: (image: File) => void }) => {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="outlined" onClick={() => file.current?.click()}>
        Usar uma imagem
      </Button>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const image = event.target.files?.[0]
          event.target.value = ''
          if (image) onImage(image)
        }}
      />
    </>
  )
}

const CodeForm = ({ disabled, onSubmit }: { disabled: boolean; onSubmit: (typed: string) => void }) => {
  const [pasted, setPasted] = useState('')
  return (
    <Box
      component="form"
      sx={{ display: 'grid', gap: 2 }}
      onSubmit={(event) => {
        event.preventDefault()
        if (pasted.trim() !== '') onSubmit(pasted.trim())
      }}
    >
      <Field
        label="Ou cole a imagem ou o texto do QR Code, ou digite o código de 8 letras e números"
        autoComplete="off"
        value={pasted}
        onChange={setPasted}
      />
      <Button type="submit" disabled={pasted.trim() === '' || disabled}>
        Conectar com este texto
      </Button>
    </Box>
  )
}

/** Scans the codes of this tenant's connections, or any image or text of a QR code. */
export const PhoneScan = ({ phoneId, onDone }: { phoneId: string; onDone: () => void }) => {
  const scan = useScan(phoneId)
  const enter = useEnterCode(phoneId)
  const toast = useToast()

  const linked = (title: string) => ({
    onSuccess: () => {
      toast({ title, description: 'O aparelho está sendo conectado.', kind: 'success' })
      onDone()
    },
  })
  const link = (qr: string) => scan.mutate(qr, linked('QR Code lido'))
  const type = (code: string) => enter.mutate(code, linked('Código aceito'))
  const submit = (typed: string) => (isPairingCode(typed) ? type(typed) : link(typed))

  const look = async (image: string | Blob) => {
    const qr = await readQrCode(image).catch(() => null)
    if (qr) return link(qr)
    toast({ title: 'Nenhum QR Code na imagem', description: 'Use a imagem inteira do código.', kind: 'error' })
  }

  const paste = (event: ClipboardEvent) => {
    const image = [...event.clipboardData.files].find((file) => file.type.startsWith('image/'))
    if (!image) return
    event.preventDefault()
    void look(image)
  }

  return (
    <Box onPaste={paste} sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 }}>
      <Box
        sx={{ display: 'flex', alignItems: 'center', gap: 1, px: 1, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        <IconButton aria-label="Voltar às conversas" autoFocus onClick={onDone}>
          <ArrowBackIcon />
        </IconButton>
        <Typography variant="subtitle2" component="h3">
          Conectar um aparelho
        </Typography>
      </Box>
      <Box sx={{ flex: 1, overflow: 'auto', display: 'grid', alignContent: 'start', gap: 4, p: 4 }}>
        <ShownCodes
          isScanning={scan.isPending}
          isEntering={enter.isPending}
          onImage={(image) => void look(image)}
          onCode={type}
        />
        <ImageChoice onImage={(image) => void look(image)} />
        <CodeForm disabled={scan.isPending || enter.isPending} onSubmit={submit} />
      </Box>
    </Box>
  )
}
