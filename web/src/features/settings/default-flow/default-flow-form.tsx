import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Flow } from '@prosa/contracts/http/flows'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { SelectField } from '../../../components/forms/select-field.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { Notice } from '../../../components/notices/notice.tsx'
import { useForm } from '../../../lib/forms/use-form.ts'
import { paths } from '../../../lib/paths.ts'
import { useChooseDefaultFlow, useTurnOnFlow } from './api.ts'

const none = ''

const stateSentence = (saved: Flow | undefined): string =>
  saved
    ? `“${saved.name}” conversa com quem escreve pela primeira vez, se nenhum fluxo de palavra-chave, primeiro contato ou fora do horário começar antes.`
    : 'Quem escreve pela primeira vez espera em Aguardando, a menos que outro fluxo comece com a mensagem.'

interface Props {
  flows: readonly Flow[]
  chosenId: string | null
}

export const DefaultFlowForm = ({ flows, chosenId }: Props) => {
  const saved = flows.find(({ id }) => id === chosenId)
  const savedId = saved?.id ?? none
  const turnOn = useTurnOnFlow()
  const form = useForm(useState<{ wanted: string | null }>({ wanted: null }), {
    command: useChooseDefaultFlow(),
    toInput: ({ wanted }) => (wanted ?? savedId) || null,
    onDone: () => form.setValues({ wanted: null }),
  })
  const value = form.values.wanted ?? savedId
  return (
    <>
      {saved?.status === 'inactive' && (
        <Notice kind="warning">
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
            <Box component="span" sx={{ flex: '1 1 0', minWidth: 'var(--menu-width)' }}>
              “{saved.name}” está desligado e não recebe ninguém até você ligar.
            </Box>
            <Button
              variant="outlined"
              color="inherit"
              disabled={turnOn.isPending}
              onClick={() => turnOn.mutate(saved.id)}
            >
              {turnOn.isPending ? 'Ligando...' : 'Ligar fluxo'}
            </Button>
          </Box>
        </Notice>
      )}
      {chosenId !== null && !saved && <Notice kind="warning">O fluxo escolhido não existe mais: escolha outro.</Notice>}
      <Panel>
        <Box component="form" noValidate onSubmit={form.submit} sx={{ display: 'grid', gap: 4, p: 4 }}>
          <SelectField
            label="Fluxo para contatos novos"
            value={value}
            onChange={(wanted) => form.set({ wanted })}
            options={[
              { value: none, label: 'Nenhum: a conversa espera em Aguardando' },
              ...flows.map(({ id, name, status }) => ({
                value: id,
                label: status === 'inactive' ? `${name} (desligado)` : name,
              })),
            ]}
          />
          {saved?.status !== 'inactive' && (
            <Typography sx={{ color: 'text.secondary', textWrap: 'pretty' }}>{stateSentence(saved)}</Typography>
          )}
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <Button type="submit" variant="contained" disabled={form.isPending || value === savedId}>
              {form.isPending ? 'Salvando...' : 'Salvar'}
            </Button>
            <Button component={Link} to={paths.conversationFlows} color="inherit">
              Abrir Fluxos de Conversa
            </Button>
          </Box>
        </Box>
      </Panel>
    </>
  )
}
