import type { HistoryRecordKind } from '@prosa/contracts/http/history'

const kindNames: Record<HistoryRecordKind, string> = {
  user: 'Usuário',
  order: 'Pedido',
  delivery: 'Aviso',
  purchase: 'Assinatura na Kiwify',
  entitlement: 'Compras de um e-mail',
  plan: 'Plano',
  connection: 'Conexão',
  contact: 'Contato',
  email: 'Endereço de e-mail',
  work: 'Trabalho',
  support: 'Mensagem ao suporte',
  flow: 'Fluxo',
  folder: 'Pasta de fluxos',
  refusals: 'Avisos recusados',
}

export interface HistoryTarget {
  kind: HistoryRecordKind
  id: string
  name: string
}

export const keyOf = ({ kind, id }: Pick<HistoryTarget, 'kind' | 'id'>): string => `${kind}:${id}`

export const targetOf = (key: string): Pick<HistoryTarget, 'kind' | 'id'> | undefined => {
  const [, kind, id] = /^(\w+):(.+)$/.exec(key) ?? []
  return kind !== undefined && id !== undefined && Object.hasOwn(kindNames, kind)
    ? { kind: kind as HistoryRecordKind, id }
    : undefined
}

/** 'Pedido ABC1234'; of a person the name alone. */
export const titleOf = ({ kind, name }: Pick<HistoryTarget, 'kind' | 'name'>): string =>
  kind === 'user' ? name : `${kindNames[kind]} ${name}`

export const kindName = (kind: HistoryRecordKind): string => kindNames[kind]
