import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import type { TenantHistoryKind, tenantRecordKinds } from '@prosa/contracts/http/accounts/tenant-history'
import type { historyActors } from '@prosa/contracts/http/history'
import { useSearchParams } from 'react-router-dom'
import { SelectField } from '../../../components/forms/select-field.tsx'
import type { OwnHistoryFilters } from '../../../components/history/own/api.ts'
import { DayFilters } from '../../../components/tables/day-filters.tsx'
import { useAddressFilter } from '../../../lib/forms/use-address-filter.ts'
import { thenParameters } from '../../../lib/past-addresses.ts'

const kindNames: Readonly<Record<TenantHistoryKind, string>> = {
  contact: 'Contatos e conversas',
  run: 'Execuções de fluxos',
  flow: 'Fluxos',
  label: 'Etiquetas',
  quickReply: 'Respostas rápidas',
  hours: 'Horários',
  connection: 'Conexões',
  company: 'Empresa',
  plan: 'Plano e compras',
  account: 'Conta',
  integration: 'Integrações',
  reading: 'Leituras da equipe do Prosa',
}

const actorNames: Readonly<Record<(typeof historyActors)[number], string>> = {
  user: 'Você',
  admin: 'Equipe do Prosa',
  whatsapp: 'WhatsApp',
  flow: 'Fluxos',
  webhook: 'Kiwify',
  system: 'Sistema',
}

export const recordNames: Readonly<Record<(typeof tenantRecordKinds)[number], string>> = {
  contact: 'Contato',
  run: 'Execução de um fluxo',
  flow: 'Fluxo',
  folder: 'Pasta de fluxos',
  label: 'Etiqueta',
  quickReply: 'Resposta rápida',
  connection: 'Conexão',
  order: 'Pedido',
}

const everything = { value: '', label: 'Tudo' }
const everybody = { value: '', label: 'Todos' }
const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

const names: readonly string[] = ['registro', 'assunto', 'autor', 'de', 'ate']

export const known = <Name extends string>(value: string, of: Readonly<Record<Name, string>>): Name | undefined =>
  (Object.keys(of) as Name[]).find((name) => name === value)

export const useHistoryFilters = () => {
  const [searchParams, setSearchParams] = useSearchParams()
  const [record, setRecord] = useAddressFilter('registro', thenParameters)
  const [kind, setKind] = useAddressFilter('assunto')
  const [actor, setActor] = useAddressFilter('autor')
  const [from, setFrom] = useAddressFilter('de')
  const [to, setTo] = useAddressFilter('ate')
  const asked: OwnHistoryFilters = {
    record: record || undefined,
    kind: known(kind, kindNames),
    actor: known(actor, actorNames),
    from: from || undefined,
    to: to || undefined,
  }
  return {
    asked,
    record: { value: record, set: setRecord },
    kind: { value: kind, set: setKind },
    actor: { value: actor, set: setActor },
    from: { value: from, set: setFrom },
    to: { value: to, set: setTo },
    isAny: names.some((name) => searchParams.has(name)),
    clear: () =>
      setSearchParams(
        (before) => new URLSearchParams([...before].filter(([name]) => ![...names, ...thenParameters].includes(name))),
        { preventScrollReset: true },
      ),
  }
}

type Filters = ReturnType<typeof useHistoryFilters>

export const HistoryFilters = ({ filters: { kind, actor, from, to, isAny, clear } }: { filters: Filters }) => (
  <Box
    component="section"
    aria-label="Filtros do histórico"
    sx={{
      display: 'grid',
      gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 11rem), 1fr))',
      alignItems: 'end',
      gap: 3,
    }}
  >
    <SelectField
      label="Assunto"
      value={kind.value}
      onChange={kind.set}
      options={[everything, ...optionsOf(kindNames)]}
    />
    <SelectField
      label="Quem fez"
      value={actor.value}
      onChange={actor.set}
      options={[everybody, ...optionsOf(actorNames)]}
    />
    <DayFilters from={from.value} to={to.value} onFrom={from.set} onTo={to.set} />
    {isAny && (
      <Button color="inherit" onClick={clear} sx={{ justifySelf: 'start' }}>
        Limpar filtros
      </Button>
    )}
  </Box>
)
