import type { WhyField, WhyKind } from '@prosa/contracts/http/history'
import { later } from '@prosa/kernel/clock'
import { until } from '@prosa/kernel/testing/until'
import { makeAdmin } from './give-role.ts'
import { reportOrder, reportPayment, reportRefund } from './kiwify-payment.ts'
import type { Product } from './product.ts'
import type { Visitor } from './visitor.ts'

const dayMs = 24 * 3600 * 1000

/** A question about a value that a screen shows, and what its answer must have. */
export interface WhySituation {
  /** Kind of question: situations of one kind differ in who and when. */
  sort: string
  about: string
  kind: WhyKind
  id: string
  field: WhyField
  part?: string
  /** The tab of the panel that shows it, with words that only its row has, and the button's. */
  tab: 'Usuários' | 'Contatos' | 'Mensagens' | 'Transações' | 'Planos'
  search: string
  button: RegExp
  actor: RegExp
  cause: RegExp
  rule: RegExp
  after: RegExp
}

interface MadeSituations {
  admin: Visitor
  situations: WhySituation[]
}

/** Everybody registers by the same name. */
const rename = (visitor: Visitor, firstName: string, lastName: string) =>
  visitor.ask('PUT', '/api/auth/user', { firstName, lastName, email: visitor.email })

const idOf = async (visitor: Visitor) => (await visitor.get<{ id: string }>('/api/auth/user')).id

const paid = async (product: Product, admin: Visitor, name: 'Ana' | 'Bia' | 'Carla'): Promise<WhySituation[]> => {
  const user = await product.visitor().register()
  await rename(user, name, 'Lima')
  const id = await idOf(user)
  const access = async () => (await user.get<{ subscriptionEnd: string }>('/api/auth/user')).subscriptionEnd
  const first = await access()
  await reportPayment(product, user, later(new Date().toISOString(), 40 * dayMs))
  await until(async () => (await access()) > later(new Date().toISOString(), 20 * dayMs))
  const bought: WhySituation = {
    ...{ kind: 'user', id, tab: 'Usuários', search: user.email, sort: 'paid', about: `${name} paid` },
    ...{ field: 'access', button: /^Por quê\? Acesso até/, actor: /Sistema/, cause: /Kiwify aprovou o pedido/ },
    ...{ rule: /dias do plano: .*; Kiwify: .*; vale o mais tardio/, after: /\d\d\/\d\d\/\d{4}/ },
  }
  if (name === 'Ana') return [bought]
  await reportRefund(product, user)
  await until(async () => (await access()) === first)
  const refunded: WhySituation = {
    ...bought,
    ...{ sort: 'refunded', about: `${name} was given the money back` },
    ...{ cause: /Kiwify reembolsou o pedido/, rule: /um pedido devolvido não conta mais/ },
  }
  if (name === 'Bia') return [refunded]
  const givenEnd = later(new Date().toISOString(), 60 * dayMs)
  await admin.post(`/api/admin/users/${id}/extend`, {
    subscriptionEnd: givenEnd,
    subscriptionStatus: 'active',
    reason: 'Pediu por telefone',
  })
  await until(async () => (await access()) === givenEnd)
  const given: WhySituation = {
    ...bought,
    ...{ sort: 'given', about: `${name} was given access`, actor: /Otávio Reis/, cause: /um pedido de Otávio Reis/ },
    rule: /a decisão da administração vale mais/,
  }
  const status: WhySituation = {
    ...given,
    ...{ sort: 'status of an account', about: `status of ${name}`, field: 'status', button: /^Por quê\? Status/ },
    after: /Ativa/,
  }
  return [given, status]
}

const onTrial = async (product: Product): Promise<WhySituation> => {
  const user = await product.visitor().register()
  return {
    ...{ sort: 'trial', about: 'somebody has just registered', kind: 'user', id: await idOf(user), field: 'status' },
    ...{ tab: 'Usuários', search: user.email, button: /^Por quê\? Status/, actor: /Sistema/ },
    ...{ cause: /abriu uma conta/, rule: /\d+ dias? de teste a partir do cadastro/, after: /Em teste/ },
  }
}

const pricedAnew = async (admin: Visitor, round: number): Promise<WhySituation> => {
  const search = `Plano ${round}`
  const offer = { planId: `plano-${round}`, planName: search, productId: `p${round}`, productName: search }
  const { id } = await admin.post<{ id: string }>('/api/admin/kiwify-plans', { ...offer, price: 'R$ 50,00' })
  await admin.ask('PUT', `/api/admin/kiwify-plans/${id}`, { ...offer, price: 'R$ 60,00', reason: 'Reajuste' })
  return {
    ...{ sort: 'price of a plan', about: `the price of ${search}`, kind: 'plan', id, field: 'price', tab: 'Planos' },
    ...{ search, button: /^Por quê\? Preço de/, actor: /Otávio Reis/, cause: /um pedido de Otávio Reis/ },
    ...{ rule: /pedidos que já chegaram ficam com os dias que tinham/, after: /R\$ 60,00/ },
  }
}

const ordered = async (product: Product, round: number): Promise<WhySituation[]> => {
  const ref = `AVULSO${round}`
  await reportOrder(product, ref, { Customer: { full_name: 'Paulo César', email: `paulo${round}@example.org` } })
  const order = { kind: 'order', id: ref, tab: 'Transações', search: ref, actor: /Sistema/ } as const
  const reported = { cause: /um aviso da Kiwify/, rule: /dias do plano|nenhum plano tem o produto/ }
  return [
    {
      ...{ ...order, ...reported, sort: 'status of an order', about: `status of ${ref}`, field: 'status' },
      ...{ button: /^Por quê\? Status de/, after: /Aprovado/ },
    },
    {
      ...{ ...order, ...reported, sort: 'amount of an order', about: `amount of ${ref}`, field: 'amount' },
      ...{ button: /^Por quê\? Valor de/, after: /R\$/ },
    },
  ]
}

