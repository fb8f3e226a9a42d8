import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import type { Erasure, ErasureRest } from '@prosa/contracts/http/administration/erasures'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import ErasedIcon from '~icons/ic/round-delete'
import { EmptyState } from '../../../components/layout/empty-state.tsx'
import { type Column, DataTable } from '../../../components/tables/data-table.tsx'
import { count, plural } from '../../../lib/format/format.ts'
import { wholeTime } from '../../../lib/format/whole-time.ts'
import { call } from '../../../lib/http/call.ts'
import { usePagedList } from '../../../lib/http/use-paged-list.ts'
import { AdminSection } from '../admin-section.tsx'
import { useHistoryDrawer } from '../history/use-history-drawer.tsx'

const kindNames: Record<Erasure['kind'], string> = { account: 'Conta', contact: 'Contato', buyer: 'Comprador' }
const recordKinds = { account: 'user', contact: 'contact', buyer: 'entitlement' } as const

const followedNames: Readonly<Record<string, [one: string, many: string]>> = {
  ContactErased: ['contato apagado', 'contatos apagados'],
  ConnectionRemoved: ['conexão removida', 'conexões removidas'],
  OrderBuyerErased: ['compra sem comprador', 'compras sem comprador'],
  WebhookRemoved: ['webhook removido', 'webhooks removidos'],
  SubscriberErased: ['assinatura sem comprador', 'assinaturas sem comprador'],
}

const followedOf = ({ followed }: Erasure): string => {
  const known = followed.flatMap(({ type, count: of }) => {
    const names = followedNames[type]
    return names ? [plural(of, ...names)] : []
  })
  return known.length === 0 ? '—' : known.join(', ')
}

const sentencesOf = ({ keys, tables, events, charges }: ErasureRest): string[] => [
  keys.left === 0
    ? `Chaves destruídas: nenhuma de ${count(keys.checked)} resta, e o que elas cifravam não pode mais ser lido.`
    : `${plural(keys.left, 'chave ainda existe', 'chaves ainda existem')} de ${count(keys.checked)}: o apagamento não terminou.`,
  tables.left.length === 0
    ? `Linhas: nenhuma, em ${plural(tables.checked, 'tabela conferida', 'tabelas conferidas')}.`
    : `Linhas que restam: ${tables.left.map(({ table, count: of }) => `${count(of)} em ${table}`).join(', ')}.`,
  ...(tables.counts.length > 0
    ? [
        `Contagens sem dados pessoais: ${tables.counts.map(({ table, count: of }) => `${count(of)} em ${table}`).join(', ')}.`,
      ]
    : []),
  `Restam ${plural(events, 'acontecimento', 'acontecimentos')}, só com códigos e horários${
    charges > 0 ? `, e ${plural(charges, 'cobrança', 'cobranças')}, que a lei manda guardar` : ''
  }.`,
]

const whileErasingMs = 3000

const Rest = ({ id }: { id: string }) => {
  const [isAsked, setAsked] = useState(false)
  const { data, isError } = useQuery({
    queryKey: ['admin', 'erasures', id, 'rest'],
    queryFn: ({ signal }) => call('GET /api/admin/erasures/:id/rest', { signal, params: { id } }),
    enabled: isAsked,
    // An erasure under way ends by itself.
    refetchInterval: ({ state: { data } }) =>
      data && (data.keys.left > 0 || data.tables.left.length > 0) ? whileErasingMs : false,
    staleTime: 0,
  })
  if (!isAsked)
    return (
      <Button variant="outlined" color="inherit" onClick={() => setAsked(true)}>
        Conferir
      </Button>
    )
  if (isError) return <Typography role="alert">Não foi possível conferir agora.</Typography>
  if (!data) return <Typography role="status">Conferindo...</Typography>
  return (
    <Box sx={{ minWidth: 0 }}>
      {sentencesOf(data).map((sentence) => (
        <Typography key={sentence} variant="caption" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Typography>
      ))}
    </Box>
  )
}

const columns: readonly Column<Erasure>[] = [
  { title: 'O quê', cell: ({ kind, subjectId }) => `${kindNames[kind]} ${subjectId.slice(0, 8)}` },
  { title: 'Quando', cell: ({ at }) => wholeTime(at) },
  { title: 'Por quem', cell: ({ by }) => by ?? 'A própria conta' },
  { title: 'Motivo', secondary: true, cell: ({ reason }) => reason ?? '—' },
  { title: 'O que se seguiu', secondary: true, cell: followedOf },
  { title: 'Prova e o que resta', cell: ({ id }) => <Rest id={id} /> },
]

export const ErasuresSection = () => {
  const list = usePagedList<Erasure>({
    queryKey: ['admin', 'erasures'],
    load: (cursor, signal) => call('GET /api/admin/erasures', { signal, query: { cursor } }),
  })
  const { historyAction, historyDrawer } = useHistoryDrawer()
  return (
    <AdminSection
      title="Apagados"
      sentence="Quem foi apagado, a pedido de quem, e a prova, contada agora, de que nada pessoal resta. Ao restaurar uma cópia de segurança, estes apagamentos são refeitos."
    >
      <DataTable
        label="Apagados"
        columns={columns}
        list={list}
        rowKey={({ id }) => id}
        rowName={({ kind, subjectId }) => `${kindNames[kind]} ${subjectId.slice(0, 8)}`}
        actions={({ kind, subjectId }) => [
          historyAction({ kind: recordKinds[kind], id: subjectId, name: '[apagado]' }),
        ]}
        empty={
          <EmptyState
            icon={<ErasedIcon />}
            title="Ninguém foi apagado"
            sentence="Contas, contatos e compradores que forem apagados aparecem aqui com a prova."
          />
        }
      />
      {historyDrawer}
    </AdminSection>
  )
}
