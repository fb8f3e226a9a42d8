import type { Connection } from '@prosa/contracts/http/connections'
import type { Transaction } from '@prosa/contracts/http/transactions'
import type { Instant } from '@prosa/contracts/values/instant'
import { erasedText } from '@prosa/contracts/values/personal'
import { findSessionTimes } from '@prosa/kernel/http/browser-session-queries'
import type { Ports } from '@prosa/kernel/ports'
import { findUser } from '../account/queries.ts'
import { readConnections } from '../connections/queries.ts'
import { everyRow } from '../csv.ts'
import { findFlowFolders } from '../flow-folders/queries.ts'
import { findFlows } from '../flows/queries.ts'
import { findQuickReplies } from '../quick-replies/queries.ts'
import { findOwnTransactions } from '../transactions/queries.ts'

type Ground = Pick<Ports, 'pool' | 'secrets' | 'clock'>

const states = { active: 'ativa', expired: 'expirada', cancelled: 'cancelada' } as const

const flowStates = { draft: 'rascunho', active: 'ativo', inactive: 'inativo' } as const

const profileOf = async ({ pool }: Ground, userId: string, now: Instant) => {
  const user = await findUser(pool, userId, now)
  if (!user) return { perfil: { id: userId, nome: erasedText, email: erasedText }, assinatura: null }
  return {
    perfil: {
      id: user.id,
      nome: user.firstName,
      sobrenome: user.lastName,
      email: user.email,
      emailConfirmado: user.isEmailConfirmed,
      contaCriadaEm: user.createdAt,
      papeis: user.roles,
    },
    assinatura: {
      situacao: states[user.subscriptionStatus],
      acessoAte: user.subscriptionEnd,
      periodoGratuito: user.isTrial,
    },
  }
}

const shownPurchase = ({ id, transactionId, createdAt, event, amount, ...purchase }: Transaction) => ({
  id,
  referencia: transactionId,
  quando: createdAt,
  aviso: event,
  valorEmCentavos: amount,
  produto: purchase.productName,
  plano: purchase.planName,
  situacao: purchase.status,
  formaDePagamento: purchase.paymentMethod,
})

/** Without QR and pairing codes, which are secrets. */
const shownConnection = ({ id, name, status, phone, statusSince, lastActivity }: Connection) => ({
  id,
  nome: name,
  telefone: phone,
  situacao: status,
  situacaoDesde: statusSince,
  ultimaAtividade: lastActivity,
})

/** Browser sessions appear only with their times of use. */
export const accountPart = async (ground: Ground, userId: string) => {
  const { pool, clock } = ground
  const now = clock.now()
  const purchases: ReturnType<typeof shownPurchase>[] = []
  const load = (after: Transaction | undefined, limit: number) =>
    findOwnTransactions(pool, { owner: userId, after, limit })
  for await (const purchase of everyRow(load)) purchases.push(shownPurchase(purchase))
  return {
    copiaFeitaEm: now,
    ...(await profileOf(ground, userId, now)),
    compras: purchases,
    sessoesDeNavegador: (await findSessionTimes(pool, userId)).map(({ beganAt, seenAt }) => ({
      inicio: beganAt.toISOString(),
      ultimoUso: seenAt.toISOString(),
    })),
    conexoes: (await readConnections(ground)(userId)).map(shownConnection),
    respostasRapidas: (await findQuickReplies(pool, userId)).map(({ shortcut, content, isActive }) => ({
      atalho: shortcut,
      texto: content,
      ativa: isActive,
    })),
    pastasDeFluxos: (await findFlowFolders(pool, userId)).map(({ id, name, description, createdAt }) => ({
      id,
      nome: name,
      descricao: description,
      criadaEm: createdAt,
    })),
    // Drafts and versions are elsewhere in the copy.
    fluxos: (await findFlows(pool, userId)).map(({ id, name, folderId, status, version, createdAt, updatedAt }) => ({
      id,
      nome: name,
      pasta: folderId,
      situacao: flowStates[status],
      versao: version,
      criadoEm: createdAt,
      mudadoEm: updatedAt,
    })),
  }
}
