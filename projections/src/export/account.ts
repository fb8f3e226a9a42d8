import type { Company } from '@prosa/contracts/http/accounts/company'
import type { Transaction } from '@prosa/contracts/http/accounts/transactions'
import type { Connection } from '@prosa/contracts/http/connections'
import type { ContactField } from '@prosa/contracts/http/contact-details'
import type { Flow, FlowFolder } from '@prosa/contracts/http/flows'
import type { Label } from '@prosa/contracts/http/labels'
import type { OpeningHoursShown } from '@prosa/contracts/http/opening-hours'
import type { QuickReply } from '@prosa/contracts/http/quick-replies'
import { answerTypeNames } from '@prosa/contracts/values/answers/answer-type'
import type { Instant } from '@prosa/contracts/values/instant'
import { erasedText } from '@prosa/contracts/values/personal'
import { findSessionTimes } from '@prosa/kernel/http/sign-in/browser-session-queries'
import type { Ports } from '@prosa/kernel/ports'
import { type FoundUser, findUser } from '../account/queries.ts'
import { findCompany } from '../company/queries.ts'
import { readConnections } from '../connections/queries.ts'
import { findContactFields } from '../contact-details/queries.ts'
import { everyRow } from '../csv.ts'
import { findDefaultFlow } from '../default-flow/queries.ts'
import { findFlowFolders } from '../flow-folders/queries.ts'
import { findFlows } from '../flows/queries.ts'
import { findLabels } from '../labels/queries.ts'
import { findOpeningHours } from '../opening-hours/queries.ts'
import { findQuickReplies } from '../quick-replies/queries.ts'
import { findOwnTransactions } from '../transactions/queries.ts'
import { leftOut, shownBy } from './shown-fields.ts'

type Ground = Pick<Ports, 'pool' | 'secrets' | 'clock'>
type OfSubscription = 'subscriptionStatus' | 'subscriptionEnd' | 'isTrial'

const states = { active: 'ativa', expired: 'expirada', cancelled: 'cancelada' } as const

const flowStates = { draft: 'rascunho', active: 'ativo', inactive: 'inativo' } as const

const shownProfile = shownBy<Omit<FoundUser, OfSubscription>>({
  id: 'id',
  firstName: 'nome',
  lastName: 'sobrenome',
  email: 'email',
  isEmailConfirmed: 'emailConfirmado',
  createdAt: 'contaCriadaEm',
  roles: 'papeis',
  acceptedTerms: ['termosAceitos', (accepted) => accepted && { versao: accepted.version, em: accepted.at }],
  mustChangePassword: leftOut('a state of the password'),
  profileImageUrl: leftOut('in foto.webp'),
  company: leftOut('in empresa'),
})

const shownSubscription = shownBy<Pick<FoundUser, OfSubscription>>({
  subscriptionStatus: ['situacao', (status) => states[status]],
  subscriptionEnd: 'acessoAte',
  isTrial: 'periodoGratuito',
})

const profileOf = async ({ pool }: Ground, userId: string, now: Instant) => {
  const user = await findUser(pool, userId, now)
  if (!user) return { perfil: { id: userId, nome: erasedText, email: erasedText }, assinatura: null }
  return { perfil: shownProfile(user), assinatura: shownSubscription(user) }
}

const shownCompany = shownBy<Company>({
  name: 'nome',
  email: 'email',
  phone: 'telefone',
  website: 'site',
  address: 'endereco',
  notifications: 'notificacoes',
  analytics: 'medicaoDeUso',
})

const shownHours = shownBy<OpeningHoursShown>({
  isSet: 'definido',
  timeZone: 'fusoHorario',
  week: 'semanaDesdeDomingo',
  holidays: [
    'feriados',
    (days) => days.map(({ date, name, intervals }) => ({ dia: date, nome: name, horarios: intervals })),
  ],
  reply: ['respostaForaDoHorario', ({ isOn, text }) => ({ ativa: isOn, texto: text })],
})

const shownPurchase = shownBy<Transaction>({
  id: 'id',
  transactionId: 'referencia',
  createdAt: 'quando',
  event: 'aviso',
  amount: 'valorEmCentavos',
  productName: 'produto',
  planName: 'plano',
  status: 'situacao',
  paymentMethod: 'formaDePagamento',
})

const shownConnection = shownBy<Connection>({
  id: 'id',
  name: 'nome',
  phone: 'telefone',
  status: 'situacao',
  statusSince: 'situacaoDesde',
  lastActivity: 'ultimaAtividade',
  phoneNumber: leftOut('the same as phone'),
  statusReason: leftOut('a hint for the screen'),
  line: leftOut('a hint for the screen'),
  qrCode: leftOut('a secret: links the number'),
  qrDeadline: leftOut('of the QR code'),
  pairingCode: leftOut('a secret: links the number'),
  serverTime: leftOut('the clock'),
  network: leftOut('the same for all but in development'),
})

const shownQuickReply = shownBy<QuickReply>({
  id: leftOut('an internal id'),
  shortcut: 'atalho',
  content: 'texto',
  isActive: 'ativa',
})

const shownField = shownBy<ContactField>({
  id: 'id',
  name: 'nome',
  variable: 'variavel',
  type: ['tipo', (type) => answerTypeNames[type]],
})
const shownLabel = shownBy<Label>({ id: 'id', name: 'nome', colour: 'cor' })

const shownFolder = shownBy<FlowFolder>({
  id: 'id',
  name: 'nome',
  description: 'descricao',
  createdAt: 'criadaEm',
  updatedAt: leftOut('in the events'),
  flowCount: leftOut('follows from fluxos'),
})

/** Drafts and versions are elsewhere in the copy. */
const shownFlow = shownBy<Flow>({
  id: 'id',
  name: 'nome',
  folderId: 'pasta',
  status: ['situacao', (status) => flowStates[status]],
  version: 'versao',
  createdAt: 'criadoEm',
  updatedAt: 'mudadoEm',
  nodeCount: leftOut('follows from fluxos/'),
})

const purchasesOf = async ({ pool }: Ground, tenant: string) => {
  const purchases: ReturnType<typeof shownPurchase>[] = []
  const load = (after: Transaction | undefined, limit: number) => findOwnTransactions(pool, { tenant, after, limit })
  for await (const purchase of everyRow(load)) purchases.push(shownPurchase(purchase))
  return purchases
}

export type AccountPart = Awaited<ReturnType<typeof accountPart>>

/** Browser sessions appear only with their times of use. */
export const accountPart = async (ground: Ground, userId: string) => {
  const { pool, clock } = ground
  const now = clock.now()
  return {
    copiaFeitaEm: now,
    ...(await profileOf(ground, userId, now)),
    empresa: shownCompany(await findCompany(pool, userId)),
    horario: shownHours(await findOpeningHours(pool, userId)),
    compras: await purchasesOf(ground, userId),
    sessoesDeNavegador: (await findSessionTimes(pool, userId)).map(({ beganAt, seenAt }) => ({
      inicio: beganAt.toISOString(),
      ultimoUso: seenAt.toISOString(),
    })),
    conexoes: (await readConnections(ground)(userId)).map(shownConnection),
    respostasRapidas: (await findQuickReplies(pool, userId)).map(shownQuickReply),
    etiquetas: (await findLabels(pool, userId)).map(shownLabel),
    camposDeContatos: (await findContactFields(pool, userId)).map(shownField),
    pastasDeFluxos: (await findFlowFolders(pool, userId)).map(shownFolder),
    fluxos: (await findFlows(pool, userId)).map(shownFlow),
    fluxoPadrao: await findDefaultFlow(pool, userId),
  }
}