interface Shop {
  product: Product
  tenant: Visitor
  connectionId: string
}

type Phone = ReturnType<Product['whatsapp']['addPhone']>

const answered = async ({ tenant, connectionId }: Shop, phone: Phone, contactId: string, number: number) => {
  const search = `resposta ${number}`
  const { id } = await tenant.send(connectionId, contactId, search)
  const received = await phone.nextMessage(({ text }) => text === search)
  phone.markRead(received)
  await until(async () => (await tenant.messages(contactId)).some((each) => each.id === id && each.status === 'read'))
  return {
    ...{ sort: 'tick', about: `the tick of what ${number} was answered`, kind: 'contact', id: contactId, part: id },
    ...{ field: 'tick', tab: 'Mensagens', search, button: /^Por quê\? Tique/, actor: /Sistema/ },
    ...{ cause: /um aviso do WhatsApp/, rule: /dois traços azuis/, after: /lida/ },
  } as const satisfies WhySituation
}

const conversations = async (shop: Shop, number: number): Promise<WhySituation[]> => {
  const { product, tenant } = shop
  const phone = product.whatsapp.addPhone(`55119870000${10 + number}`, `Pessoa ${number}`)
  await phone.sendText(shopNumber, `segredo ${number}`)
  const { id } = await until(async () =>
    (await tenant.contacts('waiting')).find((each) => each.phone?.endsWith(String(10 + number))),
  )
  const of = { kind: 'contact', id, tab: 'Contatos', field: 'status', button: /^Por quê\? Status de/ } as const
  const onWhatsapp = { actor: /WhatsApp/, cause: /um aviso do WhatsApp, na conexão “Loja”/ }
  const own = { actor: /Sol Dias/, cause: /um pedido de Sol Dias/ }
  if (number % 4 === 0)
    return [
      {
        ...{ ...of, ...onWhatsapp, sort: 'waiting', about: `${number} waits`, search: `Pessoa ${number}` },
        ...{ rule: /escreve pela primeira vez/, after: /Aguardando/ },
      },
    ]
  await tenant.ask('PATCH', `/api/whatsapp/contacts/${id}/status`, { status: 'attending' })
  const search = `Cliente ${number}`
  await tenant.ask('PUT', `/api/whatsapp/contacts/${id}/name`, { name: search })
  const accepted: WhySituation = {
    ...{ ...of, ...own, sort: 'attended', about: `${number} is attended`, search },
    ...{ rule: /quem aceita/, after: /Atendendo/ },
  }
  const attended: WhySituation = {
    ...{ ...accepted, sort: 'who attends', about: `who attends ${number}`, field: 'attendant' },
    ...{ button: /^Por quê\? Quem atende/, after: /Sol Dias/ },
  }
  const named: WhySituation = {
    ...{ ...accepted, sort: 'name', about: `the name of ${number}`, field: 'name', button: /^Por quê\? Nome de/ },
    ...{ rule: /o nome que a loja dá vale mais/, after: /“Cliente/ },
  }
  if (number % 4 === 1) return [accepted, attended, named, await answered(shop, phone, id, number)]
  await tenant.ask('PATCH', `/api/whatsapp/contacts/${id}/status`, { status: 'resolved' })
  const resolved: WhySituation = {
    ...{ ...accepted, sort: 'resolved', about: `${number} is resolved` },
    ...{ rule: /só uma conversa em atendimento é finalizada/, after: /Resolvido/ },
  }
  if (number % 4 === 2) return [resolved, named]
  await phone.sendText(shopNumber, 'de novo')
  await until(async () => (await tenant.contacts('waiting')).some((each) => each.id === id))
  const reopened: WhySituation = {
    ...{ ...of, ...onWhatsapp, sort: 'reopened', about: `${number} wrote again`, search },
    ...{ rule: /a mensagem de Cliente \d+ de .*, recebida por “Loja”/, after: /Aguardando/ },
  }
  return [reopened, named]
}

const shopNumber = '5511955500001'

const openShop = async (product: Product): Promise<{ admin: Visitor; shop: Shop }> => {
  const admin = await product.visitor().register()
  await rename(admin, 'Otávio', 'Reis')
  await makeAdmin(product, admin)
  const tenant = await product.visitor().register()
  await rename(tenant, 'Sol', 'Dias')
  const { id: connectionId } = await tenant.link(product.whatsapp.addPhone(shopNumber, 'Padaria Sol'))
  return { admin, shop: { product, tenant, connectionId } }
}

/** Six situations of as many sorts, in four tabs. */
export const makeFewWhySituations = async (product: Product): Promise<MadeSituations> => {
  const { admin, shop } = await openShop(product)
  const situations = [await onTrial(product), await pricedAnew(admin, 0), ...(await conversations(shop, 1))]
  return { admin, situations }
}

/** Made by the product's own handlers; a round is 17 situations of 14 sorts. */
export const makeWhySituations = async (product: Product, rounds: number): Promise<MadeSituations> => {
  const { admin, shop } = await openShop(product)
  const situations: WhySituation[] = []
  for (let round = 0; round < rounds; round++) {
    for (const name of ['Ana', 'Bia', 'Carla'] as const) situations.push(...(await paid(product, admin, name)))
    situations.push(await onTrial(product), await pricedAnew(admin, round))
    for (let number = 0; number < 4; number++) situations.push(...(await conversations(shop, 4 * round + number)))
    situations.push(...(await ordered(product, round)))
  }
  return { admin, situations }
}
