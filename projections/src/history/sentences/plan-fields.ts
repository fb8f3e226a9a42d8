import type { StoredOf } from '@prosa/kernel/event-store/codec'

export type PlanOffer = StoredOf<'PlanCreated'>['data']

const names: Record<keyof PlanOffer, string> = {
  planId: 'ID do plano',
  planName: 'Nome',
  productId: 'ID do produto',
  productName: 'Produto',
  accessDays: 'Dias de acesso',
  price: 'Preço',
  description: 'Descrição',
  purchaseUrl: 'Link de compra',
}

/** 'Preço' → 'R$ 97,00'; empty fields as '—'. */
export const planFieldsOf = (offer: PlanOffer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).map(([field, label]) => [label, String(offer[field as keyof PlanOffer] ?? '') || '—']),
  )
