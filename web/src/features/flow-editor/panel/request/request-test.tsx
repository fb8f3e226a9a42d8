import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { FlowNodeOf } from '@prosa/contracts/flows/flow-document'
import { failureWords } from '@prosa/contracts/flows/request'
import { variablesOfRequest } from '@prosa/contracts/flows/request-template'
import type { SentFlowRequest } from '@prosa/contracts/http/flow-runs'
import { useState } from 'react'
import SendIcon from '~icons/ic/round-send'
import { Field } from '../../../../components/forms/field.tsx'
import { Notice } from '../../../../components/notices/notice.tsx'
import { count } from '../../../../lib/format/format.ts'
import { refusalOr } from '../../../../lib/http/http.ts'
import { useSendRequest } from './api.ts'
import { Part } from './request-lists.tsx'

type Request = FlowNodeOf<'request'>['data']

const sampleOf = (name: string) => (name === 'nome' ? 'Ana' : '')

const Reply = ({ reply }: { reply: SentFlowRequest }) => {
  const { status, failure, durationMs, body, isCut, values } = reply
  const stored = Object.entries(values)
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Notice kind={failure === null ? 'success' : 'warning'}>
        {failure === null
          ? `Deu certo: ${status}, em ${count(durationMs)} ms.`
          : `Deu errado: ${failureWords(failure, status)}.`}
      </Notice>
      {stored.length > 0 && (
        <Box component="dl" aria-label="Valores da resposta" sx={{ m: 0, display: 'grid', gap: 1 }}>
          {stored.map(([name, value]) => (
            <Box key={name} sx={{ display: 'flex', gap: 2 }}>
              <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>{`{${name}}`}</Typography>
              <Typography component="dd" sx={{ m: 0, minWidth: 0, overflowWrap: 'anywhere' }}>
                {value === '' ? '—' : value}
              </Typography>
            </Box>
          ))}
        </Box>
      )}
      {body !== '' && (
        <Box
          component="pre"
          aria-label="Resposta"
          tabIndex={0}
          sx={{
            m: 0,
            p: 2,
            maxHeight: 'var(--popup-height)',
            overflow: 'auto',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
            bgcolor: 'sunken',
            borderRadius: 'var(--radius-control)',
            fontFamily: 'var(--mono)',
            fontSize: '0.85em',
          }}
        >
          {isCut ? `${body}…` : body}
        </Box>
      )}
    </Box>
  )
}

/** Sends for real, once, as it is drawn now. */
export const RequestTest = ({ nodeId, request, canSend }: { nodeId: string; request: Request; canSend: boolean }) => {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const send = useSendRequest(nodeId)
  const names = variablesOfRequest(request)
  const sample = Object.fromEntries(names.map((name) => [name, values[name] ?? sampleOf(name)]))
  return (
    <Part title="Testar a requisição" help="É enviada de verdade, uma vez, com os valores abaixo.">
      {names.map((name) => (
        <Field
          key={name}
          label={`Valor de {${name}}`}
          maxLength={1000}
          autoComplete="off"
          value={sample[name] ?? ''}
          onChange={(text) => setValues({ ...values, [name]: text })}
        />
      ))}
      <Button
        variant="outlined"
        startIcon={<SendIcon />}
        disabled={!canSend || send.isPending}
        onClick={() => send.mutate({ request, values: sample })}
        sx={{ justifySelf: 'start' }}
      >
        {send.isPending ? 'Enviando…' : 'Enviar agora'}
      </Button>
      {send.error && <Notice kind="error">{refusalOr(send.error, 'O teste não pôde ser feito.')}</Notice>}
      {send.data && !send.isPending && <Reply reply={send.data} />}
    </Part>
  )
}
